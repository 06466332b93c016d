/// The line that begins fenced code in Markdown: at least three backticks or tildes.
struct MarkdownFence {
    private let mark: Character
    private let count: Int

    /// Creates the fence that a line without its indentation opens; `nil` for any other line.
    init?(opening line: Substring) {
        guard let mark = line.first, mark == "`" || mark == "~" else { return nil }
        let rest = line.drop { $0 == mark }
        count = line.distance(from: line.startIndex, to: rest.startIndex)
        self.mark = mark
        // Code within a line is between backticks, too.
        guard count >= 3, mark == "~" || !rest.contains("`") else { return nil }
    }

    /// Returns whether a line without its indentation ends the code.
    func isClosed(by line: Substring) -> Bool {
        let marks = line.prefix { $0 == mark }
        return marks.count >= count && line.dropFirst(marks.count).allSatisfy(\.isWhitespace)
    }
}
