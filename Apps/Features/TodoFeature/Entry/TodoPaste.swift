import TerminalUI
import TodoCore

/// Pasted text as lines of todos.
enum TodoPaste {
    /// Returns the lines of a paste, if several are not blank.
    static func lines(_ text: String) -> [String]? {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(String.init)
        return lines.count { !$0.isBlank } > 1 ? lines : nil
    }

    /// Returns the lines that are neither blank nor ticked, without the marks of lists.
    static func open(_ lines: [String]) -> [String] {
        lines.filter { !$0.isBlank }.map(bare).filter { !$0.isDone }.map(\.text)
    }

    /// Returns the text of a paste in one line: what is open, or all of it if nothing is.
    static func oneLine(_ lines: [String]) -> String {
        let open = open(lines)
        let texts = open.isEmpty ? lines.filter { !$0.isBlank }.map { bare($0).text } : open
        return texts.joined(separator: " ")
    }

    /// Returns a line without the mark of a list, such as `- [ ] `, `* ` or `3. `, and whether it is ticked, as in `- [x] `.
    static func bare(_ line: String) -> (text: String, isDone: Bool) {
        var rest = line.trimmed[...]
        for mark in ["- ", "* ", "+ ", "• "] where rest.hasPrefix(mark) {
            rest = rest.dropFirst(mark.count)
            break
        }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        if (1...3).contains(digits.count), rest.dropFirst(digits.count).hasPrefix(". ") {
            rest = rest.dropFirst(digits.count + 2)
        }
        let isDone = rest.hasPrefix("[x] ") || rest.hasPrefix("[X] ")
        if isDone || rest.hasPrefix("[ ] ") { rest = rest.dropFirst(4) }
        return (String(rest).trimmed, isDone)
    }
}
