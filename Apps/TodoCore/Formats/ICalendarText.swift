/// The lines of iCalendar (RFC 5545, section 3.1): folding, names, parameters and values.
enum ICalendarText {
    /// A content line: `DUE;TZID=Europe/Berlin:20260309T150000`.
    struct Line: Hashable {
        /// The name in upper case.
        var name: String
        /// The parameters by their names in upper case.
        var parameters: [String: String]
        /// The value as it is written.
        var value: String
        /// The whole line, unfolded.
        var text: String
        /// The number of its first line in the file.
        var number: Int
    }

    /// Returns the unfolded lines of a file.
    static func lines(_ bytes: [UInt8], _ problems: inout [TodoImportProblem]) -> [Line] {
        // Octets are unfolded before they are decoded: a fold may divide a character.
        var unfolded: [UInt8] = []
        unfolded.reserveCapacity(bytes.count)
        var numbers: [Int] = [1]
        var number = 1
        var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while index < bytes.count {
            let byte = bytes[index]
            guard byte == 0x0A || byte == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A else {
                unfolded.append(byte)
                index += 1
                continue
            }
            index += byte == 0x0D ? 2 : 1
            number += 1
            if index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 {
                index += 1
            } else {
                unfolded.append(0x0A)
                numbers.append(number)
            }
        }
        var lines: [Line] = []
        var found: [TodoImportProblem] = []
        TodoTextReader.forEachLine(unfolded, &found) { line, problems in
            guard !line.text.isEmpty else { return }
            let original = numbers[min(line.number, numbers.count) - 1]
            if let parsed = parse(line.text, number: original) {
                lines.append(parsed)
            } else {
                problems.append(
                    TodoImportProblem(line: line.number, message: "the line has no colon; write NAME:VALUE")
                )
            }
        }
        problems += found.map { problem in
            TodoImportProblem(
                line: numbers[min(problem.line, numbers.count) - 1],
                column: problem.column,
                message: problem.message
            )
        }
        return lines
    }

    /// Parses an unfolded line.
    static func parse(_ text: String, number: Int) -> Line? {
        var parts: [Substring] = []
        var start = text.startIndex
        var isQuoted = false
        var end: String.Index?
        for index in text.indices {
            switch text[index] {
            case "\"": isQuoted.toggle()
            case ";" where !isQuoted, ":" where !isQuoted:
                parts.append(text[start..<index])
                start = text.index(after: index)
                if text[index] == ":" { end = start }
            default: break
            }
            if end != nil { break }
        }
        guard let end, let name = parts.first, !name.isEmpty else { return nil }
        var parameters: [String: String] = [:]
        for part in parts.dropFirst() {
            guard let equals = part.firstIndex(of: "=") else { continue }
            let value = part[part.index(after: equals)...].filter { $0 != "\"" }
            parameters[part[..<equals].uppercased()] = String(value)
        }
        return Line(
            name: name.uppercased(),
            parameters: parameters,
            value: String(text[end...]),
            text: text,
            number: number
        )
    }

    /// Returns a text without its escapes.
    static func unescaped(_ value: some StringProtocol) -> String {
        var text = ""
        var isEscaped = false
        for character in value {
            if isEscaped {
                text.append(character == "n" || character == "N" ? "\n" : character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else {
                text.append(character)
            }
        }
        return text
    }

    /// Returns a text with the escapes of a value.
    static func escaped(_ text: String) -> String {
        var value = ""
        for character in text {
            switch character {
            case "\\", ";", ",": value += "\\\(character)"
            case "\n", "\r\n": value += "\\n"
            default: value.append(character)
            }
        }
        return value
    }

    /// Splits a list at the commas that are not escaped.
    static func list(_ value: String) -> [String] {
        var items: [String] = [""]
        var isEscaped = false
        for character in value {
            if character == ",", !isEscaped {
                items.append("")
            } else {
                items[items.count - 1].append(character)
            }
            isEscaped = character == "\\" && !isEscaped
        }
        return items.map { unescaped($0) }.filter { !$0.isEmpty }
    }

    /// Returns a line with its folds and its line break: at most 75 octets a line, no character divided.
    static func folded(_ line: String) -> String {
        var text = ""
        var width = 0
        for scalar in line.unicodeScalars {
            let size = UTF8.width(scalar)
            if width + size > 75 {
                text += "\r\n "
                width = 1
            }
            text.unicodeScalars.append(scalar)
            width += size
        }
        return text + "\r\n"
    }
}
