/// The graph in a Markdown file, between two markers, which the tool writes and compares.
struct MarkdownGraph {
    /// The line before the graph.
    static let begin = "<!-- dependency-graph: begin -->"
    /// The line after the graph.
    static let end = "<!-- dependency-graph: end -->"

    /// The text of the file up to the first marker, with it.
    let before: Substring
    /// The text of the file from the second marker.
    let after: Substring

    /// Finds the markers.
    ///
    /// - Throws: ``GraphError/file(path:message:)`` if the text does not have both markers once, in this order.
    init(_ text: String, path: String) throws {
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        let begins = lines.filter { $0 == Self.begin }
        let ends = lines.filter { $0 == Self.end }
        guard begins.count == 1, ends.count == 1, begins[0].startIndex < ends[0].startIndex else {
            throw GraphError.file(
                path: path,
                message: "it needs the lines \"\(Self.begin)\" and \"\(Self.end)\" once, around the graph"
            )
        }
        before = text[..<begins[0].endIndex]
        after = text[ends[0].startIndex...]
    }

    /// Returns a Mermaid graph, or a Markdown document of several, as a part of a Markdown file.
    static func block(_ graph: String) -> String { graph.hasPrefix("## ") ? graph : "```mermaid\n\(graph)```\n" }

    /// Returns the text with another Mermaid graph, or Markdown document of several, between the markers; its lines end as that
    /// of the first marker does.
    func replacing(with graph: String) -> String {
        let newline = before.base[before.endIndex]
        return "\(before)\(newline)\(Self.block(graph).replacing("\n", with: "\(newline)"))\(after)"
    }
}
