/// A fault in the graph of a package.
public struct Finding: Sendable, Equatable, Encodable, CustomStringConvertible {
    /// The kind of a fault.
    public enum Kind: String, Sendable, Encodable {
        case cycle, forbidden, undeclared, unused
    }

    /// The kind of the fault.
    public var kind: Kind
    /// The target at fault.
    public var target: String
    /// The dependency concerned.
    public var dependency: String
    /// The path of the file below the package's folder.
    public var file: String
    /// The line, counted from 1.
    public var line: Int
    /// What is wrong and what to do.
    public var message: String

    /// The finding in the format of a compiler error, which editors understand.
    public var description: String {
        "\(file):\(line): \(kind.rawValue): \(message)"
    }
}

/// Checks that a package has no cycles, satisfies its rules, declares every import and uses every dependency.
public struct GraphChecker {
    private let graph: PackageGraph
    private let rules: DependencyRules
    private let tree: SourceTree
    private let manifest: [Substring]

    /// The imports of each target that has Swift sources, by file.
    private var imports: [String: [(file: String, statement: ImportStatement)]] = [:]
    /// The module names of each target.
    private var modules: [String: Set<String>] = [:]

    /// Reads the sources of the package's targets.
    ///
    /// - Throws: ``GraphError/file(path:message:)`` if a file cannot be read.
    public init(graph: PackageGraph, rules: DependencyRules) throws {
        self.graph = graph
        self.rules = rules
        tree = SourceTree(graph: graph)
        manifest = String(decoding: try tree.bytes(of: "Package.swift"), as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        for target in graph.targets where target.kind != .product && target.kind != .binary {
            let files = tree.listing(of: target).sources
            modules[target.name] = [target.moduleName]
            for file in files where file.hasSuffix(".modulemap") {
                modules[target.name]?.formUnion(
                    Self.modules(inMap: String(decoding: try tree.bytes(of: file), as: UTF8.self))
                )
            }
            let sources = files.filter { $0.hasSuffix(".swift") }
            guard !sources.isEmpty else { continue }
            var found: [(file: String, statement: ImportStatement)] = []
            for file in sources {
                found += ImportScanner.imports(in: String(decoding: try tree.bytes(of: file), as: UTF8.self)).map {
                    (file, $0)
                }
            }
            imports[target.name] = found
        }
    }

    /// Returns all findings, by kind, then in the order of the manifest.
    public func findings() -> [Finding] {
        cycles() + forbidden() + undeclared() + unused()
    }

    // MARK: - Kinds

    private func cycles() -> [Finding] {
        graph.cycles.map { cycle in
            Finding(
                kind: .cycle,
                target: cycle[0],
                dependency: cycle[1],
                file: "Package.swift",
                line: manifestLine(of: cycle[0]),
                message: "\(cycle.joined(separator: " -> ")): break the cycle at one of these edges"
            )
        }
    }

    private func forbidden() -> [Finding] {
        var found: [Finding] = []
        for target in graph.targets {
            for rule in rules.rules where rule.targets.contains(where: { DependencyRules.matches($0, target) }) {
                found += direct(of: target, against: rule)
                found += reached(from: target, against: rule)
            }
        }
        return found
    }

    /// Returns the direct dependencies, declared or imported, that a rule does not allow.
    private func direct(of target: GraphTarget, against rule: DependencyRules.Rule) -> [Finding] {
        guard let allow = rule.allow else { return [] }
        let allowed = allow + rules.anywhere
        return needs(of: target).compactMap { name in
            guard let dependency = graph[name], !allowed.contains(where: { DependencyRules.matches($0, dependency) })
            else { return nil }
            return finding(
                target,
                name,
                "\(target.name) must not depend on \(name); allowed: "
                    + (allowed.isEmpty ? "nothing" : allowed.joined(separator: ", ")),
                rule
            )
        }
    }

    /// Returns the direct and indirect dependencies that a rule forbids, with the path to each.
    private func reached(from target: GraphTarget, against rule: DependencyRules.Rule) -> [Finding] {
        guard let forbid = rule.forbid else { return [] }
        let reach = graph.closure(of: needs(of: target))
        return graph.targets.filter { other in
            other.name != target.name && reach.contains(other.name)
                && forbid.contains { DependencyRules.matches($0, other) }
        }
        .map { other in
            let path = graph.shortestPath(from: target.name, to: other.name) ?? [target.name, other.name]
            return finding(
                target,
                path.count > 1 ? path[1] : other.name,
                "\(target.name) must not reach \(other.name): \(path.joined(separator: " -> "))",
                rule
            )
        }
    }

    private func undeclared() -> [Finding] {
        let owners = owners
        var found: [Finding] = []
        for target in graph.targets where target.kind != .plugin {
            let declared = Set(graph.dependencies(of: target.name))
            var seen: Set<String> = []
            for (file, statement) in imports[target.name] ?? [] {
                guard let owner = owners[statement.module], owner != target.name, !declared.contains(owner),
                    // `#if canImport(X)` makes the dependency optional.
                    !statement.guards.contains(statement.module), seen.insert("\(file) \(owner)").inserted
                else { continue }
                found.append(
                    Finding(
                        kind: .undeclared,
                        target: target.name,
                        dependency: owner,
                        file: file,
                        line: statement.line,
                        message: "\(target.name) imports \(statement.module) without declaring it: "
                            + "add \"\(owner)\" to its dependencies in Package.swift, or remove the import"
                    )
                )
            }
        }
        return found
    }

    private func unused() -> [Finding] {
        var found: [Finding] = []
        for target in graph.targets {
            // The imports of C sources, and of sources that a plugin generates, are unknown.
            guard target.kind != .plugin, let own = imports[target.name],
                !target.dependencies.contains(where: \.isPlugin)
            else { continue }
            let used = modulesSeen(by: own.map(\.statement))
            for name in graph.dependencies(of: target.name) {
                guard let dependency = graph[name], [.regular, .system].contains(dependency.kind),
                    let names = modules[name], used.isDisjoint(with: names),
                    !rules.unused.contains(where: { DependencyRules.matches($0, dependency) })
                else { continue }
                found.append(
                    Finding(
                        kind: .unused,
                        target: target.name,
                        dependency: name,
                        file: "Package.swift",
                        line: manifestLine(of: target.name),
                        message: "\(target.name) declares \(name) but does not import it: remove the dependency"
                    )
                )
            }
        }
        return found
    }

    // MARK: - Parts

    /// Returns the dependencies that a target declares, and those in this package that it imports.
    private func needs(of target: GraphTarget) -> [String] {
        let declared = graph.dependencies(of: target.name)
        let owners = owners
        var seen = Set(declared + [target.name])
        let imported = (imports[target.name] ?? []).compactMap { owners[$0.statement.module] }
            .filter { seen.insert($0).inserted }
        return declared + imported
    }

    /// The target of each module.
    private var owners: [String: String] {
        var owners: [String: String] = [:]
        for target in graph.targets { for module in modules[target.name] ?? [] { owners[module] = target.name } }
        return owners
    }

    /// Returns the modules that imports make visible, with those that are re-exported by `@_exported`.
    private func modulesSeen(by statements: [ImportStatement]) -> Set<String> {
        let owners = owners
        var seen: Set<String> = []
        var queue = statements.map(\.module)
        while let module = queue.popLast() {
            guard seen.insert(module).inserted, let owner = owners[module] else { continue }
            queue += (imports[owner] ?? []).map(\.statement).filter(\.isExported).map(\.module)
        }
        return seen
    }

    private func finding(
        _ target: GraphTarget,
        _ dependency: String,
        _ message: String,
        _ rule: DependencyRules.Rule
    ) -> Finding {
        let names = modules[dependency] ?? []
        let place = imports[target.name]?.first { names.contains($0.statement.module) }
        return Finding(
            kind: .forbidden,
            target: target.name,
            dependency: dependency,
            file: place?.file ?? "Package.swift",
            line: place?.statement.line ?? manifestLine(of: target.name),
            message: message + (rule.because.map { " (\($0))" } ?? "")
        )
    }

    /// Returns the line of the manifest that declares a target, or else the first one with its name.
    private func manifestLine(of target: String) -> Int {
        var candidates = ["name: \"\(target)\"", "(\"\(target)\"", "\"\(target)\""]
        if target.hasSuffix("Tests") {
            // A function of the manifest may form "NeedleKitTests" from "NeedleKit".
            let module = "\"\(target.dropLast(5))\""
            candidates += ["ests(\(module)", "(\(module)"]
            let next = manifest.indices.dropFirst().first {
                manifest[$0 - 1].hasSuffix("ests(") && manifest[$0].contains(module)
            }
            if let next, !manifest.contains(where: { $0.contains("\"\(target)\"") }) { return next + 1 }
        }
        for candidate in candidates {
            if let index = manifest.firstIndex(where: { $0.contains(candidate) && !$0.contains("package(") }) {
                return index + 1
            }
        }
        return 1
    }

    /// Returns the modules that a module map declares.
    private static func modules(inMap text: String) -> [String] {
        let words = text.split { $0.isWhitespace || $0 == "{" }
        return words.indices.dropLast().filter { words[$0] == "module" }.map {
            words[$0 + 1].filter { $0 != "\"" }
        }
    }
}
