/// The dependencies of all todos of a store as an import would leave them, by UUID.
struct TodoImportDependencies {
    private var links: [UUID: [UUID]] = [:]
    /// The todos whose dependencies the import changes, in the order of the file. Each cycle has one of them.
    private var changed: [UUID] = []

    /// Sets the dependencies of a todo.
    mutating func add(_ dependencies: [UUID], of todo: UUID, isNew: Bool) {
        // Most todos have none.
        if !dependencies.isEmpty || links[todo] != nil { links[todo] = dependencies }
        if isNew, !dependencies.isEmpty { changed.append(todo) }
    }

    /// Removes dependencies of changed todos until there is no cycle, in a time proportional to their number if there are few.
    ///
    /// - Returns: the removed ones, by the todo that would wait.
    mutating func cut() -> [UUID: [UUID]] {
        let cuttable = Set(changed)
        var cut: [UUID: [UUID]] = [:]
        // The todos from which every path has been searched.
        var finished: Set<UUID> = []
        for root in changed where !finished.contains(root) {
            /// The todos that wait for each other, the first one for all others, with the number of their next dependency.
            var path = [(todo: root, next: 0)]
            var onPath: Set<UUID> = [root]
            while let (todo, next) = path.last {
                guard let dependencies = links[todo], next < dependencies.count else {
                    finished.insert(todo)
                    onPath.remove(todo)
                    path.removeLast()
                    continue
                }
                path[path.count - 1].next += 1
                let other = dependencies[next]
                guard onPath.contains(other) else {
                    if !finished.contains(other) {
                        path.append((other, 0))
                        onPath.insert(other)
                    }
                    continue
                }
                // The last one of the cycle that the import has brought closes it. Without one, it was in the store.
                guard let start = path.lastIndex(where: { $0.todo == other }),
                    let place = path[start...].lastIndex(where: { cuttable.contains($0.todo) })
                else { continue }
                for passed in path[(place + 1)...] { onPath.remove(passed.todo) }
                path.removeSubrange((place + 1)...)
                path[place].next -= 1
                let (source, number) = path[place]
                if let removed = links[source]?.remove(at: number) { cut[source, default: []].append(removed) }
            }
        }
        return cut
    }
}
