import JSONValues

/// Reads the graph of a package from its manifest alone: offline, unresolved, and also if it has a cycle.
struct PackageReader: Sendable {
    /// Returns the description of the manifest in a folder: the JSON of `swift package dump-package`.
    typealias Describe = @Sendable (_ folder: String) throws -> JSONValue

    /// The absolute folder of the package.
    let path: String
    /// Describes the manifest; SwiftPM by default.
    private let describe: Describe

    /// Creates a reader of the package in a folder, whose path is absolute or relative to the working folder.
    init(path: String, describe: @escaping Describe = PackageReader.swiftPM) {
        self.path = path.absolutePath
        self.describe = describe
    }

    /// Returns a reader of the package in another folder.
    func reader(of folder: String) -> PackageReader { PackageReader(path: folder, describe: describe) }

    /// Reads the graph. What is wrong with the package's files is marked in it as faults.
    ///
    /// - Throws: ``GraphError`` if the folder has no package or its manifest does not compile.
    func read() throws -> PackageGraph {
        var graph = try graph(of: try manifest(try dump()))
        graph.markFaults()
        return graph
    }

    /// Returns the description of the manifest, as SwiftPM prints it.
    ///
    /// - Throws: ``GraphError`` if the folder has no package or its manifest does not compile.
    func dump() throws -> JSONValue {
        guard Files.exists(path + "/Package.swift") else { throw GraphError.notAPackage(path: path) }
        return try describe(path)
    }

    /// Describes a manifest with the SwiftPM of the toolchain.
    static let swiftPM: Describe = { path in
        // Without --ignore-lock a call during a build of the same package would never return.
        let outcome = try Subprocess.run(
            ["swift", "package", "--package-path", path, "--ignore-lock", "dump-package"],
            install: "install the Swift toolchain (https://www.swift.org/install) or add it to PATH"
        )
        guard outcome.status == 0 else { throw GraphError.manifest(path: path, message: outcome.errorText.trimmed) }
        do {
            return try JSONValue(parsing: outcome.output)
        } catch {
            throw GraphError.manifest(path: path, message: "its description is not valid JSON: \(error)")
        }
    }

    private func manifest(_ document: JSONValue) throws -> ManifestDump {
        guard let manifest = ManifestDump(document) else {
            throw GraphError.manifest(path: path, message: "its description has an unexpected format")
        }
        return manifest
    }

    private func graph(of manifest: ManifestDump) throws -> PackageGraph {
        let products = ProductNodes(manifest)
        let targets = manifest.targets.map { target in
            GraphTarget(
                name: target.name,
                kind: GraphTarget.Kind(rawValue: target.type) ?? .regular,
                folder: folder(of: target, in: manifest),
                dependencies: target.references.map(products.edge(to:)),
                layout: target.layout
            )
        }
        var graph = PackageGraph(
            name: manifest.name,
            root: path,
            targets: targets + products.nodes,
            products: manifest.products,
            localPackages: Dictionary(
                manifest.packages.compactMap { package in package.folder.map { (package.identity, $0) } },
                uniquingKeysWith: { first, _ in first }
            ),
            traits: manifest.traits
        )
        graph.packages = Set(manifest.packages.map(\.identity))
        graph.manifest = ManifestName.chosen(in: path)
        return graph
    }

    /// Returns the folder in the manifest, or the first of SwiftPM's default folders that exists.
    private func folder(of target: ManifestDump.Target, in manifest: ManifestDump) -> String {
        if let path = target.path { return path.isEmpty ? "." : path }
        let parents: [String] =
            switch target.type {
            case "test": ["Tests", "Sources", "Source", "src", "srcs"]
            case "plugin": ["Plugins"]
            default: ["Sources", "Source", "src", "srcs"]
            }
        let candidates = parents.map { "\($0)/\(target.name)" }
        if let found = candidates.first(where: { Files.exists("\(path)/\($0)") }) {
            return found
        }
        // The only target of its kind may have its sources in the parent folder itself (tools version 5.9).
        let siblings = manifest.targets.filter {
            ["test", "plugin"].contains(target.type) ? $0.type == target.type : !["test", "plugin"].contains($0.type)
        }
        if siblings.count == 1,
            let parent = parents.first(where: { Files.exists("\(path)/\($0)") })
        {
            return parent
        }
        // No folder exists: SwiftPM would name the first one.
        return candidates[0]
    }
}

extension PackageGraph {
    /// Marks the nodes on cycles, the targets whose sources are missing or cannot be read, and a package without targets.
    fileprivate mutating func markFaults() {
        if targets.isEmpty {
            faults.append(GraphFault(.emptyPackage, path: manifest, message: "the package has no targets"))
        }
        let tree = SourceTree(graph: self)
        let faults = Parallel.map(targets) { target in
            [.product, .binary].contains(target.kind) ? [] : tree.listing(of: target).faults
        }
        let cyclic = Set(cyclicGroups.joined())
        var listed = faults.makeIterator()
        update { target in
            target.faults += listed.next() ?? []
            guard cyclic.contains(target.name) else { return }
            let message = "\(target.name) depends on itself"
            target.faults.append(GraphFault(.cycle, path: target.folder, message: message))
        }
    }
}
