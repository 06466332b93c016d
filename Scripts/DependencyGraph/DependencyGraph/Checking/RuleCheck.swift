/// Finds the dependencies that the rules file does not allow.
struct RuleCheck {
    let checker: GraphChecker

    private var graph: PackageGraph { checker.graph }
    private var rules: DependencyRules { checker.rules }

    /// Returns the findings of all rules, in the order of the targets, then those of the platforms.
    func findings() -> [Finding] {
        guard !rules.rules.isEmpty || !rules.layers.isEmpty || !rules.platforms.isEmpty else { return [] }
        let patterns = PatternTable(rules: rules, graph: graph)
        var found: [Finding] = []
        for target in graph.targets where target.kind != .product {
            let needs = needs(of: target)
            found += layers(of: target, needs, patterns)
            let own = rules.rules.filter { patterns.matches($0.targets, target.name) }
            guard !own.isEmpty else { continue }
            let reach = own.contains { $0.forbid != nil } ? graph.closure(of: needs) : []
            for rule in own {
                found += direct(of: target, needs, rule, patterns)
                found += reached(from: target, reach, rule, patterns)
            }
        }
        return found + platforms(patterns)
    }

    /// Returns the direct dependencies, declared or imported, that a rule does not allow.
    private func direct(
        of target: GraphTarget,
        _ needs: [String],
        _ rule: DependencyRules.Rule,
        _ patterns: PatternTable
    ) -> [Finding] {
        guard let allow = rule.allow else { return [] }
        let allowed = allow + rules.anywhere
        let list = allowed.isEmpty ? "nothing" : allowed.joined(separator: ", ")
        return needs.filter { graph[$0] != nil && !patterns.matches(allowed, $0) }.map { name in
            finding(target, name, "\(target.name) must not depend on \(name); allowed: \(list)", rule.because)
        }
    }

    /// Returns the direct and indirect dependencies that a rule forbids, with the path to each.
    private func reached(
        from target: GraphTarget,
        _ reach: Set<String>,
        _ rule: DependencyRules.Rule,
        _ patterns: PatternTable
    ) -> [Finding] {
        guard let forbid = rule.forbid else { return [] }
        return graph.targets.filter { other in
            other.name != target.name && reach.contains(other.name) && patterns.matches(forbid, other.name)
        }
        .map { other in
            let path = graph.shortestPath(from: target.name, to: other.name) ?? [target.name, other.name]
            return finding(
                target,
                path.count > 1 ? path[1] : other.name,
                "\(target.name) must not reach \(other.name): \(path.joined(separator: " -> "))",
                rule.because
            )
        }
    }

    /// Returns the direct dependencies on a higher layer, or on another target of the same layer if that is isolated.
    private func layers(of target: GraphTarget, _ needs: [String], _ patterns: PatternTable) -> [Finding] {
        guard let own = rules.layers.firstIndex(where: { patterns.matches($0.targets, target.name) }) else { return [] }
        return needs.compactMap { name in
            guard let other = rules.layers.firstIndex(where: { patterns.matches($0.targets, name) }) else { return nil }
            let (layer, upper) = (rules.layers[own], rules.layers[other])
            if other < own {
                let message =
                    "\(target.name) of the layer \(layer.name) must not depend on \(name) of the higher layer \(upper.name)"
                return finding(target, name, message, layer.because)
            }
            guard other == own, layer.isolated else { return nil }
            let message =
                "\(target.name) must not depend on \(name): the targets of the layer \(layer.name) are independent"
            return finding(target, name, message, layer.because)
        }
    }

    /// Returns the dependencies on a target that is for some platforms only, where neither the condition of the dependency nor
    /// the rules of the target restrict it to these.
    private func platforms(_ patterns: PatternTable) -> [Finding] {
        guard !rules.platforms.isEmpty else { return [] }
        func platforms(of name: String) -> Set<String>? {
            rules.platforms.filter { patterns.matches($0.targets, name) }.map { Set($0.only) }
                .reduce(nil as Set<String>?) { all, next in all.map { $0.intersection(next) } ?? next }
        }
        return graph.targets.flatMap { target in
            let own = platforms(of: target.name)
            return target.dependencies.compactMap { dependency -> Finding? in
                guard let allowed = platforms(of: dependency.name) else { return nil }
                let edge =
                    dependency.platforms.isEmpty
                    ? own : Set(dependency.platforms).intersection(own ?? Set(dependency.platforms))
                if let edge, edge.isSubset(of: allowed) { return nil }
                let list = allowed.sorted().joined(separator: ", ")
                let excess = edge.map { $0.subtracting(allowed).sorted().joined(separator: ", ") } ?? "all platforms"
                let rule = rules.platforms.first { patterns.matches($0.targets, dependency.name) }
                return Finding(
                    .platform,
                    target.name,
                    dependency.name,
                    [checker.site(of: dependency.name, in: target.name)],
                    "\(target.name) depends on \(dependency.name) on \(excess), but that is for \(list) only: add a condition "
                        + "to the dependency" + (rule?.because.map { " (\($0))" } ?? "")
                )
            }
        }
    }

    // MARK: - Parts

    /// Returns the dependencies that a target declares, and those in this package that it imports.
    private func needs(of target: GraphTarget) -> [String] {
        let declared = graph.dependencies(of: target.name)
        var seen = Set(declared + [target.name])
        let imported = (checker.index.sources[target.name]?.imports ?? [])
            .compactMap { checker.index.owners[$0.statement.module] }
            .filter { seen.insert($0).inserted }
        return declared + imported
    }

    private func finding(_ target: GraphTarget, _ dependency: String, _ message: String, _ because: String?) -> Finding
    {
        let imports = checker.index.sites(from: target.name, to: dependency)
        return Finding(
            .forbidden,
            target.name,
            dependency,
            imports.isEmpty ? [checker.site(of: dependency, in: target.name)] : imports,
            message + (because.map { " (\($0))" } ?? "")
        )
    }
}
