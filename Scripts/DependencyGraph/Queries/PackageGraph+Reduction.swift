extension PackageGraph {
    /// The graph without the edges that a longer way stands for; edges on cycles are kept.
    public func reduced() -> PackageGraph {
        let reach = Dictionary(uniqueKeysWithValues: targets.map { ($0.name, closure(of: [$0.name])) })
        var graph = self
        graph.targets = targets.map { target in
            var target = target
            let direct = dependencies(of: target.name)
            target.dependencies.removeAll { dependency in
                direct.contains { other in
                    other != dependency.name && other != target.name
                        && reach[other]?.contains(dependency.name) == true
                        && reach[dependency.name]?.contains(other) != true
                        && reach[other]?.contains(target.name) != true
                }
            }
            return target
        }
        return graph
    }

    /// The graph with all nodes below a folder drawn together as one, named for the folder.
    public func collapsing(_ folder: String) -> PackageGraph {
        let folder = folder.droppingTrailingSlash
        let inside = Set(targets.filter { $0.folder == folder || $0.folder.hasPrefix(folder + "/") }.map(\.name))
        guard let first = targets.firstIndex(where: { inside.contains($0.name) }) else { return self }
        let label = folder + "/"
        var merged = GraphTarget(
            name: label,
            kind: .regular,
            folder: folder,
            dependencies: [],
            excluded: [],
            package: nil
        )
        var outside: [GraphTarget] = []
        for var target in targets {
            if inside.contains(target.name) {
                merged.dependencies += target.dependencies.filter { !inside.contains($0.name) }
            } else {
                for index in target.dependencies.indices where inside.contains(target.dependencies[index].name) {
                    target.dependencies[index].name = label
                }
                target.dependencies = target.dependencies.uniqued
                outside.append(target)
            }
        }
        merged.dependencies = merged.dependencies.uniqued
        let before = targets[..<first].count { !inside.contains($0.name) }
        outside.insert(merged, at: before)
        return PackageGraph(name: name, root: root, targets: outside)
    }
}

extension [GraphTarget.Dependency] {
    /// One for each name, the first.
    fileprivate var uniqued: Self {
        var seen: Set<String> = []
        return filter { seen.insert($0.name).inserted }
    }
}
