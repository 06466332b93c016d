/// Finds the declared dependencies that a target does not use.
///
/// A dependency counts as used if one of the following holds, in the order of their cost:
/// - The target, or a module that another of its dependencies re-exports, imports it, in any branch that can be compiled.
/// - It is only linked: it has no Swift or C interface, exports symbols by name, or adds conformances to types of other modules.
/// - The target uses a member that the dependency adds to a type of another module, or a member of the dependency's own types
///   whose name no other module in reach declares. Without the feature MemberImportVisibility a member needs no import in the
///   file.
/// - The compiler sees an import that the lexical scan does not.
struct UnusedDependencies {
    let checker: GraphChecker

    /// Returns a finding for each target and dependency.
    func findings() -> [Finding] {
        let candidates = checker.graph.targets.flatMap { target in
            names(in: target).map { (target: target, name: $0) }
        }
        // Each of these is read once, in parallel.
        let index = checker.index
        let interfaces = Self.table(candidates.map(\.name)) { name in
            ModuleInterface(files: index.sources[name]?.files ?? [], tree: index.tree)
        }
        let uses = Self.table(candidates.map(\.target.name)) { name in
            MemberUses(files: index.sources[name]?.files ?? [], tree: index.tree)
        }
        let remaining = candidates.filter { target, name in
            guard let interface = interfaces[name], let uses = uses[target.name] else { return false }
            return !interface.isLinkedOnly && !uses.isEmpty && uses.members.isDisjoint(with: interface.foreignMembers)
        }
        let unnamed = withoutDistinctNames(remaining, interfaces, uses)
        let seen = imports(seenByTheCompilerIn: unnamed.map(\.target))
        return unnamed.compactMap { target, name in
            let modules = checker.index.sources[name]?.modules ?? []
            let aliases = target.layout.moduleAliases
            let isSeen = seen[target.name]?.contains { modules.contains(aliases[$0] ?? $0) } ?? false
            guard !isSeen else { return nil }
            return finding(target, name, modules)
        }
    }

    /// Returns the dependencies of a target that no import uses.
    private func names(in target: GraphTarget) -> [String] {
        // The imports of C sources, and of sources that a plugin generates, are unknown.
        guard target.kind != .plugin, let own = checker.index.sources[target.name], !own.files.isEmpty,
            !target.dependencies.contains(where: \.isPlugin),
            // So are those of what cannot be read.
            !(target.faults + own.faults).contains(where: { $0.kind == .unreadable })
        else { return [] }
        let used = modulesSeen(by: own.imports)
        return checker.graph.dependencies(of: target.name).filter { name in
            guard let dependency = checker.graph[name], [.regular, .system].contains(dependency.kind),
                name != target.name,
                let sources = checker.index.sources[name], used.isDisjoint(with: sources.modules)
            else { return false }
            return !checker.rules.matches(checker.rules.unused, dependency, in: checker.graph)
        }
    }

    /// Returns the candidates without those where the target uses a member that only the dependency declares.
    ///
    /// A name of one word, such as `load`, is too common to belong to one module.
    private func withoutDistinctNames(
        _ candidates: [(target: GraphTarget, name: String)],
        _ interfaces: [String: ModuleInterface],
        _ uses: [String: MemberUses]
    ) -> [(target: GraphTarget, name: String)] {
        var shared: [(names: Set<String>, reach: Set<String>)] = []
        for (target, name) in candidates {
            let members = uses[target.name]?.members ?? []
            let names = members.intersection(interfaces[name]?.publicDeclarations ?? []).filter { text in
                text.dropFirst().contains(where: \.isUppercase)
            }
            shared.append((names, names.isEmpty ? [] : checker.graph.closure(of: [target.name]).subtracting([name])))
        }
        let index = checker.index
        let others = Self.table(shared.flatMap(\.reach)) { name in
            ModuleInterface(files: index.sources[name]?.files ?? [], tree: index.tree)
        }
        return zip(candidates, shared).filter { candidate, shared in
            shared.names.allSatisfy { name in
                shared.reach.contains { module in
                    // In the target itself a private declaration counts, too.
                    let names =
                        module == candidate.target.name
                        ? others[module]?.declarations : others[module]?.publicDeclarations
                    return names?.contains(name) ?? false
                }
            }
        }
        .map(\.0)
    }

    /// Returns the modules that imports make visible, with those that are re-exported by `@_exported`.
    private func modulesSeen(by imports: [ImportIndex.Import]) -> Set<String> {
        var seen: Set<String> = []
        var queue = imports.map(\.statement.module)
        while let module = queue.popLast() {
            guard seen.insert(module).inserted, let owner = checker.index.owners[module] else { continue }
            queue += (checker.index.sources[owner]?.imports ?? []).map(\.statement).filter(\.isExported).map(\.module)
        }
        return seen
    }

    /// Returns the modules that the compiler sees in the files of each target.
    private func imports(seenByTheCompilerIn targets: [GraphTarget]) -> [String: Set<String>] {
        let files = Dictionary(
            targets.map { target in
                let files = checker.index.sources[target.name]?.files ?? []
                return (target.name, files.map { CompilerImports.File(path: $0, defines: target.layout.defines) })
            },
            uniquingKeysWith: { first, _ in first }
        )
        let seen = checker.compiler.modules(in: files.values.joined())
        return files.mapValues { files in files.reduce(into: []) { $0.formUnion(seen[$1] ?? []) } }
    }

    private func finding(_ target: GraphTarget, _ name: String, _ modules: Set<String>) -> Finding {
        let dead = checker.index.sources[target.name]?.deadImports.first { modules.contains($0.statement.module) }
        let reason =
            dead.map {
                "imports it only at \($0.file):\($0.statement.line), in a branch of #if that nothing can compile"
            }
            ?? "does not import it"
        return Finding(
            .unused,
            target.name,
            name,
            [checker.site(of: name, in: target.name)],
            "\(target.name) declares \(name) but \(reason): remove the dependency"
        )
    }

    private static func table<Value: Sendable>(
        _ names: [String],
        _ value: @escaping @Sendable (String) -> Value
    ) -> [String: Value] {
        let names = Set(names).sorted()
        return Dictionary(zip(names, Parallel.map(names, value)), uniquingKeysWith: { first, _ in first })
    }
}
