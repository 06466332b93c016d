/// Todos with their subtasks below them.
public enum TodoTree {
    /// A todo of a tree.
    public struct Row: Hashable, Sendable {
        /// The todo.
        public let todo: Todo
        /// The number of its ancestors in the tree.
        public let depth: Int
    }

    /// Returns todos with the subtasks of each directly after it, otherwise in the given order.
    ///
    /// A todo whose parent is not among the todos is at the top. A cycle, which only another program can write, is cut at its
    /// first todo.
    public static func rows(_ todos: [Todo]) -> [Row] {
        let present = Set(todos.map(\.id))
        var children: [TodoID: [Todo]] = [:]
        var tops: [Todo] = []
        for todo in todos {
            if let parent = todo.parent, present.contains(parent) {
                children[parent, default: []].append(todo)
            } else {
                tops.append(todo)
            }
        }
        var rows: [Row] = []
        var seen: Set<TodoID> = []
        func add(_ roots: [Todo]) {
            var stack = roots.reversed().map { Row(todo: $0, depth: 0) }
            while let row = stack.popLast() {
                guard seen.insert(row.todo.id).inserted else { continue }
                rows.append(row)
                for child in (children[row.todo.id] ?? []).reversed() {
                    stack.append(Row(todo: child, depth: row.depth + 1))
                }
            }
        }
        add(tops)
        for todo in todos where !seen.contains(todo.id) { add([todo]) }
        return rows
    }
}
