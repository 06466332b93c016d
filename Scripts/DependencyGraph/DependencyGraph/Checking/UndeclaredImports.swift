/// Finds the imports of modules, of the package and of others that can be read, whose dependencies are not declared.
struct UndeclaredImports {
    /// An import of an undeclared module in all files of a target.
    private struct Candidate {
        var target: GraphTarget
        /// The target or product to declare, and the text that declares it in the list of the target.
        var owner: String
        var declaration: String?
        var module: String
        var imports: [ImportIndex.Import]
    }

    let checker: GraphChecker

    /// Returns a finding for each target and module, with all places.
    ///
    /// The compiler confirms what the lexical scan found: text outside `#if` is an import only if the compiler sees it. In the
    /// branches of `#if` that are inactive here, the lexical scan decides.
    func findings() -> [Finding] {
        let candidates = checker.graph.targets.flatMap(candidates)
        func file(_ item: ImportIndex.Import, _ candidate: Candidate) -> CompilerImports.File {
            CompilerImports.File(path: item.file, defines: candidate.target.layout.defines)
        }
        let seen = checker.compiler.modules(
            in: candidates.flatMap { candidate in
                candidate.imports.filter { $0.statement.condition == nil }.map { file($0, candidate) }
            }
        )
        return candidates.compactMap { candidate in
            let imports = candidate.imports.filter { item in
                item.statement.condition != nil
                    || seen[file(item, candidate)]?.contains(item.statement.written) ?? true
            }
            guard !imports.isEmpty else { return nil }
            var finding = Finding(
                .undeclared,
                candidate.target.name,
                candidate.owner,
                imports.map(\.site),
                "\(candidate.target.name) imports \(candidate.module) without declaring it: \(remedy(for: candidate))"
            )
            finding.declaration = candidate.declaration
            return finding
        }
    }

    private func remedy(for candidate: Candidate) -> String {
        // A product may have the name of a target.
        if checker.index.owners[candidate.module] != nil,
            let path = checker.graph.shortestPath(from: candidate.owner, to: candidate.target.name)
        {
            let cycle = ([candidate.target.name] + path).joined(separator: " -> ")
            return "remove the import, it would make a cycle: \(cycle)"
        }
        let dependency = candidate.declaration ?? "the product \(candidate.owner), with its package,"
        return "add \(dependency) to its dependencies in \(checker.graph.manifest), or remove the import"
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
            let owner = checker.index.owners[module]
            guard owner != target.name, owner.map({ !declared.contains($0) }) ?? true, !aliases.contains(module),
                !item.statement.isOptional
            else { continue }
            if found[module] == nil { order.append(module) }
            // One place in each file is enough.
            if found[module]?.last?.file != item.file { found[module, default: []].append(item) }
        }
        return order.compactMap { module in
            guard
                let owner = checker.index.owners[module].map({ ($0, "\"\($0)\"") })
                    ?? product(with: module, for: target)
            else { return nil }
            return Candidate(
                target: target,
                owner: owner.0,
                declaration: owner.1,
                module: module,
                imports: found[module] ?? []
            )
        }
    }

    /// Returns the product of another package with a module that a target does not declare, and its declaration if the
    /// manifest names the package; `nil` if the target declares it, or if no package that can be read has it.
    private func product(with module: String, for target: GraphTarget) -> (String, String?)? {
        let products = checker.graph.dependencies(of: target.name).compactMap { checker.graph[$0] }
            .filter { $0.kind == .product }
        guard !products.contains(where: { $0.product == module }) else { return nil }
        let known = checker.graph.packages
        // A checkout of the toolchain's own modules that the manifest does not name is there for another package.
        let providers = checker.others.products(with: module).filter {
            !Self.ofToolchain.contains(module) || known.contains($0.package)
        }
        let isDeclared = products.contains { node in
            checker.others.contains(module, product: node.product ?? node.name, package: node.package ?? "")
        }
        guard !isDeclared, let provider = providers.first(where: { known.contains($0.package) }) ?? providers.first
        else { return nil }
        let declaration = ".product(name: \"\(provider.product)\", package: \"\(provider.package)\")"
        return (provider.product, known.contains(provider.package) ? declaration : nil)
    }

    /// The modules of the toolchain that packages have, too.
    private static let ofToolchain: Set = [
        "Dispatch", "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking",
        "FoundationXML", "Testing", "XCTest",
    ]
}
