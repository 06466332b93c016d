import TerminalUI
import TodoCore

/// Pasted text as lines of todos.
enum TodoPaste {
    /// Returns the lines of a paste that are not blank, if there are several.
    static func lines(_ text: String) -> [String]? {
        let lines = text.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.isBlank }
        return lines.count > 1 ? lines : nil
    }

    /// Returns a line without the mark of a list, such as `- [ ] `, `* ` or `3. `.
    static func bare(_ line: String) -> String {
        var rest = line.trimmed[...]
        for mark in ["- ", "* ", "+ ", "• "] where rest.hasPrefix(mark) {
            rest = rest.dropFirst(mark.count)
            break
        }
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        if (1...3).contains(digits.count), rest.dropFirst(digits.count).hasPrefix(". ") {
            rest = rest.dropFirst(digits.count + 2)
        }
        if rest.hasPrefix("[ ] ") { rest = rest.dropFirst(4) }
        return String(rest).trimmed
    }
}
