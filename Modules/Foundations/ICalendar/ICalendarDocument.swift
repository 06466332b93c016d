import TextEscaping

/// The text of an iCalendar file or of an object on a server, as a tree.
package struct ICalendarDocument: Sendable {
    /// A part of a file that is not iCalendar.
    package struct Problem: Error, Hashable, Sendable {
        /// The line, counted from 1.
        package let line: Int
        /// The character of the unfolded line, counted from 1.
        package var column = 1
        /// What is wrong, and what would be right.
        package let message: String
    }

    /// The component that contains those of the file. It has no name.
    package var root: ICalendarComponent
    /// The malformed lines. Everything after a BEGIN and an END that do not match is preserved, but not parsed.
    package private(set) var problems: [Problem] = []

    /// Whether the text begins with a byte order mark.
    private let hasByteOrderMark: Bool

    /// The text.
    package var bytes: [UInt8] { (hasByteOrderMark ? [0xEF, 0xBB, 0xBF] : []) + root.bytes }

    /// The text as a string without a byte order mark; invalid UTF-8 in lines of the source is replaced by U+FFFD.
    package var text: String { root.text }

    /// The maximum length of an unfolded line of a file in bytes.
    package static let lineLimit = 1 << 20
    /// The maximum depth of components in components.
    package static let depthLimit = 32

    /// Parses a text. Lines end with CRLF or LF; a fold is a line end and a space or a tab, also within a character.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - lineLimit: the maximum length of an unfolded line in bytes; a longer one is malformed.
    package init(_ text: String, lineLimit: Int = Self.lineLimit) { self.init(Array(text.utf8), lineLimit: lineLimit) }

    /// Parses the bytes of a text.
    package init(_ bytes: [UInt8], lineLimit: Int = Self.lineLimit) {
        root = ICalendarComponent()
        var stack = [root]
        var lines = Lines(bytes)
        var isWhole = true
        hasByteOrderMark = lines.hasByteOrderMark
        while isWhole, let line = lines.next() {
            guard !line.unfolded.isEmpty else {
                stack[stack.count - 1].items.append(.other(line.source))
                continue
            }
            let property: ICalendarProperty
            switch Self.property(line, lineLimit) {
            case .success(let parsed): property = parsed
            case .failure(let problem):
                problems.append(problem)
                stack[stack.count - 1].items.append(.other(line.source))
                continue
            }
            switch property.name {
            case "BEGIN":
                if stack.count > Self.depthLimit {
                    let message = "more than \(Self.depthLimit) components are nested; the file is malformed"
                    problems.append(Problem(line: line.number, message: message))
                    isWhole = false
                } else {
                    stack.append(ICalendarComponent(property.value.uppercased(), begin: line.source, line: line.number))
                }
            case "END":
                guard stack.count > 1, stack[stack.count - 1].name == property.value.uppercased() else {
                    let name = property.value.escapingControls(limit: 40)
                    let message = "END:\(name) has no BEGIN; the file is malformed"
                    problems.append(Problem(line: line.number, message: message))
                    isWhole = false
                    break
                }
                var component = stack.removeLast()
                component.end = line.source
                stack[stack.count - 1].items.append(.component(component))
            default:
                stack[stack.count - 1].items.append(.property(property))
            }
            if !isWhole { stack[stack.count - 1].items.append(.other(line.source)) }
        }
        if !lines.rest.isEmpty { stack[stack.count - 1].items.append(.other(lines.rest)) }
        if isWhole, stack.count > 1 {
            let name = stack[1].name.escapingControls(limit: 40)
            let message = "BEGIN:\(name) has no END; the file is cut short"
            problems.append(Problem(line: stack[1].line, message: message))
        }
        // A component without an END is written as it was read: its END is empty.
        while stack.count > 1 {
            var component = stack.removeLast()
            component.end = []
            stack[stack.count - 1].items.append(.component(component))
        }
        root = stack[0]
    }

    private static func property(_ line: Lines.Line, _ lineLimit: Int) -> Result<ICalendarProperty, Problem> {
        guard line.unfolded.count <= lineLimit else {
            let message = "the line has more than \(lineLimit) bytes; divide it, or remove the attachment"
            return .failure(Problem(line: line.number, message: message))
        }
        guard String(validating: line.unfolded, as: UTF8.self) != nil else {
            // The decoder replaces the first invalid byte by U+FFFD; what is before is valid.
            let valid = String(decoding: line.unfolded, as: UTF8.self).prefix { $0 != "\u{FFFD}" }
            let message = "the text is not UTF-8; convert the file, for example with iconv -t utf-8"
            return .failure(Problem(line: line.number, column: valid.count + 1, message: message))
        }
        guard let property = ICalendarProperty(line.unfolded, line: line.number, source: line.source) else {
            return .failure(Problem(line: line.number, message: "the line has no colon; write NAME:VALUE"))
        }
        return .success(property)
    }

    /// The lines of a text, unfolded in octets: a fold may divide a character.
    private struct Lines {
        struct Line {
            /// The number of its first line, counted from 1.
            let number: Int
            /// The bytes with folds and line end.
            let source: ArraySlice<UInt8>
            /// The bytes without folds and line end.
            let unfolded: ArraySlice<UInt8>
        }

        private let bytes: [UInt8]
        private var position: Int
        private var number = 0

        let hasByteOrderMark: Bool

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            hasByteOrderMark = bytes.starts(with: [0xEF, 0xBB, 0xBF])
            position = hasByteOrderMark ? 3 : 0
        }

        /// The bytes after the last line that was returned.
        var rest: ArraySlice<UInt8> { bytes[position...] }

        mutating func next() -> Line? {
            guard position < bytes.count else { return nil }
            let (start, first) = (position, number + 1)
            var unfolded: [UInt8] = []
            var isFolded = false
            while true {
                number += 1
                let lineBreak = bytes[position...].firstIndex(of: 0x0A)
                let end = lineBreak ?? bytes.count
                let hasReturn = lineBreak != nil && end > position && bytes[end - 1] == 0x0D
                let content = bytes[position..<(hasReturn ? end - 1 : end)]
                position = min(end + 1, bytes.count)
                let continues = position < bytes.count && (bytes[position] == 0x20 || bytes[position] == 0x09)
                if !isFolded, !continues {
                    return Line(number: first, source: bytes[start..<position], unfolded: content)
                }
                unfolded += content
                guard continues else {
                    return Line(number: first, source: bytes[start..<position], unfolded: unfolded[...])
                }
                isFolded = true
                position += 1
            }
        }
    }
}
