/// Renders a graph in the DOT language of Graphviz, in the order of the manifest, so that a small change of the package
/// is a small change of the text.
struct DotRenderer {
    var picture: GraphPicture
    /// Whether the text is only for Graphviz, with the settings of svg and png pictures.
    var isDrawing = false

    var text: String {
        let graph = picture.graph
        var lines = ["digraph \(Self.quoted(graph.name)) {", "  rankdir=LR;"]
        if isDrawing {
            lines.append("  bgcolor=white; nodesep=0.12; ranksep=0.7; pad=0.3; newrank=true; remincross=true;")
            if graph.targets.count > 300 { lines.append("  nslimit=1; nslimit1=1; mclimit=0.3; splines=polyline;") }
        }
        lines += [
            "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#eef3fb\", color=\"#7d9bcb\"];",
            "  node [fontname=\"Helvetica\"];",
            "  edge [color=\"#5b6b82\", arrowsize=0.7, fontname=\"Helvetica\", fontsize=10];",
        ]
        for fault in graph.faults {
            lines.append("  label=\(Self.quoted("! \(fault)")); fontname=\"Helvetica\"; fontcolor=\"#c01f2e\";")
        }
        for (index, group) in FolderGroups(graph).groups.enumerated() {
            let indent = group.folder.isEmpty ? "  " : "    "
            if !group.folder.isEmpty {
                lines.append("  subgraph cluster_\(index) {")
                lines.append("    label=\(Self.quoted(group.folder)); color=\"#c8d2e0\"; fontname=\"Helvetica\";")
            }
            for target in group.targets {
                lines.append("\(indent)\(Self.quoted(target.name))\(attributes(of: target));")
            }
            if !group.folder.isEmpty { lines.append("  }") }
        }
        for edge in picture.edges {
            lines.append("  \(Self.quoted(edge.from)) -> \(Self.quoted(edge.to))\(attributes(of: edge));")
        }
        lines.append("}")
        return lines.map { $0 + "\n" }.joined()
    }

    private func attributes(of target: GraphTarget) -> String {
        var attributes: [String] = []
        var label = target.name
        if !target.kind.word.isEmpty { label += "\\n(\(target.kind.word))" }
        if let change = picture.change(of: target) { label = "\(change.sign) \(label)" }
        if let size = picture.size, let amount = picture.amount(of: target) {
            label += "\\n\(amount) \(size.rawValue)"
            let share = (Double(amount) / Double(picture.largestAmount)).squareRoot()
            attributes.append("height=\((5 + 25 * min(2, share)).rounded() / 10)")
        }
        for fault in target.faults { label += "\\n! \(fault)" }
        if label != target.name { attributes.append("label=\(Self.quoted(label, keepingBreaks: true))") }
        attributes += Self.style(of: target.kind)
        if !target.faults.isEmpty { attributes += ["color=\"#c01f2e\"", "penwidth=2"] }
        if let change = picture.change(of: target) { attributes += ["color=\"\(change.color)\"", "penwidth=2.5"] }
        return attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
    }

    private static func style(of kind: GraphTarget.Kind) -> [String] {
        switch kind {
        case .regular: []
        case .executable: ["shape=box", "peripheries=2", "fillcolor=\"#fdebd2\"", "color=\"#cf9540\""]
        case .test: ["shape=hexagon", "style=filled", "fillcolor=\"#e2f4e2\"", "color=\"#6fae6f\""]
        case .macro: ["shape=octagon", "style=filled", "fillcolor=\"#f1e4fa\"", "color=\"#a879c9\""]
        case .plugin: ["shape=component", "style=filled", "fillcolor=\"#fbe3ee\"", "color=\"#cc7a9f\""]
        case .system: ["shape=cylinder", "style=filled", "fillcolor=\"#e9ebee\"", "color=\"#8b94a1\""]
        case .binary: ["shape=box3d", "style=filled", "fillcolor=\"#e9ebee\"", "color=\"#8b94a1\""]
        case .product: ["style=\"rounded,dashed\"", "color=\"#8b94a1\""]
        }
    }

    private func attributes(of edge: GraphPicture.Edge) -> String {
        var attributes: [String] = []
        var texts = [picture.note(of: edge)].compactMap { $0 }
        texts += picture.findings(on: edge).map { "! \($0.kind.rawValue)" }
        if let change = picture.change(of: edge) { texts.insert(change.sign, at: 0) }
        if !texts.isEmpty { attributes.append("label=\(Self.quoted(texts.joined(separator: " ")))") }
        if picture.isConditional(edge) { attributes.append("style=dashed") }
        if picture.isPlugin(edge) { attributes.append("style=dotted") }
        if !picture.findings(on: edge).isEmpty { attributes += ["color=\"#c01f2e\"", "penwidth=2"] }
        if let change = picture.change(of: edge) { attributes += ["color=\"\(change.color)\"", "penwidth=2"] }
        return attributes.isEmpty ? "" : " [\(attributes.joined(separator: ", "))]"
    }

    /// Returns a text as a string of the DOT language; `\n` stays a line break if `keepingBreaks`.
    static func quoted(_ text: String, keepingBreaks: Bool = false) -> String {
        let parts = keepingBreaks ? text.split(separator: "\\n", omittingEmptySubsequences: false) : [text[...]]
        let escaped = parts.map { part in
            part.unicodeScalars.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
        }
        return "\"" + escaped.joined(separator: "\\n") + "\""
    }
}
