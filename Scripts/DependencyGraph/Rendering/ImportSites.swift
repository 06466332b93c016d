/// The import statements behind the edges of a graph.
struct ImportSites {
    /// A file and line.
    struct Site: Encodable, Equatable {
        var file: String
        var line: Int
    }

    private var sites: [GraphPicture.Edge: [Site]] = [:]
    private var known: Set<String> = []

    /// Scans the Swift sources of the targets for imports of their dependencies. A file that cannot be read has none.
    init(graph: PackageGraph) {
        let tree = SourceTree(graph: graph)
        for target in graph.targets where target.kind != .product && target.kind != .binary {
            let names = graph.dependencies(of: target.name)
            let owners = Dictionary(
                names.compactMap { name in graph[name].map { ($0.moduleName, name) } },
                uniquingKeysWith: { first, _ in first }
            )
            let sources = tree.listing(of: target).sources.filter { $0.hasSuffix(".swift") }
            if !sources.isEmpty { known.insert(target.name) }
            for file in sources {
                guard let bytes = try? tree.bytes(of: file) else { continue }
                for statement in ImportScanner.imports(in: String(decoding: bytes, as: UTF8.self)) {
                    guard let owner = owners[statement.module] else { continue }
                    let edge = GraphPicture.Edge(from: target.name, to: owner)
                    sites[edge, default: []].append(Site(file: file, line: statement.line))
                }
            }
        }
    }

    /// The imports behind an edge, in the order of the files.
    subscript(edge: GraphPicture.Edge) -> [Site] { sites[edge] ?? [] }

    /// Whether the target of an edge has Swift sources.
    func contains(_ edge: GraphPicture.Edge) -> Bool { known.contains(edge.from) }
}
