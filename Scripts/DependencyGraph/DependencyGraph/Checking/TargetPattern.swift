import TextEscaping

/// A pattern of a rules file.
enum TargetPattern {
    case name(String), folder(String), tag(String), product(String), package(String), kind(String)

    init(_ text: String) {
        for (prefix, make) in Self.prefixes where text.hasPrefix(prefix) {
            self = make(String(text.dropFirst(prefix.count)))
            return
        }
        self = text.contains("/") ? .folder(text) : .name(text)
    }

    private static let prefixes: [(String, @Sendable (String) -> TargetPattern)] = [
        ("tag:", { .tag($0) }), ("product:", { .product($0) }), ("package:", { .package($0) }),
        ("kind:", { .kind($0) }),
    ]

    /// Whether a pattern with `*` for any text matches a text.
    ///
    /// After a mismatch only the last `*` takes more text, so that the time is at most the product of the lengths.
    static func glob(_ pattern: String, _ text: String) -> Bool {
        let (pattern, text) = (Array(pattern.utf8), Array(text.utf8))
        var (index, place) = (0, 0)
        var retry: (index: Int, place: Int)?
        while place < text.count {
            if index < pattern.count, pattern[index] == UInt8(ascii: "*") {
                retry = (index, place)
                index += 1
            } else if index < pattern.count, pattern[index] == text[place] {
                index += 1
                place += 1
            } else if let last = retry {
                retry = (last.index, last.place + 1)
                (index, place) = (last.index + 1, last.place + 1)
            } else {
                return false
            }
        }
        return pattern[index...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

extension DependencyRules {
    /// Whether one of the patterns matches a target.
    func matches(_ patterns: [String], _ target: GraphTarget, in graph: PackageGraph) -> Bool {
        patterns.contains { matches($0, target, in: graph, depth: 0) }
    }

    /// Whether a pattern matches a target, after `depth` tags; their number is limited, since a tag may contain itself.
    private func matches(_ pattern: String, _ target: GraphTarget, in graph: PackageGraph, depth: Int) -> Bool {
        switch TargetPattern(pattern) {
        case .name(let name): return TargetPattern.glob(name, target.name)
        case .folder(let folder): return TargetPattern.glob(folder, target.folder)
        case .tag(let tag):
            guard depth < 8 else { return false }
            return (tags[tag] ?? []).contains { matches($0, target, in: graph, depth: depth + 1) }
        case .product(let name):
            if let product = target.product { return TargetPattern.glob(name, product) }
            return graph.products.contains { TargetPattern.glob(name, $0.name) && $0.targets.contains(target.name) }
        case .package(let identity):
            return target.kind == .product
                && TargetPattern.glob(identity.lowercased(), target.package?.lowercased() ?? "")
        case .kind(let kind): return target.kind.rawValue == kind
        }
    }

    /// Checks that every pattern names something in the package.
    ///
    /// - Throws: ``GraphError/rules(path:message:)`` with all patterns that name nothing, and the nearest name of each.
    func validate(for graph: PackageGraph) throws {
        var wrong: [String] = []
        let cycles = tagCycles
        func advice(_ pattern: String) -> String {
            if case .tag(let tag) = TargetPattern(pattern), let cycle = cycles.first(where: { $0.contains(tag) }) {
                return "; the tags form a cycle: \(cycle.joined(separator: " -> "))"
            }
            return nearest(to: pattern, in: graph).map { "; did you mean \($0)?" } ?? ""
        }
        func check(_ patterns: [String]?, _ place: String) {
            for pattern in patterns ?? [] where !graph.targets.contains(where: { matches([pattern], $0, in: graph) }) {
                wrong.append("\"\(pattern)\" in \(place) names nothing in the package\(advice(pattern))")
            }
        }
        for (tag, patterns) in tags.sorted(by: { $0.key < $1.key }) { check(patterns, "the tag \"\(tag)\"") }
        check(anywhere, "\"anywhere\"")
        check(testOnly, "\"testOnly\"")
        check(unused, "\"unused\"")
        for rule in rules {
            check(rule.targets, "\"targets\"")
            check(rule.allow, "\"allow\"")
            check(rule.forbid, "\"forbid\"")
        }
        for layer in layers { check(layer.targets, "the layer \"\(layer.name)\"") }
        for entry in platforms {
            check(entry.targets, "\"platforms\"")
            let known = CompilationCondition.platforms
            for name in entry.only where !known.contains(name) {
                let nearest = NearestName.of(name, among: known).map { "; did you mean \($0)?" } ?? ""
                wrong.append("\"\(name)\" in \"only\" is not a platform\(nearest)")
            }
        }
        for entry in reads {
            check(entry.targets, "\"reads\"")
            for path in entry.paths where !exists(path, below: graph.root) {
                wrong.append("\"\(path)\" in \"reads\" is not a file of the package")
            }
        }
        guard wrong.isEmpty else { throw GraphError.rules(path: file, message: wrong.joined(separator: "\n  ")) }
    }

    /// The tags that contain each other, with the first one at both ends.
    private var tagCycles: [[String]] {
        let nodes = tags.sorted { $0.key < $1.key }.map { tag, patterns in
            let dependencies = patterns.compactMap { pattern in
                if case .tag(let other) = TargetPattern(pattern) { GraphTarget.Dependency(name: other) } else { nil }
            }
            return GraphTarget(name: tag, kind: .regular, folder: "", dependencies: dependencies)
        }
        return PackageGraph(name: "", root: "", targets: nodes).cycles
    }

    /// Returns the pattern with the name that is nearest to that of a pattern that matches nothing.
    func nearest(to pattern: String, in graph: PackageGraph) -> String? {
        func suggestion(_ word: String, _ candidates: [String], _ prefix: String) -> String? {
            NearestName.of(word, among: candidates.filter { $0 != word }).map { prefix + $0 }
        }
        return switch TargetPattern(pattern) {
        case .name(let name): suggestion(name, graph.targets.map(\.name), "")
        case .folder(let folder): suggestion(folder, graph.targets.map(\.folder).filter { !$0.isEmpty }, "")
        case .tag(let tag): suggestion(tag, tags.keys.sorted(), "tag:")
        case .product(let name):
            suggestion(name, graph.products.map(\.name) + graph.targets.compactMap(\.product), "product:")
        case .package(let name): suggestion(name, graph.targets.compactMap(\.package), "package:")
        case .kind(let kind):
            suggestion(
                kind,
                ["regular", "executable", "test", "macro", "plugin", "system", "binary", "product"],
                "kind:"
            )
        }
    }

    /// Whether a path exists; of one with a `*`, the folder before it.
    private func exists(_ path: String, below root: String) -> Bool {
        let fixed = path.prefix { $0 != "*" }
        let folder = fixed.count == path.count ? path : String(fixed[..<(fixed.lastIndex(of: "/") ?? fixed.startIndex)])
        return Files.exists("\(root)/\(folder)")
    }
}

/// The targets that each pattern of a rules file matches, computed once.
struct PatternTable {
    private let names: [String: Set<String>]

    init(rules: DependencyRules, graph: PackageGraph) {
        let patterns =
            rules.anywhere + rules.rules.flatMap { $0.targets + ($0.allow ?? []) + ($0.forbid ?? []) }
            + rules.layers.flatMap(\.targets) + rules.platforms.flatMap(\.targets)
        var names: [String: Set<String>] = [:]
        for pattern in Set(patterns) {
            names[pattern] = Set(graph.targets.filter { rules.matches([pattern], $0, in: graph) }.map(\.name))
        }
        self.names = names
    }

    /// Whether one of the patterns matches the target with a name.
    func matches(_ patterns: [String], _ target: String) -> Bool {
        patterns.contains { names[$0]?.contains(target) ?? false }
    }
}
