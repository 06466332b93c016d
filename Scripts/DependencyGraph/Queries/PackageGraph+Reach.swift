extension PackageGraph {
    /// All nodes that `names` need, directly or not, themselves included.
    public func closure(of names: some Sequence<String>) -> Set<String> {
        walk(from: names) { dependencies(of: $0) }
    }

    /// All nodes that need one of `names`, directly or not, themselves included.
    public func reverseClosure(of names: some Sequence<String>) -> Set<String> {
        let dependents = dependentsByName
        return walk(from: names) { dependents[$0] ?? [] }
    }

    /// The nodes within `depth` edges of a node, in both directions; all that it needs or that needs it for nil.
    public func neighbourhood(of name: String, depth: Int?) -> Set<String> {
        let dependents = dependentsByName
        return walk(from: [name], depth: depth) { dependencies(of: $0) }
            .union(walk(from: [name], depth: depth) { dependents[$0] ?? [] })
    }

    /// The shortest way from one node to another along its dependencies; nil when there is none.
    public func shortestPath(from start: String, to end: String) -> [String]? {
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

    /// The nodes that lie on any way from one node to another.
    public func between(_ start: String, _ end: String) -> Set<String> {
        closure(of: [start]).intersection(reverseClosure(of: [end]))
    }

    /// Each node's dependents.
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
