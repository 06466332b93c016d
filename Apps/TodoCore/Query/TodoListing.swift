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

    fileprivate enum Entry: Sendable {
        case heading(Int)
        case todo(Int, depth: Int)
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
        switch entries[row] {
        case .heading(let index): return .heading(headings[index])
        case .todo(let index, let depth): return .todo(snapshot.todos[index], depth: depth)
        }
    }

    /// The todo in a row; `nil` for a heading and outside of the list.
    public func todo(at row: Int) -> Todo? {
        if case .todo(let todo, _) = self[row] { return todo }
        return nil
    }

    /// Whether a row contains a todo.
    public func isTodo(_ row: Int) -> Bool {
        guard entries.indices.contains(row), case .todo = entries[row] else { return false }
        return true
    }

    /// Whether the todo in a row is open and waits for another open one; false for a heading.
    public func isBlocked(at row: Int) -> Bool {
        guard entries.indices.contains(row), let snapshot, case .todo(let index, _) = entries[row] else { return false }
        return snapshot.isBlocked(at: index)
    }

    /// The progress of the todo in a row; `nil` for a todo without subtasks and for a heading.
    public func progress(at row: Int) -> TodoProgress? {
        guard entries.indices.contains(row), let snapshot, case .todo(let index, _) = entries[row] else { return nil }
        return snapshot.progress[index]
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
    public func id(at row: Int) -> TodoID? {
        guard entries.indices.contains(row), let snapshot, case .todo(let index, _) = entries[row] else { return nil }
        return snapshot.todos[index].id
    }

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
        guard var matches = matchingIndices(request.filter) else { return nil }
        if let sort = request.sort { matches = sorted(matches, by: sort) }
        guard !Task.isCancelled else { return nil }
        var entries: [TodoListing.Entry] = []
        var headings: [TodoListing.Heading] = []
        if let grouping = request.grouping {
            for group in grouping.groups(matches, of: todos) {
                entries.append(.heading(headings.count))
                headings.append(TodoListing.Heading(name: group.name, count: group.indices.count))
                entries += group.indices.map { .todo($0, depth: 0) }
            }
        } else if request.sort == nil {
            entries =
                parents.isEmpty
                ? matches.map { .todo($0, depth: 0) }
                : TodoTree.order(matches) { parents[$0] }.map { .todo($0.element, depth: min($0.depth, 20)) }
        } else {
            entries = matches.map { .todo($0, depth: 0) }
        }
        let wanted = id.flatMap { index(of: $0) }
        let located = wanted.flatMap { wanted in
            entries.firstIndex {
                if case .todo(let index, _) = $0 { return index == wanted }
                return false
            }
        }
        return TodoListing(
            snapshot: self,
            entries: entries,
            headings: headings,
            matchCount: matches.count,
            locatedRow: located,
            isLocatedKnown: wanted != nil
        )
    }
}
