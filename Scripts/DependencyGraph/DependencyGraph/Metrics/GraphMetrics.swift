/// Measures of a graph: how coupled its targets are, and what determines the time of a build.
struct GraphMetrics {
    /// The measures of a target.
    struct Entry: Encodable, Equatable {
        var name: String
        var kind: String
        /// The number of direct dependents.
        var fanIn: Int
        /// The number of direct dependencies.
        var fanOut: Int
        /// `fanOut / (fanIn + fanOut)`: 0 for a target that only others depend on, 1 for one that only depends on
        /// others, 0 for one without edges (R. C. Martin, "Agile Software Development", 2002).
        var instability: Double
        /// The number of edges on the longest path to a target without dependencies.
        var depth: Int
        /// The measured compile time; `nil` without a build log, or if the log does not have the target.
        var seconds: Double?
    }

    /// The targets whose compile times determine the shortest possible build time, in the order of the build.
    struct CriticalPath: Encodable, Equatable {
        var targets: [String]
        var seconds: Double
    }

    /// The targets, in the order of the graph.
    let entries: [Entry]
    /// A longest path along dependencies, from the dependent.
    let longestChain: [String]
    /// The path with the longest sum of compile times; `nil` without a build log.
    let criticalPath: CriticalPath?
    /// The sum of all compile times; `nil` without a build log.
    let totalSeconds: Double?
    /// The targets on cycles: a path counts the targets of a cycle once.
    let cyclic: [[String]]

    /// Measures a graph.
    ///
    /// - Parameters:
    ///   - graph: the targets and their dependencies.
    ///   - seconds: the compile time of each target, by its name.
    init(_ graph: PackageGraph, seconds: [String: Double]? = nil) {
        let dependents = graph.dependentsByName
        let chains = LongestPaths(graph) { _ in 1 }
        entries = graph.targets.map { target in
            let fanIn = dependents[target.name]?.count ?? 0
            let fanOut = graph.dependencies(of: target.name).count
            return Entry(
                name: target.name,
                kind: target.kind.rawValue,
                fanIn: fanIn,
                fanOut: fanOut,
                instability: fanIn + fanOut == 0 ? 0 : Double(fanOut) / Double(fanIn + fanOut),
                depth: chains.edges(below: target.name),
                seconds: seconds?[target.name]
            )
        }
        longestChain = chains.longest
        cyclic = graph.cyclicGroups
        if let seconds {
            let times = LongestPaths(graph) { $0.reduce(0) { $0 + (seconds[$1] ?? 0) } }
            criticalPath = CriticalPath(targets: times.longest.reversed(), seconds: times.length)
            totalSeconds = graph.targets.reduce(0) { $0 + (seconds[$1.name] ?? 0) }
        } else {
            criticalPath = nil
            totalSeconds = nil
        }
    }
}

/// The longest paths of a graph along dependencies, with a weight for each node. A cycle is one node.
private struct LongestPaths {
    private let graph: PackageGraph
    private var next: [String: String] = [:]
    private var lengths: [String: Double] = [:]
    private var groups: [String: [String]] = [:]

    init(_ graph: PackageGraph, weight: ([String]) -> Double) {
        self.graph = graph
        for group in graph.cyclicGroups { for name in group { groups[name] = group } }
        for name in order {
            let group = groups[name] ?? [name]
            guard lengths[name] == nil else { continue }
            let below = group.flatMap { graph.dependencies(of: $0) }.filter { !group.contains($0) }
            let longest = below.max { (lengths[$0] ?? 0) < (lengths[$1] ?? 0) }
            let length = weight(group) + (longest.flatMap { lengths[$0] } ?? 0)
            for member in group {
                lengths[member] = length
                next[member] = longest
            }
        }
    }

    /// The nodes with each one after those that it depends on; a cycle is in the order of its first node.
    private var order: [String] {
        var order: [String] = []
        var done: Set<String> = []
        for target in graph.targets {
            var path: [(name: String, index: Int)] = [(target.name, 0)]
            guard done.insert(target.name).inserted else { continue }
            while let (name, index) = path.last {
                let below = (groups[name] ?? [name]).flatMap { graph.dependencies(of: $0) }
                if index < below.count {
                    path[path.count - 1].index += 1
                    if done.insert(below[index]).inserted { path.append((below[index], 0)) }
                } else {
                    order.append(name)
                    path.removeLast()
                }
            }
        }
        return order
    }

    /// The nodes of a longest path, from the dependent.
    var longest: [String] {
        var path: [String] = []
        var name = graph.targets.map(\.name).max { (lengths[$0] ?? 0) < (lengths[$1] ?? 0) }
        while let current = name {
            path.append(current)
            name = next[current]
        }
        return path
    }

    /// The total weight of the longest path.
    var length: Double { lengths.values.max() ?? 0 }

    /// Returns the number of edges of the longest path below a node.
    func edges(below name: String) -> Int {
        var count = 0
        var current = next[name]
        while let step = current {
            count += 1
            current = next[step]
        }
        return count
    }
}
