/// The contents of a list: which todos it shows, in which order and in which groups.
public struct TodoListRequest: Hashable, Sendable {
    /// The todos that are listed.
    public var filter: TodoFilter
    /// The order; `nil` for the display order with subtasks below their todos.
    public var sort: TodoSort?
    /// The headings; `nil` for a list without headings.
    public var grouping: TodoGrouping?

    /// Creates a request.
    public init(filter: TodoFilter, sort: TodoSort? = nil, grouping: TodoGrouping? = nil) {
        (self.filter, self.sort, self.grouping) = (filter, sort, grouping)
    }
}

/// The rows of a list: todos and the headings of groups.
///
/// A listing refers to the todos of its ``TodoSnapshot`` by index, so that copying it and reading a row take the same time
/// for every number of todos.
public struct TodoListing: Sendable {
    /// A row.
    public enum Row: Sendable {
        /// The heading of a group.
        case heading(Heading)
        /// A todo, with the number of its ancestors in the list.
        case todo(Todo, depth: Int)
    }

    /// The heading of a group.
    public struct Heading: Hashable, Sendable {
        /// The common value, such as `+home` or `2026-03-09`; `nil` for the todos without one.
        public let name: String?
        /// The number of todos in the group.
        public let count: Int
    }

    /// A row in eight bytes: the index of a todo with its depth, or that of a heading with the depth -1.
    fileprivate struct Entry: Sendable {
        let index: Int32
        let depth: Int32
    }

    fileprivate let snapshot: TodoSnapshot?
    fileprivate let entries: [Entry]
    fileprivate let headings: [Heading]
    /// The number of todos that pass the filter.
    public let matchCount: Int
    /// The row of the todo that ``TodoSnapshot/listing(_:locating:)`` was asked to locate.
    public let locatedRow: Int?
    /// Whether that todo exists, listed or not.
    public let isLocatedKnown: Bool

    /// The list without rows.
    public static let empty = TodoListing(
        snapshot: nil,
        entries: [],
        headings: [],
        matchCount: 0,
        locatedRow: nil,
        isLocatedKnown: false
    )

    /// The number of rows.
    public var count: Int { entries.count }

    /// The row at an index.
    public subscript(row: Int) -> Row? {
        guard entries.indices.contains(row), let snapshot else { return nil }
        let entry = entries[row]
        let index = Int(entry.index)
        return entry.depth < 0 ? .heading(headings[index]) : .todo(snapshot.todos[index], depth: Int(entry.depth))
    }

    /// The todo in a row; `nil` for a heading and outside of the list.
    public func todo(at row: Int) -> Todo? { index(at: row).flatMap { snapshot?.todos[$0] } }

    /// Whether a row contains a todo.
    public func isTodo(_ row: Int) -> Bool { index(at: row) != nil }

    /// The number of ancestors of the todo in a row; `nil` for a heading and outside of the list.
    public func depth(at row: Int) -> Int? { index(at: row).map { _ in Int(entries[row].depth) } }

    /// Whether the todo in a row is open and waits for another open one; false for a heading.
    public func isBlocked(at row: Int) -> Bool { index(at: row).flatMap { snapshot?.isBlocked(at: $0) } ?? false }

    /// The progress of the todo in a row; `nil` for a todo without subtasks and for a heading.
    public func progress(at row: Int) -> TodoProgress? { index(at: row).flatMap { snapshot?.progress[$0] } }

    /// The index of the todo in a row.
    private func index(at row: Int) -> Int? {
        guard entries.indices.contains(row), entries[row].depth >= 0 else { return nil }
        return Int(entries[row].index)
    }

    /// Returns the located row if it contains a todo.
    public func locatedRow(of id: TodoID) -> Int? { locatedRow.flatMap { self.id(at: $0) == id ? $0 : nil } }

    /// Returns the row of a todo that is at most `distance` rows away from another row.
    public func row(of id: TodoID, near row: Int, within distance: Int = 500) -> Int? {
        for step in 0...distance {
            for candidate in step == 0 ? [row] : [row + step, row - step] where self.id(at: candidate) == id {
                return candidate
            }
        }
        return nil
    }

    /// The ID of the todo in a row.
    public func id(at row: Int) -> TodoID? { index(at: row).flatMap { snapshot?.todos[$0].id } }

    /// Returns the IDs of all listed todos, outside the caller's actor.
    public func allIDs() async -> Set<TodoID> { Set((0..<count).compactMap { id(at: $0) }) }
}

extension TodoSnapshot {
    /// Returns the rows of a list, outside the caller's actor.
    ///
    /// - Parameters:
    ///   - request: the contents.
    ///   - id: a todo whose row is to be located; see ``TodoListing/locatedRow``.
    /// - Returns: the rows; `nil` if the task was cancelled.
    public func listing(_ request: TodoListRequest, locating id: TodoID? = nil) async -> TodoListing? {
        guard let matches = matches(request.filter) else { return nil }
        let listed: [Int32] =
            if let sort = request.sort {
                order(sort).filter { matches[Int($0)] }
            } else {
                matches.indices.lazy.filter { matches[$0] }.map { Int32($0) }
            }
        guard !Task.isCancelled else { return nil }
        var entries: [TodoListing.Entry] = []
        var headings: [TodoListing.Heading] = []
        if let grouping = request.grouping {
            let groups = groups(grouping)
            entries.reserveCapacity(listed.count + groups.names.count)
            for (number, indices) in groups.split(listed) {
                entries.append(TodoListing.Entry(index: Int32(headings.count), depth: -1))
                headings.append(TodoListing.Heading(name: groups.names[number], count: indices.count))
                for index in indices { entries.append(TodoListing.Entry(index: index, depth: 0)) }
            }
        } else if request.sort == nil, !parents.isEmpty {
            entries = TodoTree.order(listed, parents: parents).map {
                TodoListing.Entry(index: $0.index, depth: min($0.depth, 20))
            }
        } else {
            entries = listed.map { TodoListing.Entry(index: $0, depth: 0) }
        }
        let wanted = id.flatMap { index(of: $0) }
        let located = wanted.flatMap { wanted in entries.firstIndex { $0.index == wanted && $0.depth >= 0 } }
        return TodoListing(
            snapshot: self,
            entries: entries,
            headings: headings,
            matchCount: listed.count,
            locatedRow: located,
            isLocatedKnown: wanted != nil
        )
    }
}
