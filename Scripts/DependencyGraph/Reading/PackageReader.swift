#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads the graph of a package from its manifest alone: offline, unresolved, and also if it has a cycle.
public struct PackageReader: Sendable {
    /// The folder of the package.
    public var path: String

    /// Creates a reader of the package in a folder, whose path is absolute or relative to the working folder.
    public init(path: String) {
        self.path = URL(filePath: path).standardizedFileURL.path
        while self.path.count > 1, self.path.hasSuffix("/") { self.path.removeLast() }
    }

    /// Reads the graph.
    ///
    /// - Throws: ``GraphError`` if the folder has no package or its manifest does not compile.
    public func read() throws -> PackageGraph {
        try graph(of: try dump())
    }

    /// Returns the manifest as SwiftPM's JSON.
    func dump() throws -> Data {
        guard FileManager.default.fileExists(atPath: path + "/Package.swift") else {
            throw GraphError.notAPackage(path: path)
        }
        // Without --ignore-lock a call during a build of the same package would never return.
        let outcome = try Subprocess.run(
            ["swift", "package", "--package-path", path, "--ignore-lock", "dump-package"],
            install: "install the Swift toolchain (https://www.swift.org/install) or add it to PATH"
        )
        guard outcome.status == 0 else { throw GraphError.manifest(path: path, message: outcome.errorText.trimmed) }
        return Data(outcome.output)
    }

    private func graph(of data: Data) throws -> PackageGraph {
        let manifest: ManifestDump
        do {
            manifest = try JSONDecoder().decode(ManifestDump.self, from: data)
        } catch {
            throw GraphError.manifest(path: path, message: "its description has an unexpected format: \(error)")
        }
        let products = ProductNodes(manifest)
        var targets = manifest.targets.map { target in
            GraphTarget(
                name: target.name,
                kind: GraphTarget.Kind(rawValue: target.type) ?? .regular,
                folder: folder(of: target, in: manifest),
                dependencies: dependencies(of: target, products),
                excluded: target.exclude ?? [],
                package: nil
            )
        }
        targets += products.all.sorted { $0.label < $1.label }.map { product in
            GraphTarget(
                name: product.label,
                kind: .product,
                folder: "",
                dependencies: [],
                excluded: [],
                package: product.package.isEmpty ? nil : product.package
            )
        }
        return PackageGraph(name: manifest.name, root: path, targets: targets)
    }

    private func dependencies(of target: ManifestDump.Target, _ products: ProductNodes) -> [GraphTarget.Dependency] {
        var found: [GraphTarget.Dependency] = []
        func add(_ reference: ManifestDump.Reference, isPlugin: Bool) {
            guard let name = products.node(of: reference) else { return }
            found.append(
                GraphTarget.Dependency(name: name, platforms: reference.parts.platforms, isPlugin: isPlugin)
            )
        }
        for dependency in target.dependencies { add(dependency.reference, isPlugin: false) }
        for usage in target.pluginUsages ?? [] { add(usage.reference, isPlugin: true) }
        return found
    }

    /// The products of other packages that the targets depend on, with a unique name for each.
    private struct ProductNodes {
        struct Product: Hashable {
            var name: String
            /// The identity of the package; empty if the manifest does not name it.
            var package: String
            /// The unique name of the node.
            var label: String
        }

        private let targets: Set<String>
        private(set) var all: Set<Product> = []

        init(_ manifest: ManifestDump) {
            targets = Set(manifest.targets.map(\.name))
            var packages: [String: Set<String>] = [:]
            for target in manifest.targets {
                let references = target.dependencies.map(\.reference) + (target.pluginUsages ?? []).map(\.reference)
                for reference in references {
                    guard let name = reference.parts.text(at: 0), isProduct(reference) else { continue }
                    packages[name, default: []].insert(package(of: reference))
                }
            }
            for (name, packages) in packages {
                // A reference by the name alone means the only package that is named elsewhere.
                let named = packages.count > 1 ? packages.subtracting([""]) : packages
                let isUnique = named.count == 1 && !targets.contains(name)
                for package in named {
                    all.insert(Product(name: name, package: package, label: isUnique ? name : "\(name) (\(package))"))
                }
            }
        }

        /// Returns the name of the node that a target refers to.
        func node(of reference: ManifestDump.Reference) -> String? {
            guard let name = reference.parts.text(at: 0) else { return nil }
            guard isProduct(reference) else { return name }
            let package = package(of: reference)
            let candidates = all.filter { $0.name == name }
            return (candidates.first { $0.package == package } ?? candidates.min { $0.label < $1.label })?.label
        }

        private func isProduct(_ reference: ManifestDump.Reference) -> Bool {
            switch reference.kind {
            case .target: false
            case .product: true
            case .byName: !targets.contains(reference.parts.text(at: 0) ?? "")
            }
        }

        private func package(of reference: ManifestDump.Reference) -> String {
            reference.kind == .product ? reference.parts.text(at: 1) ?? "" : ""
        }
    }

    /// Returns the folder in the manifest, or the first of SwiftPM's default folders that exists.
    private func folder(of target: ManifestDump.Target, in manifest: ManifestDump) -> String {
        if let path = target.path { return path.droppingTrailingSlash }
        let parents: [String] =
            switch target.type {
            case "test": ["Tests", "Sources", "Source", "src", "srcs"]
            case "plugin": ["Plugins"]
            default: ["Sources", "Source", "src", "srcs"]
            }
        let candidates = parents.map { "\($0)/\(target.name)" }
        if let found = candidates.first(where: { FileManager.default.fileExists(atPath: "\(path)/\($0)") }) {
            return found
        }
        // The only target of its kind may have its sources in the parent folder itself (tools version 5.9).
        let siblings = manifest.targets.filter {
            ["test", "plugin"].contains(target.type) ? $0.type == target.type : !["test", "plugin"].contains($0.type)
        }
        if siblings.count == 1,
            let parent = parents.first(where: { FileManager.default.fileExists(atPath: "\(path)/\($0)") })
        {
            return parent
        }
        // No folder exists: SwiftPM would name the first one.
        return candidates[0]
    }
}

extension String {
    var trimmed: String {
        var text = Substring(self)
        while text.last?.isWhitespace == true { text.removeLast() }
        while text.first?.isWhitespace == true { text.removeFirst() }
        return String(text)
    }

    /// The path without a final slash and without "./" at its start.
    var droppingTrailingSlash: String {
        var text = self
        while text.hasPrefix("./") { text.removeFirst(2) }
        while text.count > 1, text.hasSuffix("/") { text.removeLast() }
        return text
    }
}

/// The parts of the output of `swift package dump-package` that the graph needs.
struct ManifestDump: Decodable {
    struct Target: Decodable {
        var name: String
        var type: String
        var path: String?
        var exclude: [String]?
        var dependencies: [Dependency]
        var pluginUsages: [PluginUsage]?
    }

    /// `{"byName": [NAME, CONDITION]}`, `{"target": [NAME, CONDITION]}` or
    /// `{"product": [NAME, PACKAGE, ALIASES, CONDITION]}`.
    struct Dependency: Decodable {
        var byName: [Part]?
        var target: [Part]?
        var product: [Part]?

        var reference: Reference {
            if let target { return Reference(kind: .target, parts: target) }
            if let product { return Reference(kind: .product, parts: product) }
            return Reference(kind: .byName, parts: byName ?? [])
        }
    }

    /// A reference of a target to another target or to a product.
    struct Reference {
        enum Kind { case target, product, byName }

        var kind: Kind
        var parts: [Part]
    }

    /// `{"plugin": [NAME, PACKAGE]}`
    struct PluginUsage: Decodable {
        var plugin: [Part]

        var reference: Reference {
            Reference(kind: plugin.text(at: 1) == nil ? .byName : .product, parts: plugin)
        }
    }

    /// An element of these arrays of several types.
    enum Part: Decodable {
        case text(String)
        case condition(platforms: [String])
        case other

        init(from decoder: any Decoder) throws {
            struct Condition: Decodable { var platformNames: [String]? }
            let container = try decoder.singleValueContainer()
            if let text = try? container.decode(String.self) {
                self = .text(text)
            } else if let condition = try? container.decode(Condition.self) {
                self = .condition(platforms: condition.platformNames ?? [])
            } else {
                self = .other
            }
        }
    }

    var name: String
    var targets: [Target]
}

extension [ManifestDump.Part] {
    /// Returns the text at an index, or `nil`.
    func text(at place: Int) -> String? {
        guard indices.contains(place), case .text(let text) = self[place] else { return nil }
        return text
    }

    /// The platforms of the condition.
    var platforms: [String] {
        for case .condition(let platforms) in self { return platforms }
        return []
    }
}
