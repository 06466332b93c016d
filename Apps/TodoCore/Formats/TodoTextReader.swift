import TextEscaping

/// Splits a file into lines of valid UTF-8 and finds what no todo can contain.
struct TodoTextReader {
    /// A line of a file.
    struct Line {
        /// The number, counted from 1.
        let number: Int
        /// The text without its line break.
        let text: String
    }

    /// The maximum length of a line in bytes.
    static let lineLimit = 1 << 20

    /// Calls `body` for each line.
    ///
    /// - Parameters:
    ///   - bytes: the file, without a byte order mark.
    ///   - problems: gets the lines that are not valid.
    ///   - body: called with each valid line.
    static func forEachLine(
        _ bytes: [UInt8],
        _ problems: inout [TodoImportProblem],
        _ body: (Line, inout [TodoImportProblem]) -> Void
    ) {
        var start = 0
        var number = 0
        bytes.withUnsafeBufferPointer { buffer in
            while start < buffer.count {
                number += 1
                var end = start
                while end < buffer.count, buffer[end] != 0x0A { end += 1 }
                let next = end + 1
                if end > start, buffer[end - 1] == 0x0D { end -= 1 }
                let line = UnsafeBufferPointer(rebasing: buffer[start..<end])
                start = next
                guard line.count <= lineLimit else {
                    let message =
                        "the line has more than \(lineLimit) bytes; a title has at most \(TodoText.titleLimit) characters"
                    problems.append(TodoImportProblem(line: number, message: message))
                    continue
                }
                guard let text = String(validating: line, as: UTF8.self) else {
                    problems.append(invalidText(line, number))
                    continue
                }
                body(Line(number: number, text: text), &problems)
            }
        }
    }

    private static func invalidText(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) -> TodoImportProblem {
        // The decoder replaces the first invalid byte by U+FFFD; what is before is valid.
        let repaired = String(decoding: line, as: UTF8.self)
        let valid = repaired.prefix { $0 != "\u{FFFD}" }
        return TodoImportProblem(
            line: number,
            column: valid.count + 1,
            message: "the text is not UTF-8; convert the file, for example with iconv -t utf-8"
        )
    }

    /// Returns the problem of a file that is compressed or UTF-16, of which every line would be one; `nil` for any other file.
    static func encodingProblem(_ bytes: [UInt8]) -> TodoImportProblem? {
        if bytes.starts(with: [0x1F, 0x8B]) {
            return TodoImportProblem(line: 1, message: "the file is compressed; run gunzip first")
        }
        let hasMark = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
        // Without a mark, every other byte of Latin letters is 0.
        let first = bytes.prefix(4)
        let isWide = first.count == 4 && (first[0] == 0 && first[2] == 0 || first[1] == 0 && first[3] == 0)
        guard hasMark || isWide else { return nil }
        let message = "the text is UTF-16; convert the file, for example with iconv -f utf-16 -t utf-8"
        return TodoImportProblem(line: 1, message: message)
    }

    /// Returns the problem of the first control character, or `nil`.
    static func controlProblem(_ text: String, line: Int) -> TodoImportProblem? {
        guard text.containsControls else { return nil }
        for (offset, character) in text.enumerated() {
            guard let scalar = character.unicodeScalars.first(where: { $0.isControl && $0 != "\t" }) else { continue }
            let name = "U+" + Hexadecimal.string(of: scalar.value, digits: 4, uppercase: true)
            return TodoImportProblem(
                line: line,
                column: offset + 1,
                message: "the line contains the control character \(name); remove it"
            )
        }
        return nil
    }
}
