extension PackageGraph {
    /// A shortest cycle of each strongly connected group of nodes, with its first node at both ends.
    var cycles: [[String]] {
        cyclicGroups.map { group in
            let first = group[0]
            let part = subgraph(of: Set(group))
            let shortest = part.dependencies(of: first)
                .compactMap { part.shortestPath(from: $0, to: first) }
                .min { $0.count < $1.count }
            return [first] + (shortest ?? [first])
        }
    }

    /// The strongly connected groups of nodes on cycles, by Tarjan's algorithm without recursion: a chain of dependencies
    /// may be longer than the stack of a thread.
    var cyclicGroups: [[String]] {
        let neighbours = adjacency
        var order = Array(repeating: -1, count: targets.count)
        var low = order
        var isOpen = Array(repeating: false, count: targets.count)
        var open: [Int] = []
        var next = 0
        var found: [[Int]] = []
        for root in targets.indices where order[root] < 0 {
            var path: [(node: Int, edge: Int)] = [(root, 0)]
            while let (node, edge) = path.last {
                if edge == 0 {
                    order[node] = next
                    low[node] = next
                    next += 1
                    open.append(node)
                    isOpen[node] = true
                }
                if edge < neighbours[node].count {
                    path[path.count - 1].edge += 1
                    let other = neighbours[node][edge]
                    if order[other] < 0 {
                        path.append((other, 0))
                    } else if isOpen[other] {
                        low[node] = min(low[node], order[other])
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last?.node { low[parent] = min(low[parent], low[node]) }
                guard low[node] == order[node] else { continue }
                var group: [Int] = []
                while let last = open.popLast() {
                    isOpen[last] = false
                    group.append(last)
                    if last == node { break }
                }
                if group.count > 1 || neighbours[node].contains(node) { found.append(group.sorted()) }
            }
        }
        return found.sorted { $0[0] < $1[0] }.map { $0.map { targets[$0].name } }
    }

    /// The indices of the direct dependencies of each node.
    var adjacency: [[Int]] { targets.map { dependencies(of: $0.name).compactMap { index[$0] } } }
}
