/// A node of the graph: a target of the package, or a product of another package.
public struct GraphTarget: Sendable, Equatable {
    /// What a node is.
    public enum Kind: String, Sendable {
        case regular, executable, test, macro, plugin, system, binary
        /// A product of another package.
        case product
    }

    /// What a node needs.
    public struct Dependency: Sendable, Equatable {
        /// The other node's name.
        public var name: String
        /// The platforms on which it is needed; empty for all.
        public var platforms: [String]
        /// Whether it is a build plugin rather than something to link.
        public var isPlugin: Bool
    }

    /// The name, unique in the graph.
    public var name: String
    /// What it is.
    public var kind: Kind
    /// The folder below the package's, without a slash at its end; empty for a product.
    public var folder: String
    /// What it needs, in the order of the manifest.
    public var dependencies: [Dependency]
    /// The files and folders, below ``folder``, that the manifest excludes.
    public var excluded: [String]
    /// The identity of the package that a product comes from.
    public var package: String?

    /// The name that an import statement uses.
    public var moduleName: String {
        String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }
}
