extension PackageGraph {
    /// Returns the transitive reduction: the graph without the edges that a longer path implies, except those on cycles.
    ///
    /// - Parameter isKept: whether an edge stays in any case.
    /// - Returns: the reduced graph.
    func reduced(keeping isKept: (_ from: String, _ to: String) -> Bool = { _, _ in false }) -> PackageGraph {
        let reach = Reachability(self)
        var graph = self
        graph.update { target in
            let direct = dependencies(of: target.name)
            target.dependencies.removeAll { dependency in
                guard !isKept(target.name, dependency.name) else { return false }
                return direct.contains { other in
                    other != dependency.name && other != target.name
                        && reach.contains(dependency.name, from: other)
                        && !reach.contains(other, from: dependency.name)
                        && !reach.contains(target.name, from: other)
                }
            }
        }
        return graph
    }

    /// Returns the graph with all nodes below a folder replaced by one with the name of the folder.
    func collapsing(_ folder: String) -> PackageGraph {
        let folder = folder.droppingTrailingSlash
        let inside = Set(targets.filter { $0.folder == folder || $0.folder.hasPrefix(folder + "/") }.map(\.name))
        guard let first = targets.firstIndex(where: { inside.contains($0.name) }) else { return self }
        let label = folder + "/"
        var merged = GraphTarget(name: label, kind: .regular, folder: folder, dependencies: [])
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
    /// The first of equal dependencies. Those of one name with other conditions stay: an edge is conditional only if all are.
    fileprivate var uniqued: Self {
        var seen: Set<GraphTarget.Dependency> = []
        return filter { seen.insert($0).inserted }
    }
}

/// What each node of a graph reaches, as sets of bits.
private struct Reachability {
    private let places: [String: Int]
    private var sets: [[UInt64]]

    init(_ graph: PackageGraph) {
        let neighbours = graph.adjacency
        let words = (graph.targets.count + 63) / 64
        var sets: [[UInt64]?] = Array(repeating: nil, count: graph.targets.count)
        for start in graph.targets.indices {
            var set = Array(repeating: UInt64(0), count: words)
            var waiting = [start]
            while let node = waiting.popLast() {
                guard set[node / 64] & (1 << UInt64(node % 64)) == 0 else { continue }
                set[node / 64] |= 1 << UInt64(node % 64)
                if let known = sets[node] {
                    for word in known.indices { set[word] |= known[word] }
                } else {
                    waiting += neighbours[node]
                }
            }
            sets[start] = set
        }
        places = graph.index
        self.sets = sets.map { $0 ?? [] }
    }

    func contains(_ name: String, from start: String) -> Bool {
        guard let node = places[name], let start = places[start] else { return false }
        return sets[start][node / 64] & (1 << UInt64(node % 64)) != 0
    }
}
