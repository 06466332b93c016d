/// The differences between the graphs of a package at two revisions.
struct GraphComparison {
    /// What happened to a target or an edge.
    enum Change: String {
        case added, removed
        /// A target of another kind, folder or package, or an edge with other conditions.
        case changed

        /// The sign before a text.
        var sign: String {
            switch self {
            case .added: "+"
            case .removed: "-"
            case .changed: "~"
            }
        }

        var color: String {
            switch self {
            case .added: "#17803d"
            case .removed: "#b42318"
            case .changed: "#1f66d6"
            }
        }
    }

    /// The first revision.
    let from: String
    /// The second revision.
    let to: String
    /// The targets and edges of both revisions: those of the second one, then the removed ones.
    let graph: PackageGraph
    /// The targets that differ.
    private(set) var targets: [String: Change] = [:]
    /// The edges that differ.
    private(set) var edges: [GraphPicture.Edge: Change] = [:]

    private let details: [String]

    /// Compares two graphs.
    init(from old: (revision: String, graph: PackageGraph), to new: (revision: String, graph: PackageGraph)) {
        from = old.revision
        to = new.revision
        var union = new.graph
        var details: [String] = []
        for target in new.graph.targets {
            guard let before = old.graph[target.name] else {
                targets[target.name] = .added
                details.append("+ \(Self.title(target))")
                continue
            }
            if before.kind != target.kind {
                targets[target.name] = .changed
                details.append("~ \(target.name): \(before.kind.rawValue) -> \(target.kind.rawValue)")
            } else if before.folder != target.folder {
                targets[target.name] = .changed
                details.append("~ \(target.name): \(before.folder) -> \(target.folder)")
            } else if before.package != target.package {
                targets[target.name] = .changed
                let packages = [before, target].map { $0.package.map { "package \($0)" } ?? "unknown package" }
                details.append("~ \(target.name): \(packages[0]) -> \(packages[1])")
            }
        }
        for target in old.graph.targets where new.graph[target.name] == nil {
            targets[target.name] = .removed
            details.append("- \(Self.title(target))")
            union.targets.append(target)
        }
        let (before, after) = (Self.conditions(of: old.graph), Self.conditions(of: new.graph))
        for edge in after.keys.sorted() {
            guard let text = before[edge] else {
                edges[edge] = .added
                details.append("+ \(edge.from) -> \(edge.to)")
                continue
            }
            guard let now = after[edge], text != now else { continue }
            edges[edge] = .changed
            details.append("~ \(edge.from) -> \(edge.to): [\(text)] -> [\(now)]")
        }
        for edge in before.keys.sorted() where after[edge] == nil {
            edges[edge] = .removed
            details.append("- \(edge.from) -> \(edge.to)")
        }
        let removed = edges.filter { $0.value == .removed && new.graph[$0.key.from] != nil }.keys.sorted()
        union.update { target in
            for edge in removed where edge.from == target.name {
                target.dependencies += old.graph[edge.from]?.dependencies.filter { $0.name == edge.to } ?? []
            }
        }
        graph = union
        self.details = details
    }

    /// The targets that differ, and those at the ends of the edges that differ.
    var affected: Set<String> { Set(targets.keys).union(edges.keys.flatMap { [$0.from, $0.to] }) }

    /// The differences, one a line.
    var text: String { details.map { $0 + "\n" }.joined() }

    /// The numbers of differences in one line.
    var summary: String {
        func count(_ change: Change) -> String {
            let nodes = targets.values.count { $0 == change }
            let edges = edges.values.count { $0 == change }
            return
                "\(nodes) target\(nodes == 1 ? "" : "s") and \(edges) edge\(edges == 1 ? "" : "s") \(change.rawValue)"
        }
        return "\(count(.added)), \(count(.removed)), \(count(.changed))"
    }

    private static func title(_ target: GraphTarget) -> String { "\(target.name) (\(target.kind.rawValue))" }

    private static func conditions(of graph: PackageGraph) -> [GraphPicture.Edge: String] {
        let picture = GraphPicture(graph: graph)
        return Dictionary(
            picture.edges.map { edge in
                let texts = picture.dependencies(of: edge).map { dependency in
                    let parts = [dependency.isPlugin ? "plugin" : nil, dependency.condition].compactMap { $0 }
                    return parts.isEmpty ? "always" : parts.joined(separator: "; ")
                }
                return (edge, texts.joined(separator: " | "))
            },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
