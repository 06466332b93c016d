/// The graph as the script of the page reads it: nodes and edges refer to each other by index.
struct PageData: Encodable {
    struct Node: Encodable {
        var name: String
        var kind: String
        var folder: String
        /// The folder box that contains the node.
        var group: String
        var package: String?
        var isTest: Bool
        var faults: [String]
        var findings: [Finding]
        var change: String?
        var metrics: GraphMetrics.Entry
        /// The amount of the sources, if the size of the node shows it.
        var amount: Int?
    }

    struct Edge: Encodable {
        var from: Int
        var to: Int
        /// The conditions and module aliases.
        var note: String?
        var label: String?
        var isConditional: Bool
        var isPlugin: Bool
        /// Whether the manifest has the edge; it lacks those of imports that are not declared.
        var isDeclared: Bool
        /// The kind of the finding on the edge.
        var finding: String?
        var messages: [String]
        var change: String?
    }

    struct Initial: Encodable {
        var tests: Bool
        var externals: Bool
        var reduce: Bool
        var collapsed: [String]
    }

    var targets: [Node]
    var edges: [Edge]
    var initial: Initial
    /// What the sizes of nodes show: lines or bytes.
    var size: String?
    var largestAmount: Int

    init(_ picture: GraphPicture) {
        let graph = picture.graph
        let metrics = GraphMetrics(graph).entries
        let folding = PageFolding(picture)
        targets = zip(graph.targets, metrics).map { target, metrics in
            Node(
                name: target.name,
                kind: target.kind.rawValue,
                folder: target.folder,
                group: folding.groups[target.name] ?? "",
                package: target.package,
                isTest: target.kind == .test,
                faults: target.faults.map(\.description),
                findings: picture.findings.filter { $0.target == target.name },
                change: picture.change(of: target)?.rawValue,
                metrics: metrics,
                amount: picture.amount(of: target)
            )
        }
        edges = picture.edges.compactMap { edge in
            guard let from = graph.index[edge.from], let to = graph.index[edge.to] else { return nil }
            let findings = picture.findings(on: edge)
            return Edge(
                from: from,
                to: to,
                note: picture.condition(of: edge),
                label: picture.text(of: edge),
                isConditional: picture.isConditional(edge),
                isPlugin: picture.isPlugin(edge),
                isDeclared: true,
                finding: findings.first?.kind.rawValue,
                messages: findings.map(\.message),
                change: picture.change(of: edge)?.rawValue
            )
        }
        // An import that is not declared is an edge that the manifest lacks.
        let declared = Set(picture.edges)
        var seen: Set<GraphPicture.Edge> = []
        for finding in picture.findings {
            let edge = GraphPicture.Edge(from: finding.target, to: finding.dependency)
            guard !declared.contains(edge), let from = graph.index[edge.from], let to = graph.index[edge.to],
                from != to, seen.insert(edge).inserted
            else { continue }
            edges.append(
                Edge(
                    from: from,
                    to: to,
                    isConditional: false,
                    isPlugin: false,
                    isDeclared: false,
                    finding: finding.kind.rawValue,
                    messages: [finding.message]
                )
            )
        }
        (size, largestAmount) = (picture.size?.rawValue, picture.largestAmount)
        initial = Initial(
            tests: !picture.hidesTests,
            externals: !picture.hidesExternals,
            reduce: picture.isReduced,
            collapsed: picture.collapsed.isEmpty ? folding.collapsed : picture.collapsed
        )
    }
}
