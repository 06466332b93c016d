#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Renders a graph in the DOT language of Graphviz.
struct DotRenderer {
    var graph: PackageGraph

    var text: String {
        var lines = [
            "digraph \(quoted(graph.name)) {", "  rankdir=LR;",
            "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#eef3fb\", fontname=\"Helvetica\"];",
            "  edge [color=\"#5b6b82\"];",
        ]
        for (index, group) in FolderGroups(graph).groups.enumerated() {
            let indent = group.folder.isEmpty ? "  " : "    "
            if !group.folder.isEmpty {
                lines.append("  subgraph cluster_\(index) {")
                lines.append("    label=\(quoted(group.folder)); color=\"#c8d2e0\"; fontname=\"Helvetica\";")
            }
            for target in group.targets { lines.append("\(indent)\(quoted(target.name))\(style(of: target));") }
            if !group.folder.isEmpty { lines.append("  }") }
        }
        for target in graph.targets {
            for name in graph.dependencies(of: target.name) {
                let platforms = target.dependencies.first { $0.name == name }?.platforms ?? []
                let label =
                    platforms.isEmpty
                    ? "" : " [style=dashed, tooltip=\(quoted(platforms.joined(separator: ", ")))]"
                lines.append("  \(quoted(target.name)) -> \(quoted(name))\(label);")
            }
        }
        lines.append("}")
        return lines.map { $0 + "\n" }.joined()
    }

    /// Returns the graph drawn by Graphviz.
    func draw(as format: String) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.path + "/dependency-graph-\(UUID().uuidString).dot"
        try Data(text.utf8).write(to: URL(filePath: file))
        defer { try? FileManager.default.removeItem(atPath: file) }
        let outcome = try Subprocess.run(
            ["dot", "-T\(format)", file],
            install: "install Graphviz (apt-get install graphviz, brew install graphviz), or choose --format html"
        )
        guard outcome.status == 0 else { throw GraphError.failed(program: "dot", message: outcome.errorText.trimmed) }
        return outcome.output
    }

    private func style(of target: GraphTarget) -> String {
        switch target.kind {
        case .regular: ""
        case .executable: " [fillcolor=\"#fdebd0\"]"
        case .test: " [fillcolor=\"#e3f4e1\"]"
        case .macro, .plugin: " [fillcolor=\"#f3e6fa\"]"
        case .system, .binary: " [fillcolor=\"#eeeeee\"]"
        case .product: " [fillcolor=\"#ffffff\", style=\"rounded,dashed\"]"
        }
    }

    private func quoted(_ text: String) -> String {
        "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
    }
}
