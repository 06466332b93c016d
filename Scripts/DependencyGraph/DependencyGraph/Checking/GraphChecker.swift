/// Checks that a package has no cycles, satisfies its rules, declares every import and uses every dependency.
struct GraphChecker {
    let graph: PackageGraph
    let rules: DependencyRules
    let manifest: ManifestSource
    /// The imports of all targets.
    let index: ImportIndex
    let compiler: CompilerImports
    let others: OtherPackages

    /// Reads the sources of the package's targets.
    ///
    /// - Parameters:
    ///   - graph: the package.
    ///   - rules: the rules for its dependencies.
    ///   - cache: the folder where the compiler's results are stored; `nil` stores nothing.
    ///   - reader: reads the packages that it depends on.
    /// - Throws: ``GraphError`` if the manifest cannot be read, or if a rule names nothing in the package.
    init(graph: PackageGraph, rules: DependencyRules, cache: String? = nil, reader: PackageReader? = nil) throws {
        self.graph = graph
        self.rules = rules
        try rules.validate(for: graph)
        index = ImportIndex(graph: graph, flags: Set(rules.defines))
        manifest = ManifestSource(try index.tree.bytes(of: graph.manifest))
        compiler = CompilerImports(root: graph.root, cache: cache)
        others = OtherPackages(of: graph, reader ?? PackageReader(path: graph.root))
    }

    /// Returns all findings, by kind, then in the order of the manifest.
    func findings() -> [Finding] {
        let undeclared = UndeclaredImports(checker: self).findings()
        return cycles() + faults() + RuleCheck(checker: self).findings() + TestOnlyCode(checker: self).findings()
            + undeclared + UnusedDependencies(checker: self).findings()
    }

    /// Returns the place of a target's definition.
    func site(of target: String) -> ImportIndex.Site {
        ImportIndex.Site(file: graph.manifest, line: manifest.line(of: target))
    }

    /// Returns the place where a target names a dependency.
    func site(of dependency: String, in target: String) -> ImportIndex.Site {
        let name = graph[dependency]?.product ?? dependency
        return ImportIndex.Site(file: graph.manifest, line: manifest.line(of: name, in: target))
    }

    private func cycles() -> [Finding] {
        graph.cycles.map { cycle in
            Finding(
                .cycle,
                cycle[0],
                cycle[1],
                [site(of: cycle[1], in: cycle[0])],
                "\(cycle.joined(separator: " -> ")): break the cycle at one of these edges"
            )
        }
    }

    private func faults() -> [Finding] {
        var found = graph.faults.map { fault in
            Finding(.fault, graph.name, fault.path, [ImportIndex.Site(file: fault.path, line: 1)], fault.message)
        }
        for target in graph.targets {
            var seen: Set<String> = []
            for fault in target.faults + (index.sources[target.name]?.faults ?? [])
            where fault.kind != .cycle && seen.insert(fault.path).inserted {
                let isInManifest = fault.kind == .missingFolder || fault.kind == .noSources
                let place = isInManifest ? site(of: target.name) : ImportIndex.Site(file: fault.path, line: 1)
                let message = "\(fault.path): \(fault.message)\(fault.kind.advice(graph.manifest))"
                found.append(Finding(.fault, target.name, fault.path, [place], message))
            }
        }
        return found
    }
}

extension GraphFault.Kind {
    /// What to do, to be appended to a message.
    fileprivate func advice(_ manifest: String) -> String {
        switch self {
        case .missingFolder: "; create it, or name the folder with path: in \(manifest)"
        case .noSources: "; add one, or remove the target"
        case .linkLoop: "; remove the link, or exclude it"
        case .unreadable: "; repair or exclude it"
        case .emptyPackage, .cycle: ""
        }
    }
}
