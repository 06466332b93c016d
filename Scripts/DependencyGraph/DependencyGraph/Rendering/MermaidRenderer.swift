/// Renders a graph in the Mermaid language, which code hosts draw.
///
/// Mermaid refuses more than 500 edges and 50,000 characters. A larger graph is reduced. If that is not enough, it is
/// split into one graph for each folder, in a Markdown document.
struct MermaidRenderer {
    var picture: GraphPicture

    /// The number of edges that Mermaid draws by default; a document cannot raise it on a code host.
    static let maximumEdges = 500
    /// The number of characters that Mermaid draws by default.
    static let maximumLength = 50_000

    /// Returns the graph, or a Markdown document with several graphs if one would be too large.
    ///
    /// - Parameter notice: receives what was done to a large graph.
    /// - Returns: the text of the graph or of the document.
    func document(notice: (String) -> Void) -> String {
        let graph = picture.graph
        var text = self.text
        guard !Self.fits(text, edges: graph.edges.count) else { return text }
        var reduced = self
        reduced.picture.graph = graph.reduced()
        text = reduced.text
        let count = reduced.picture.graph.edges.count
        let reason = "mermaid draws at most \(Self.maximumEdges) edges and \(Self.maximumLength) characters"
        if Self.fits(text, edges: count) {
            notice("\(reason): of \(graph.edges.count) edges, the \(count) that no longer path implies are drawn")
            return text
        }
        let parts = reduced.parts
        notice("\(reason): the reduced graph is split by folder into \(parts.count) graphs in a Markdown document")
        return parts.map { "## \($0.title)\n\n```mermaid\n\($0.renderer.text)```\n" }.joined(separator: "\n")
    }

    private static func fits(_ text: String, edges: Int) -> Bool {
        edges <= maximumEdges && text.utf8.count <= maximumLength
    }

    /// The targets of each folder with their direct dependencies; a folder that is too large has several parts.
    private var parts: [(title: String, renderer: MermaidRenderer)] {
        FolderGroups(picture.graph).groups.flatMap { folder, targets in
            let title = folder.isEmpty ? picture.graph.name : folder
            let chunks = chunks(of: targets)
            return chunks.enumerated().map { index, chunk in
                (chunks.count > 1 ? "\(title) (\(index + 1) of \(chunks.count))" : title, chunk)
            }
        }
    }

    /// Returns graphs that fit, of some targets with their direct dependencies: one, or else those of each half of the targets,
    /// or of each half of the dependencies of a single target. Targets without dependencies alone have none.
    private func chunks(of targets: [GraphTarget]) -> [MermaidRenderer] {
        guard targets.contains(where: { !$0.dependencies.isEmpty }) else { return [] }
        let chunk = Dictionary(targets.map { ($0.name, $0.dependencies) }, uniquingKeysWith: { first, _ in first })
        var part = self
        let names = Set(chunk.keys).union(chunk.values.flatMap { $0.map(\.name) })
        part.picture.graph = picture.graph.subgraph(of: names)
        part.picture.graph.update { $0.dependencies = chunk[$0.name] ?? [] }
        if Self.fits(part.text, edges: part.picture.graph.edges.count) { return [part] }
        if targets.count > 1 {
            let half = targets.count / 2
            return chunks(of: Array(targets[..<half])) + chunks(of: Array(targets[half...]))
        }
        let own = picture.graph.dependencies(of: targets[0].name).filter { name in
            targets[0].dependencies.contains { $0.name == name }
        }
        guard own.count > 1 else { return [part] }
        let first = Set(own[..<(own.count / 2)])
        var halves = [targets[0], targets[0]]
        halves[0].dependencies.removeAll { !first.contains($0.name) }
        halves[1].dependencies.removeAll { first.contains($0.name) }
        return halves.flatMap { chunks(of: [$0]) }
    }

    /// The graph in one piece.
    var text: String {
        let graph = picture.graph
        var lines = ["graph LR"]
        for fault in graph.faults { lines.append("  %% \(fault)".replacingLineBreaks) }
        let ids = Self.identifiers(of: graph)
        for (index, group) in FolderGroups(graph).groups.enumerated() {
            let indent = group.folder.isEmpty ? "  " : "    "
            if !group.folder.isEmpty { lines.append("  subgraph g\(index)[\"\(Self.escaped(group.folder))\"]") }
            for target in group.targets {
                let (opening, closing) = Self.shape(of: target.kind)
                lines.append("\(indent)\(ids[target.name] ?? "")\(opening)\"\(label(of: target))\"\(closing)")
            }
            if !group.folder.isEmpty { lines.append("  end") }
        }
        let edges = picture.edges
        for edge in edges {
            let arrow = picture.isConditional(edge) || picture.isPlugin(edge) ? "-.->" : "-->"
            let label = self.label(of: edge).map { "|\"\(Self.escaped($0))\"|" } ?? ""
            lines.append("  \(ids[edge.from] ?? "") \(arrow)\(label) \(ids[edge.to] ?? "")")
        }
        lines += styles(edges, ids)
        return lines.map { $0 + "\n" }.joined()
    }

    private func label(of target: GraphTarget) -> String {
        var text = target.name
        if !target.kind.word.isEmpty { text += " (\(target.kind.word))" }
        if let change = picture.change(of: target) { text = "\(change.sign) \(text)" }
        for fault in target.faults { text += " ! \(fault.message)" }
        return Self.escaped(text)
    }

    private func label(of edge: GraphPicture.Edge) -> String? {
        var texts = [picture.note(of: edge)].compactMap { $0 }
        texts += picture.findings(on: edge).map { "! \($0.kind.rawValue)" }
        if let change = picture.change(of: edge) { texts.insert(change.sign, at: 0) }
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }

    /// The colours of the kinds in the graph, and of findings and changes.
    private func styles(_ edges: [GraphPicture.Edge], _ ids: [String: String]) -> [String] {
        var lines: [String] = []
        for (kind, style) in Self.colors {
            let members = picture.graph.targets.filter { $0.kind == kind }.compactMap { ids[$0.name] }
            guard !members.isEmpty else { continue }
            lines.append("  classDef \(kind.rawValue) \(style)")
            lines.append("  class \(members.joined(separator: ",")) \(kind.rawValue)")
        }
        for target in picture.graph.targets {
            guard let change = picture.change(of: target), let id = ids[target.name] else { continue }
            lines.append("  style \(id) stroke:\(change.color),stroke-width:3px")
        }
        for (index, edge) in edges.enumerated() {
            if let change = picture.change(of: edge) {
                lines.append("  linkStyle \(index) stroke:\(change.color),stroke-width:3px")
            } else if !picture.findings(on: edge).isEmpty {
                lines.append("  linkStyle \(index) stroke:#c01f2e,stroke-width:3px")
            }
        }
        return lines
    }

    private static let colors: [(GraphTarget.Kind, String)] = [
        (.executable, "fill:#fdebd2,stroke:#cf9540,color:#1c2530"),
        (.test, "fill:#e2f4e2,stroke:#6fae6f,color:#1c2530"),
        (.macro, "fill:#f1e4fa,stroke:#a879c9,color:#1c2530"),
        (.plugin, "fill:#fbe3ee,stroke:#cc7a9f,color:#1c2530"),
        (.system, "fill:#e9ebee,stroke:#8b94a1,color:#1c2530"),
        (.binary, "fill:#e9ebee,stroke:#8b94a1,color:#1c2530"),
        (.product, "stroke-dasharray:5 3"),
    ]

    private static func shape(of kind: GraphTarget.Kind) -> (String, String) {
        switch kind {
        case .regular: ("[", "]")
        case .executable: ("([", "])")
        case .test: ("{{", "}}")
        case .macro: ("[[", "]]")
        case .plugin: ("[/", "/]")
        case .system, .binary: ("[(", ")]")
        case .product: ("(", ")")
        }
    }

    /// Returns an identifier for each node that depends on its name alone, so that a new target changes no other line.
    private static func identifiers(of graph: PackageGraph) -> [String: String] {
        var used: Set<String> = []
        var ids: [String: String] = [:]
        for target in graph.targets {
            // The prefix avoids the words of the language, such as "end".
            var id = "t_" + target.name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
            while !used.insert(id).inserted { id += "_" }
            ids[target.name] = id
        }
        return ids
    }

    /// Mermaid reads a label as Markdown, in which a sign, or a number with a point, at the beginning would make a list of it.
    private static func escaped(_ text: String) -> String {
        let scalars = text.replacingLineBreaks.unicodeScalars
        let number = scalars.prefix { "0"..."9" ~= $0 }.count
        return scalars.enumerated().map { index, scalar in
            switch scalar {
            case "\"": "#quot;"
            case "<": "#lt;"
            case ">": "#gt;"
            case "#", "_", "*", "`": "#\(scalar.value);"
            case "+" where index == 0, "-" where index == 0: "#\(scalar.value);"
            case "." where index == number && index > 0, ")" where index == number && index > 0: "#\(scalar.value);"
            default: String(scalar)
            }
        }
        .joined()
    }
}

extension String {
    fileprivate var replacingLineBreaks: String { String(map { $0.isNewline ? " " : $0 }) }
}
