/// The imports in the Swift sources of all targets of a package, and the modules of the targets.
struct ImportIndex: Sendable {
    /// A place in a file.
    struct Site: Sendable, Hashable, Encodable {
        /// The path below the package's folder.
        var file: String
        /// The line, counted from 1.
        var line: Int
    }

    /// An import in a file.
    struct Import: Sendable {
        var file: String
        var statement: ImportStatement

        var site: Site { Site(file: file, line: statement.line) }
    }

    /// What the sources of one target contain.
    struct Sources: Sendable {
        /// The Swift files below the package's folder.
        var files: [String] = []
        /// The imports that something can compile.
        var imports: [Import] = []
        /// The imports in branches that nothing can compile.
        var deadImports: [Import] = []
        /// The modules of the target: its own, and those of its module maps.
        var modules: Set<String> = []
        var faults: [GraphFault] = []
    }

    let graph: PackageGraph
    let tree: SourceTree
    private(set) var sources: [String: Sources]
    /// The target of each module.
    private(set) var owners: [String: String] = [:]

    /// Reads the sources of all targets, on all processors. What cannot be read is a fault of its target.
    ///
    /// - Parameters:
    ///   - graph: the package.
    ///   - flags: the compilation conditions that are defined on the command line of a build.
    init(graph: PackageGraph, flags: Set<String> = []) {
        self.graph = graph
        let tree = SourceTree(graph: graph)
        self.tree = tree
        let possible = flags.union(Self.usualFlags).union(graph.traits)
        let targets = graph.targets.filter { $0.kind != .product && $0.kind != .binary }
        let read = Parallel.map(targets) { target in
            Self.sources(of: target, in: tree, flags: possible.union(target.layout.defines))
        }
        sources = Dictionary(zip(targets.map(\.name), read), uniquingKeysWith: { first, _ in first })
        for target in graph.targets {
            for module in sources[target.name]?.modules ?? [] { owners[module] = target.name }
        }
        // Another target's module map does not take a module away from the target that is compiled to it.
        for target in targets { owners[target.moduleName] = target.name }
    }

    /// Returns the graph with an edge for each import whose dependency is not declared: to the target of the package with the
    /// module, or to the products that bring it into the build.
    func graphWithImports(_ others: OtherPackages) -> PackageGraph {
        var graph = graph
        var products: [String: [String]] = [:]
        func providers(of module: String) -> [String] {
            if let owner = owners[module] { return [owner] }
            if let known = products[module] { return known }
            let found = others.nodes(with: module, in: self.graph).map(\.name)
            products[module] = found
            return found
        }
        graph.update { target in
            var seen = Set(target.dependencies.map(\.name) + [target.name])
            for item in sources[target.name]?.imports ?? [] {
                for name in providers(of: item.statement.module) where seen.insert(name).inserted {
                    target.dependencies.append(GraphTarget.Dependency(name: name))
                }
            }
        }
        return graph
    }

    /// Returns the places where a target imports the modules of another one, in the order of the files.
    func sites(from target: String, to dependency: String) -> [Site] {
        let modules = sources[dependency]?.modules ?? [dependency]
        return (sources[target]?.imports ?? []).filter { modules.contains($0.statement.module) }.map(\.site)
    }

    /// The conditions that SwiftPM and Xcode define in some builds.
    private static let usualFlags: Set<String> = [
        "DEBUG", "SWIFT_MODULE_RESOURCE_BUNDLE_AVAILABLE", "SWIFT_MODULE_RESOURCE_BUNDLE_UNAVAILABLE", "Xcode",
    ]

    private static func sources(of target: GraphTarget, in tree: SourceTree, flags: Set<String>) -> Sources {
        let listing = tree.listing(of: target)
        var sources = Sources()
        sources.modules = [target.moduleName]
        let certain = target.layout.alwaysDefined.union(["SWIFT_PACKAGE"])
        for file in listing.sources {
            let isMap = file.hasSuffix(".modulemap")
            guard isMap || file.hasSuffix(".swift") else { continue }
            let bytes: [UInt8]
            do throws(GraphError) {
                bytes = try tree.bytes(of: file)
            } catch {
                sources.faults.append(GraphFault(.unreadable, path: file, message: "it cannot be read"))
                continue
            }
            if isMap {
                sources.modules.formUnion(modules(inMap: bytes))
                continue
            }
            sources.files.append(file)
            for var statement in ImportScanner.imports(in: bytes) {
                statement.module = target.layout.moduleAliases[statement.written] ?? statement.written
                if statement.isDead(flags: flags, certain: certain) {
                    sources.deadImports.append(Import(file: file, statement: statement))
                } else {
                    sources.imports.append(Import(file: file, statement: statement))
                }
            }
        }
        return sources
    }

    /// Returns the modules that a module map declares, without the submodules in their braces.
    private static func modules(inMap bytes: [UInt8]) -> [String] {
        var lexer = SwiftLexer(bytes)
        var found: [String] = []
        var isName = false
        var depth = 0
        while let token = lexer.next() {
            if isName, token.kind == .word || token.kind == .string { found.append(lexer.text(of: token)) }
            if lexer.matches(token, "{") { depth += 1 } else if lexer.matches(token, "}") { depth -= 1 }
            isName = depth == 0 && lexer.matches(token, "module")
        }
        return found
    }
}
