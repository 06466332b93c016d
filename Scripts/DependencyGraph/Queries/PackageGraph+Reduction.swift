extension PackageGraph {
    /// Returns the transitive reduction: the graph without the edges that a longer path implies, except those on cycles.
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

    /// Returns the graph with all nodes below a folder replaced by one with the name of the folder.
    public func collapsing(_ folder: String) -> PackageGraph {
        let folder = folder.droppingTrailingSlash
        let inside = Set(targets.filter { $0.folder == folder || $0.folder.hasPrefix(folder + "/") }.map(\.name))
        guard let first = targets.firstIndex(where: { inside.contains($0.name) }) else { return self }
        let label = folder + "/"
        var merged = GraphTarget(
            name: label,
            kind: .regular,
            folder: folder,
            dependencies: []
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
        var graph = self
        graph.targets = outside
        return graph
    }
}

extension [GraphTarget.Dependency] {
    /// The first dependency of each name.
    fileprivate var uniqued: Self {
        var seen: Set<String> = []
        return filter { seen.insert($0.name).inserted }
    }
}
