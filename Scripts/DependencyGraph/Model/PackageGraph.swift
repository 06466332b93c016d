/// The targets of a package and the dependencies between them.
public struct PackageGraph: Sendable {
    /// The name of the package.
    public var name: String
    /// The absolute path of the package's folder.
    public var root: String
    /// The nodes in the order of the manifest, then the products of other packages by name.
    public var targets: [GraphTarget] {
        didSet { index = Self.index(of: targets) }
    }

    private var index: [String: Int]

    /// Creates a graph; a dependency on an unknown node is ignored.
    public init(name: String, root: String, targets: [GraphTarget]) {
        self.name = name
        self.root = root
        self.targets = targets
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

    /// Returns the graph of some nodes with the edges between them.
    public func subgraph(of names: Set<String>) -> PackageGraph {
        PackageGraph(
            name: name,
            root: root,
            targets: targets.filter { names.contains($0.name) }.map { target in
                var target = target
                target.dependencies.removeAll { !names.contains($0.name) }
                return target
            }
        )
    }

    private static func index(of targets: [GraphTarget]) -> [String: Int] {
        Dictionary(targets.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }
}

/// A node of the graph: a target of the package, or a product of another package.
public struct GraphTarget: Sendable, Equatable {
    /// The kind of a node.
    public enum Kind: String, Sendable {
        case regular, executable, test, macro, plugin, system, binary
        /// A product of another package.
        case product
    }

    /// A dependency of a node.
    public struct Dependency: Sendable, Equatable {
        /// The name of the other node.
        public var name: String
        /// The platforms of the dependency; empty for all.
        public var platforms: [String]
        /// Whether it is a build plugin, which is not linked.
        public var isPlugin: Bool
    }

    /// The name, unique in the graph.
    public var name: String
    /// The kind.
    public var kind: Kind
    /// The path of the folder below the package's folder, without a final slash; empty for a product.
    public var folder: String
    /// The dependencies in the order of the manifest.
    public var dependencies: [Dependency]
    /// The files and folders, below ``folder``, that the manifest excludes.
    public var excluded: [String]
    /// The identity of the package of a product.
    public var package: String?

    /// The name of the module in an import.
    public var moduleName: String {
        String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }
}
