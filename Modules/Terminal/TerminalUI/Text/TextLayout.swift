/// Truncates and wraps text by its display width.
public enum TextLayout {
    /// Where a text is truncated.
    public enum Truncation: Sendable {
        /// "A long ti…"
        case tail
        /// "…ng title"
        case head
        /// "A lo…itle"
        case middle
        /// At the end, without an ellipsis.
        case clip
    }

    /// Returns the text truncated to at most `width` cells, with an ellipsis in place of the omitted part.
    public static func truncate(_ text: String, to width: Int, _ mode: Truncation = .tail) -> String {
        guard width > 0 else { return "" }
        if text.utf8.count <= width && text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
        if fits(text, in: width) { return text }
        switch mode {
        case .clip: return prefix(text, width)
        case .tail:
            var head = prefix(text, width - 1)
            while head.last == " " { head.removeLast() }
            return head + "…"
        case .head: return "…" + suffix(text, width - 1)
        case .middle:
            let head = width / 2
            return prefix(text, head) + "…" + suffix(text, width - 1 - head)
        }
    }

    /// Returns the lines of a text, broken at line breaks, then at spaces, then inside words longer than a line.
    ///
    /// Tabs become spaces, and spaces at a break are dropped. Hangul and other wide letters break at spaces as Latin
    /// does. The result has at least one line and at most `limit` lines; the last one ends with an ellipsis if text was
    /// omitted.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - width: the number of cells of a line.
    ///   - limit: the maximum number of lines.
    ///   - hangs: whether the rest of a line that is broken begins below its second column, which two spaces separate from
    ///     the first one, if there is room.
    /// - Returns: the lines.
    public static func wrap(_ text: String, width: Int, limit: Int = .max, hangs: Bool = false) -> [String] {
        guard width > 0, limit > 0 else { return [] }
        var lines: [String] = []
        for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let indent = hangs ? secondColumn(of: paragraph) : 0
            wrap(
                paragraph: paragraph,
                width: width,
                indent: indent <= width / 2 ? indent : 0,
                limit: limit,
                into: &lines
            )
            if lines.count > limit { break }
        }
        guard lines.count > limit else { return lines }
        let last = lines[limit - 1]
        return lines.prefix(limit - 1) + [prefix(last, width - 1) + "…"]
    }

    /// Returns the longest prefix of the text that is at most `width` cells wide.
    public static func prefix(_ text: some StringProtocol, _ width: Int) -> String {
        var used = 0
        var result = ""
        for character in text {
            let cells = DisplayWidth.of(character)
            if used + cells > width { break }
            used += cells
            result.append(character)
        }
        return result
    }

    /// Returns the longest suffix of the text that is at most `width` cells wide.
    public static func suffix(_ text: some StringProtocol, _ width: Int) -> String {
        var used = 0
        var start = text.endIndex
        while start > text.startIndex {
            let before = text.index(before: start)
            let cells = DisplayWidth.of(text[before])
            if used + cells > width { break }
            used += cells
            start = before
        }
        return String(text[start...])
    }

    /// Returns whether the text is at most `width` cells wide, without measuring the rest.
    static func fits(_ text: some StringProtocol, in width: Int) -> Bool {
        var used = 0
        for character in text {
            used += DisplayWidth.of(character)
            if used > width { return false }
        }
        return true
    }

    /// The cells before the text behind the first two spaces; 0 for a line of one column.
    private static func secondColumn(of line: Substring) -> Int {
        guard let gap = line.firstRange(of: "  ") else { return 0 }
        let rest = line[gap.lowerBound...].drop { $0 == " " }
        return rest.isEmpty ? 0 : DisplayWidth.of(String(line[..<rest.startIndex]))
    }

    private static func wrap(
        paragraph: Substring,
        width: Int,
        indent hanging: Int,
        limit: Int,
        into lines: inout [String]
    ) {
        let start = String(repeating: " ", count: hanging)
        var line = ""
        var used = 0
        var gap = 0
        var empty = true
        for piece in words(of: paragraph) {
            if piece.isSpace {
                gap += piece.width
                continue
            }
            if !empty && used + gap + piece.width > width {
                lines.append(line)
                line = start
                used = hanging
                gap = 0
                if lines.count > limit { return }
            }
            let indent = min(gap, width - 1)
            line += String(repeating: " ", count: indent)
            used += indent
            gap = 0
            empty = false
            for character in piece.text {
                let cells = DisplayWidth.of(character)
                if used + cells > width && used > hanging {
                    lines.append(line)
                    line = start
                    used = hanging
                    if lines.count > limit { return }
                }
                line.append(character)
                used += cells
            }
        }
        lines.append(line)
    }

    private struct Piece {
        let text: Substring
        let isSpace: Bool
        let width: Int
    }

    private static func words(of text: Substring) -> some Sequence<Piece> {
        sequence(state: text) { rest -> Piece? in
            guard let first = rest.first else { return nil }
            let isSpace = first == " " || first == "\t"
            let end = rest.firstIndex { ($0 == " " || $0 == "\t") != isSpace } ?? rest.endIndex
            let piece = rest[..<end]
            rest = rest[end...]
            return Piece(text: piece, isSpace: isSpace, width: isSpace ? piece.count : DisplayWidth.of(piece))
        }
    }
}
