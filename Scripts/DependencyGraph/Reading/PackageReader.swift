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
        let names = Set(manifest.targets.map(\.name))
        var products: [String: String] = [:]
        var targets = manifest.targets.map { target in
            GraphTarget(
                name: target.name,
                kind: GraphTarget.Kind(rawValue: target.type) ?? .regular,
                folder: folder(of: target),
                dependencies: dependencies(of: target, among: names, products: &products),
                excluded: target.exclude ?? [],
                package: nil
            )
        }
        targets += products.sorted { $0.key < $1.key }.map { name, package in
            GraphTarget(
                name: name,
                kind: .product,
                folder: "",
                dependencies: [],
                excluded: [],
                package: package.isEmpty ? nil : package
            )
        }
        return PackageGraph(name: manifest.name, root: path, targets: targets)
    }

    private func dependencies(
        of target: ManifestDump.Target,
        among names: Set<String>,
        products: inout [String: String]
    ) -> [GraphTarget.Dependency] {
        var found: [GraphTarget.Dependency] = []
        func add(_ parts: [ManifestDump.Part], isPlugin: Bool) {
            guard let name = parts.text(at: 0) else { return }
            if !names.contains(name) { products[name] = parts.text(at: 1) ?? products[name] ?? "" }
            found.append(GraphTarget.Dependency(name: name, platforms: parts.platforms, isPlugin: isPlugin))
        }
        for dependency in target.dependencies {
            add(dependency.byName ?? dependency.target ?? dependency.product ?? [], isPlugin: false)
        }
        for usage in target.pluginUsages ?? [] { add(usage.plugin, isPlugin: true) }
        return found
    }

    /// Returns the folder in the manifest, or the first of SwiftPM's default folders that exists.
    private func folder(of target: ManifestDump.Target) -> String {
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
    }

    /// `{"plugin": [NAME, PACKAGE]}`
    struct PluginUsage: Decodable {
        var plugin: [Part]
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
