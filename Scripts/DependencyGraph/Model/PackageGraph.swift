/// The targets of a package and the dependencies between them.
public struct PackageGraph: Sendable {
    /// A product of the package.
    public struct Product: Sendable, Equatable {
        /// The name.
        public var name: String
        /// The kind: "library", "executable", "plugin" or "macro".
        public var kind: String
        /// The names of its targets.
        public var targets: [String]
    }

    /// The name of the package.
    public var name: String
    /// The absolute path of the package's folder.
    public var root: String
    /// The nodes in the order of the manifest, then the products of other packages by name.
    public var targets: [GraphTarget] {
        didSet { index = Self.index(of: targets) }
    }
    /// The products, in the order of the manifest.
    public var products: [Product]
    /// The faults of the package as a whole; those of a target are in ``GraphTarget/faults``.
    public var faults: [GraphFault]
    /// The absolute folders of the packages that the manifest names by path, by their identity.
    public var localPackages: [String: String]
    /// The names of the traits of the package.
    public var traits: [String]

    private var index: [String: Int]

    /// Creates a graph; a dependency on an unknown node is ignored.
    public init(
        name: String,
        root: String,
        targets: [GraphTarget],
        products: [Product] = [],
        faults: [GraphFault] = [],
        localPackages: [String: String] = [:],
        traits: [String] = []
    ) {
        self.name = name
        self.root = root
        self.targets = targets
        self.products = products
        self.faults = faults
        self.localPackages = localPackages
        self.traits = traits
        index = Self.index(of: targets)
    }

    /// The node with a name.
    public subscript(name: String) -> GraphTarget? {
        index[name].map { targets[$0] }
    }

    /// Returns the names of the direct dependencies of a node, each once, in the order of the manifest.
    public func dependencies(of name: String) -> [String] {
        var seen: Set<String> = []
        return (self[name]?.dependencies ?? []).map(\.name).filter { index[$0] != nil && seen.insert($0).inserted }
    }

    /// Returns the names of the direct dependents of a node, in the order of the manifest.
    public func dependents(of name: String) -> [String] {
        targets.filter { $0.dependencies.contains { $0.name == name } }.map(\.name)
    }

    /// All pairs of a node and a direct dependency.
    public var edges: [(from: String, to: String)] {
        targets.flatMap { target in dependencies(of: target.name).map { (target.name, $0) } }
    }

    /// All faults: those of the package, then those of its targets.
    public var allFaults: [GraphFault] { faults + targets.flatMap(\.faults) }

    /// Returns the graph of some nodes with the edges between them.
    public func subgraph(of names: Set<String>) -> PackageGraph {
        var graph = self
        graph.targets = targets.filter { names.contains($0.name) }.map { target in
            var target = target
            target.dependencies.removeAll { !names.contains($0.name) }
            return target
        }
        return graph
    }

    private static func index(of targets: [GraphTarget]) -> [String: Int] {
        Dictionary(targets.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
