/// The targets of a package and what they need of each other.
public struct PackageGraph: Sendable {
    /// The package's name.
    public var name: String
    /// The package's folder, absolute.
    public var root: String
    /// The nodes in the order of the manifest, then the products of other packages by name.
    public var targets: [GraphTarget] {
        didSet { index = Self.index(of: targets) }
    }

    private var index: [String: Int]

    /// Creates a graph; a dependency that names no node is dropped.
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

    /// The names that a node needs directly, each once, in the order of the manifest.
    public func dependencies(of name: String) -> [String] {
        var seen: Set<String> = []
        return (self[name]?.dependencies ?? []).map(\.name).filter { index[$0] != nil && seen.insert($0).inserted }
    }

    /// The names of the nodes that need a node directly, in the order of the manifest.
    public func dependents(of name: String) -> [String] {
        targets.filter { $0.dependencies.contains { $0.name == name } }.map(\.name)
    }

    /// All pairs of a node and what it needs directly.
    public var edges: [(from: String, to: String)] {
        targets.flatMap { target in dependencies(of: target.name).map { (target.name, $0) } }
    }

    /// The graph of some of its nodes, with the edges between them.
    public func keeping(_ names: Set<String>) -> PackageGraph {
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
