extension PackageGraph {
    /// Returns the nodes that `names` depend on, directly or not, and `names`.
    func closure(of names: some Sequence<String>) -> Set<String> {
        walk(from: names) { dependencies(of: $0) }
    }

    /// Returns the nodes that depend on one of `names`, directly or not, and `names`.
    func reverseClosure(of names: some Sequence<String>) -> Set<String> {
        let dependents = dependentsByName
        return walk(from: names) { dependents[$0] ?? [] }
    }

    /// Returns the nodes within `depth` edges of a node in both directions; without a limit if it is `nil`.
    func neighbourhood(of name: String, depth: Int?) -> Set<String> {
        let dependents = dependentsByName
        return walk(from: [name], depth: depth) { dependencies(of: $0) }
            .union(walk(from: [name], depth: depth) { dependents[$0] ?? [] })
    }

    /// Returns the shortest path along dependencies from one node to another, or `nil` if there is none.
    func shortestPath(from start: String, to end: String) -> [String]? {
        var previous: [String: String] = [start: start]
        var queue = [start]
        var next = 0
        while next < queue.count {
            let name = queue[next]
            next += 1
            for dependency in dependencies(of: name) where previous[dependency] == nil {
                previous[dependency] = name
                queue.append(dependency)
            }
        }
        guard previous[end] != nil else { return nil }
        var path = [end]
        while let last = path.last, last != start, let step = previous[last] { path.append(step) }
        return path.reversed()
    }

    /// Returns the nodes that are on any path from one node to another.
    func between(_ start: String, _ end: String) -> Set<String> {
        closure(of: [start]).intersection(reverseClosure(of: [end]))
    }

    /// The dependents of each node.
    var dependentsByName: [String: [String]] {
        var dependents: [String: [String]] = [:]
        for edge in edges { dependents[edge.to, default: []].append(edge.from) }
        return dependents
    }

    private func walk(
        from names: some Sequence<String>,
        depth: Int? = nil,
        _ neighbours: (String) -> [String]
    ) -> Set<String> {
        var found = Set(names)
        var edge = Array(found)
        var steps = 0
        while !edge.isEmpty, depth.map({ steps < $0 }) ?? true {
            edge = edge.flatMap(neighbours).filter { found.insert($0).inserted }
            steps += 1
        }
        return found
    }
}
