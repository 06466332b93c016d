/// Finds the imports of a package's modules whose dependencies are not declared.
struct UndeclaredImports {
    /// An import of an undeclared module in all files of a target.
    private struct Candidate {
        var target: GraphTarget
        var owner: String
        var module: String
        var imports: [ImportIndex.Import]
    }

    let checker: GraphChecker

    /// Returns a finding for each target and module, with all places.
    ///
    /// The compiler confirms what the lexical scan found: an import outside `#if` that the compiler does not see is none. In the
    /// branches of `#if` that are inactive here, the lexical scan decides.
    func findings() -> [Finding] {
        let candidates = checker.graph.targets.flatMap(candidates)
        let confirmed = checker.compiler.modules(
            of: candidates.map { candidate in
                CompilerImports.Request(
                    module: candidate.target.moduleName,
                    files: Set(candidate.imports.map(\.file)).sorted(),
                    defines: candidate.target.layout.defines
                )
            }
        )
        return zip(candidates, confirmed).compactMap { candidate, modules in
            var imports = candidate.imports
            if let modules, !modules.contains(candidate.module) { imports.removeAll { $0.statement.condition == nil } }
            guard !imports.isEmpty else { return nil }
            return Finding(
                .undeclared,
                candidate.target.name,
                candidate.owner,
                imports.map(\.site),
                "\(candidate.target.name) imports \(candidate.module) without declaring it: add \"\(candidate.owner)\" to its "
                    + "dependencies in Package.swift, or remove the import"
            )
        }
    }

    private func candidates(of target: GraphTarget) -> [Candidate] {
        guard target.kind != .plugin, let sources = checker.index.sources[target.name] else { return [] }
        let declared = Set(checker.graph.dependencies(of: target.name))
        // An alias is the name of a module of another package.
        let aliases = Set(target.dependencies.flatMap(\.moduleAliases.values))
        var order: [String] = []
        var found: [String: [ImportIndex.Import]] = [:]
        for item in sources.imports {
            let module = item.statement.module
            guard let owner = checker.index.owners[module], owner != target.name, !declared.contains(owner),
                !aliases.contains(module), !item.statement.isOptional
            else { continue }
            if found[module] == nil { order.append(module) }
            // One place in each file is enough.
            if found[module]?.last?.file != item.file { found[module, default: []].append(item) }
        }
        return order.map { module in
            Candidate(
                target: target,
                owner: checker.index.owners[module] ?? module,
                module: module,
                imports: found[module] ?? []
            )
        }
    }
}
