/// The formats of a graph.
public enum GraphFormat: String, CaseIterable, Sendable {
    case tree, dot, mermaid, json, svg, png, html

    /// Returns the graph in this format.
    ///
    /// - Throws: ``GraphError/missingProgram(name:install:)`` for svg and png if Graphviz is not installed.
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

/// Renders a graph as an indented tree from the nodes without dependents, with each subtree once.
struct TreeRenderer {
    var graph: PackageGraph

    var text: String {
        var lines: [String] = []
        var shown: Set<String> = []
        let dependents = graph.dependentsByName
        for target in graph.targets where dependents[target.name]?.isEmpty ?? true {
            describe(target.name, first: "", rest: "", shown: &shown, into: &lines)
        }
        // The rest depends on a cycle without dependents.
        for target in graph.targets where !shown.contains(target.name) {
            describe(target.name, first: "", rest: "", shown: &shown, into: &lines)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func describe(
        _ name: String,
        first: String,
        rest: String,
        shown: inout Set<String>,
        into lines: inout [String]
    ) {
        let isNew = shown.insert(name).inserted
        let dependencies = graph.dependencies(of: name)
        let kind = graph[name]?.kind ?? .regular
        let note = kind == .regular ? "" : " (\(kind.rawValue))"
        lines.append(first + name + note + (isNew || dependencies.isEmpty ? "" : " …"))
        guard isNew else { return }
        for (index, dependency) in dependencies.enumerated() {
            let isLast = index == dependencies.count - 1
            describe(
                dependency,
                first: rest + (isLast ? "└─ " : "├─ "),
                rest: rest + (isLast ? "   " : "│  "),
                shown: &shown,
                into: &lines
            )
        }
    }
}
