/// A node of the graph: a target of the package, or a product of another package.
struct GraphTarget: Sendable, Equatable {
    /// The kind of a node.
    enum Kind: String, Sendable {
        case regular, executable, test, macro, plugin, system, binary
        /// A product of another package.
        case product
    }

    /// A dependency of a node.
    struct Dependency: Sendable, Hashable {
        /// The name of the other node.
        var name: String
        /// The platforms of the dependency's condition; empty for all.
        var platforms: [String] = []
        /// The traits of the condition, one of which must be enabled; empty if it has none.
        var traits: [String] = []
        /// The configuration of the condition, "debug" or "release"; `nil` for both.
        var configuration: String?
        /// The new name of each module of the product that the dependency renames.
        var moduleAliases: [String: String] = [:]
        /// Whether it is a build plugin, which is not linked.
        var isPlugin = false

        /// The condition and the module aliases in one line, such as "linux, macos; trait Fast; Utils as FarUtils"; `nil` if
        /// the dependency has neither.
        var condition: String? {
            var parts = platforms.isEmpty ? [] : [platforms.joined(separator: ", ")]
            if !traits.isEmpty { parts.append("trait " + traits.joined(separator: ", ")) }
            if let configuration { parts.append(configuration) }
            parts += moduleAliases.sorted { $0.key < $1.key }.map { "\($0.key) as \($0.value)" }
            return parts.isEmpty ? nil : parts.joined(separator: "; ")
        }
    }

    /// The parts of a target's definition that determine its files.
    struct Layout: Sendable, Equatable {
        /// The files and folders, below the target's folder, that the manifest excludes.
        var excluded: [String] = []
        /// The only files and folders, below the target's folder, that have sources; `nil` for all.
        var sources: [String]?
        /// The files and folders, below the target's folder, that are resources and not sources.
        var resources: [String] = []
        /// The header search paths, relative to the target's folder.
        var headerSearchPaths: [String] = []
        /// The header search paths and included files of unsafe flags, relative to the package's folder.
        var flaggedHeaders: [String] = []
        /// The compilation conditions that the manifest defines, under any condition.
        var defines: [String] = []
        /// Those of them that the manifest defines without a condition.
        var alwaysDefined: Set<String> = []
        /// The modules that an import of another name means, by that name (`-module-alias`).
        var moduleAliases: [String: String] = [:]
    }

    /// The name, unique in the graph.
    var name: String
    /// The kind.
    var kind: Kind
    /// The path of the folder below the package's folder, without a final slash; empty for a product.
    var folder: String
    /// The dependencies in the order of the manifest.
    var dependencies: [Dependency] = []
    /// The files of the target.
    var layout = Layout()
    /// The identity of the package of a product, or the name in the manifest if no package has that identity.
    var package: String?
    /// The name of a product in its package, which several packages may share; `nil` for a target.
    var product: String?
    /// What is wrong with the node.
    var faults: [GraphFault] = []

    /// The name of the module in an import.
    var moduleName: String {
        let text = name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
        // An identifier does not begin with a digit.
        return text.first?.isNumber == true ? "_" + String(text.dropFirst()) : String(text)
    }
}
