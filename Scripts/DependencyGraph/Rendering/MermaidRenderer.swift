/// Renders a graph in the Mermaid language, which code hosts draw.
struct MermaidRenderer {
    var graph: PackageGraph

    var text: String {
        let edges = graph.edges
        var lines: [String] = []
        // Mermaid draws at most 500 edges by default.
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

/// The nodes of a graph grouped by their parent folder.
struct FolderGroups {
    /// The folder and its nodes in order; the folder is empty for nodes without one.
    var groups: [(folder: String, targets: [GraphTarget])]

    init(_ graph: PackageGraph) {
        var order: [String] = []
        var members: [String: [GraphTarget]] = [:]
        for target in graph.targets {
            let folder = target.folder.split(separator: "/").dropLast().joined(separator: "/")
            if members[folder] == nil { order.append(folder) }
            members[folder, default: []].append(target)
        }
        groups = order.map { ($0, members[$0] ?? []) }
    }
}
