/// The targets of a package and the dependencies between them.
struct PackageGraph: Sendable {
    /// A product of the package.
    struct Product: Sendable, Equatable, Encodable {
        /// The name.
        var name: String
        /// The kind: "library", "executable", "plugin" or "macro".
        var kind: String
        /// The names of its targets.
        var targets: [String]
    }

    /// The name of the package.
    var name: String
    /// The absolute path of the package's folder.
    var root: String
    /// The nodes in the order of the manifest, then the products of other packages by name.
    var targets: [GraphTarget] { didSet { index = Self.index(of: targets) } }
    /// The products, in the order of the manifest.
    var products: [Product]
    /// The faults of the package as a whole; those of a target are in ``GraphTarget/faults``.
    var faults: [GraphFault]
    /// The absolute folders of the packages that the manifest names by path, by their identity.
    var localPackages: [String: String]
    /// The identities of the packages that the manifest names.
    var packages: Set<String> = []
    /// The names of the traits of the package.
    var traits: [String]
    /// The name of the manifest in the package's folder.
    var manifest = ManifestName.usual

    /// The index of each node, by its name.
    private(set) var index: [String: Int]

    /// Creates a graph; a dependency on an unknown node is ignored.
    init(
        name: String,
        root: String,
        targets: [GraphTarget],
        products: [Product] = [],
        faults: [GraphFault] = [],
        localPackages: [String: String] = [:],
        traits: [String] = []
    ) {
        (self.name, self.root, self.targets, self.products) = (name, root, targets, products)
        (self.faults, self.localPackages, self.traits) = (faults, localPackages, traits)
        index = Self.index(of: targets)
    }

    /// The node with a name.
    subscript(name: String) -> GraphTarget? { index[name].map { targets[$0] } }

    /// Returns the names of the direct dependencies of a node, each once, in the order of the manifest.
    func dependencies(of name: String) -> [String] {
        var seen: Set<String> = []
        return (self[name]?.dependencies ?? []).map(\.name).filter { index[$0] != nil && seen.insert($0).inserted }
    }

    /// All pairs of a node and a direct dependency.
    var edges: [(from: String, to: String)] {
        targets.flatMap { target in dependencies(of: target.name).map { (target.name, $0) } }
    }

    /// Returns the graph of some nodes with the edges between them.
    func subgraph(of names: Set<String>) -> PackageGraph {
        var graph = self
        graph.targets.removeAll { !names.contains($0.name) }
        graph.update { target in target.dependencies.removeAll { !names.contains($0.name) } }
        return graph
    }

    /// Changes each node.
    mutating func update(_ body: (inout GraphTarget) -> Void) {
        var targets = targets
        for index in targets.indices { body(&targets[index]) }
        self.targets = targets
    }

    private static func index(of targets: [GraphTarget]) -> [String: Int] {
        Dictionary(targets.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
