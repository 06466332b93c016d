/// A way to write a graph.
public enum GraphFormat: String, CaseIterable, Sendable {
    case tree, dot, mermaid, json, svg, png, html

    /// The graph in this format.
    ///
    /// - Throws: ``GraphError/missingProgram(name:install:)`` for svg and png where Graphviz is not installed.
    public func render(_ graph: PackageGraph) throws -> [UInt8] {
        switch self {
        case .tree: Array(TreeRenderer(graph: graph).text.utf8)
        case .dot: Array(DotRenderer(graph: graph).text.utf8)
        case .mermaid: Array(MermaidRenderer(graph: graph).text.utf8)
        case .json: Array(try JSONRenderer(graph: graph).text().utf8)
        case .svg, .png: try DotRenderer(graph: graph).draw(as: rawValue)
        case .html: Array(try HTMLRenderer(graph: graph).text().utf8)
        }
    }
}
