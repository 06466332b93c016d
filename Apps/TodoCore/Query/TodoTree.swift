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
        let places = Dictionary(todos.enumerated().map { ($1.id, $0) }) { first, _ in first }
        let order = order(Array(todos.indices)) { todos[$0].parent.flatMap { places[$0] } }
        return order.map { Row(todo: todos[$0.element], depth: $0.depth) }
    }

    /// Returns elements with the children of each directly after it, otherwise in the given order.
    static func order<Element: Hashable>(
        _ elements: [Element],
        parent: (Element) -> Element?
    ) -> [(element: Element, depth: Int)] {
        guard elements.contains(where: { parent($0) != nil }) else { return elements.map { ($0, 0) } }
        var rest = Set(elements)
        var children: [Element: [Element]] = [:]
        var tops: [Element] = []
        for element in elements {
            if let parent = parent(element), rest.contains(parent) {
                children[parent, default: []].append(element)
            } else {
                tops.append(element)
            }
        }
        var rows: [(element: Element, depth: Int)] = []
        rows.reserveCapacity(elements.count)
        // What no top leads to is in a cycle.
        for root in tops + elements {
            var stack = [(element: root, depth: 0)]
            while let row = stack.popLast() {
                guard rest.remove(row.element) != nil else { continue }
                rows.append(row)
                for child in (children[row.element] ?? []).reversed() { stack.append((child, row.depth + 1)) }
            }
        }
        return rows
    }
}
