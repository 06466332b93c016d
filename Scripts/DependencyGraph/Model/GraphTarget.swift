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
        /// The platforms of the dependency's condition; empty for all.
        public var platforms: [String]
        /// The traits of the condition, one of which must be enabled; empty if it has none.
        public var traits: [String]
        /// The configuration of the condition, "debug" or "release"; `nil` for both.
        public var configuration: String?
        /// The new name of each module of the product that the dependency renames.
        public var moduleAliases: [String: String]
        /// Whether it is a build plugin, which is not linked.
        public var isPlugin: Bool

        /// Creates a dependency.
        public init(
            name: String,
            platforms: [String] = [],
            traits: [String] = [],
            configuration: String? = nil,
            moduleAliases: [String: String] = [:],
            isPlugin: Bool = false
        ) {
            self.name = name
            self.platforms = platforms
            self.traits = traits
            self.configuration = configuration
            self.moduleAliases = moduleAliases
            self.isPlugin = isPlugin
        }

        /// The condition and the module aliases in one line, such as "linux, macos; trait Fast; Utils as FarUtils"; `nil` if
        /// the dependency has neither.
        public var condition: String? {
            var parts = platforms.isEmpty ? [] : [platforms.joined(separator: ", ")]
            if !traits.isEmpty { parts.append("trait " + traits.joined(separator: ", ")) }
            if let configuration { parts.append(configuration) }
            parts += moduleAliases.sorted { $0.key < $1.key }.map { "\($0.key) as \($0.value)" }
            return parts.isEmpty ? nil : parts.joined(separator: "; ")
        }
    }

    /// The parts of a target's definition that determine its files.
    public struct Layout: Sendable, Equatable {
        /// The files and folders, below the target's folder, that the manifest excludes.
        public var excluded: [String] = []
        /// The only files and folders, below the target's folder, that have sources; `nil` for all.
        public var sources: [String]?
        /// The files and folders, below the target's folder, that are resources and not sources.
        public var resources: [String] = []
        /// The header search paths, relative to the target's folder.
        public var headerSearchPaths: [String] = []
        /// The compilation conditions that the manifest defines, under any condition.
        public var defines: [String] = []

        /// Creates the layout of a target with the default settings.
        public init() {}
    }

    /// The name, unique in the graph.
    public var name: String
    /// The kind.
    public var kind: Kind
    /// The path of the folder below the package's folder, without a final slash; empty for a product.
    public var folder: String
    /// The dependencies in the order of the manifest.
    public var dependencies: [Dependency]
    /// The files of the target.
    public var layout: Layout
    /// The identity of the package of a product, or the name in the manifest if no package has that identity.
    public var package: String?
    /// The name of a product in its package, which several packages may share; `nil` for a target.
    public var product: String?
    /// What is wrong with the node.
    public var faults: [GraphFault]

    /// Creates a node.
    public init(
        name: String,
        kind: Kind,
        folder: String,
        dependencies: [Dependency] = [],
        layout: Layout = Layout(),
        package: String? = nil,
        product: String? = nil,
        faults: [GraphFault] = []
    ) {
        self.name = name
        self.kind = kind
        self.folder = folder
        self.dependencies = dependencies
        self.layout = layout
        self.package = package
        self.product = product
        self.faults = faults
    }

    /// The name of the module in an import.
    public var moduleName: String {
        String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
    }
}
