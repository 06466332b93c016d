extension PackageGraph {
    /// A shortest cycle of each group of nodes that need each other, its first node at both ends.
    public var cycles: [[String]] {
        var seen: Set<String> = []
        var found: [[String]] = []
        for target in targets where !seen.contains(target.name) {
            let shortest = dependencies(of: target.name)
                .compactMap { shortestPath(from: $0, to: target.name) }
                .min { $0.count < $1.count }
            guard let shortest else { continue }
            found.append([target.name] + shortest)
            // The rest of the group lies on cycles with this node; one of them is enough to begin with.
            let group = closure(of: [target.name]).intersection(reverseClosure(of: [target.name]))
            seen.formUnion(group)
        }
        return found
    }
}
