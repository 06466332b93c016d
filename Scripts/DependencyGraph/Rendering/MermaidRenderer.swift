/// A graph in Mermaid's language, which code hosts draw in a page.
struct MermaidRenderer {
    var graph: PackageGraph

    var text: String {
        let edges = graph.edges
        var lines: [String] = []
        // Mermaid draws nothing from 501 edges on, unless it is told to.
        if edges.count > 500 { lines.append("%%{init: {\"maxEdges\": \(edges.count)}}%%") }
        lines.append("graph LR")
        var ids: [String: String] = [:]
        for (index, target) in graph.targets.enumerated() { ids[target.name] = "t\(index)" }
        for (index, group) in FolderGroups(graph).groups.enumerated() {
            if !group.folder.isEmpty { lines.append("  subgraph g\(index)[\"\(escaped(group.folder))\"]") }
            for target in group.targets {
                let shape = target.kind == .executable ? ("([", "])") : target.kind == .test ? ("[/", "/]") : ("[", "]")
                lines.append("    \(ids[target.name] ?? "")\(shape.0)\"\(escaped(target.name))\"\(shape.1)")
            }
            if !group.folder.isEmpty { lines.append("  end") }
        }
        for edge in edges { lines.append("  \(ids[edge.from] ?? "") --> \(ids[edge.to] ?? "")") }
        return lines.map { $0 + "\n" }.joined()
    }

    private func escaped(_ text: String) -> String {
        text.flatMap { $0 == "\"" ? Array("#quot;") : [$0] }.reduce(into: "") { $0.append($1) }
    }
}
