/// The graph in a Markdown file, between two markers, which the tool writes and compares.
struct MarkdownGraph {
    /// The line before the graph.
    static let begin = "<!-- dependency-graph: begin -->"
    /// The line after the graph.
    static let end = "<!-- dependency-graph: end -->"

    /// The text of the file.
    let text: String

    /// Finds the markers.
    ///
    /// - Throws: ``GraphError/file(path:message:)`` if the text does not have both markers once, in this order.
    init(_ text: String, path: String) throws {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let begins = lines.indices.filter { lines[$0] == Self.begin }
        let ends = lines.indices.filter { lines[$0] == Self.end }
        guard begins.count == 1, ends.count == 1, begins[0] < ends[0] else {
            throw GraphError.file(
                path: path,
                message: "it needs the lines \"\(Self.begin)\" and \"\(Self.end)\" once, around the graph"
            )
        }
        self.text = text
    }

    /// Returns a Mermaid graph, or a Markdown document of several, as a part of a Markdown file.
    static func block(_ graph: String) -> String { graph.hasPrefix("## ") ? graph : "```mermaid\n\(graph)```\n" }

    /// Returns the text with another Mermaid graph, or Markdown document of several, between the markers.
    func replacing(with graph: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let before = lines.prefix { $0 != Self.begin }
        let after = lines.drop { $0 != Self.end }
        return (before + [Self.begin[...]]).joined(separator: "\n") + "\n" + Self.block(graph)
            + after.joined(separator: "\n")
    }
}
