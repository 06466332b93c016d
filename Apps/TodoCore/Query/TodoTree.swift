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
        let places = Dictionary(todos.enumerated().map { ($1.id, Int32($0)) }) { first, _ in first }
        let parents = todos.map { $0.parent.flatMap { places[$0] } ?? -1 }
        return order(0..<Int32(clamping: todos.count), parents: parents).map { index, depth in
            Row(todo: todos[Int(index)], depth: Int(depth))
        }
    }

    /// Returns some of many todos with the subtasks of each directly after it, otherwise in the given order.
    ///
    /// - Parameters:
    ///   - indices: the indices of the todos in their order.
    ///   - parents: the index of the parent of each of all todos; -1 for one without a parent.
    /// - Returns: the indices, each with the number of its ancestors among them.
    static func order(
        _ indices: some BidirectionalCollection<Int32>,
        parents: [Int32]
    ) -> [(index: Int32, depth: Int32)] {
        // Lists of children in arrays: a dictionary takes ten times as long.
        var isRest = [Bool](repeating: false, count: parents.count)
        for index in indices { isRest[Int(index)] = true }
        var first = [Int32](repeating: -1, count: parents.count)
        var next = first
        var tops: [Int32] = []
        for index in indices.reversed() {
            let parent = Int(parents[Int(index)])
            if parent >= 0, isRest[parent] {
                next[Int(index)] = first[parent]
                first[parent] = index
            } else {
                tops.append(index)
            }
        }
        var rows: [(index: Int32, depth: Int32)] = []
        rows.reserveCapacity(indices.count)
        func add(_ root: Int32) {
            isRest[Int(root)] = false
            rows.append((root, 0))
            var stack: [(index: Int32, depth: Int32)] = [(first[Int(root)], 1)]
            while let (index, depth) = stack.popLast() {
                guard index >= 0 else { continue }
                stack.append((next[Int(index)], depth))
                guard isRest[Int(index)] else { continue }
                isRest[Int(index)] = false
                rows.append((index, depth))
                stack.append((first[Int(index)], depth + 1))
            }
        }
        for root in tops.reversed() { add(root) }
        // What no top leads to is in a cycle.
        if rows.count < indices.count { for root in indices where isRest[Int(root)] { add(root) } }
        return rows
    }
}
