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

    enum Entry: Sendable {
        case heading(Int32)
        case todo(Int32, depth: UInt8)
    }

    private let snapshot: TodoSnapshot?
    private let entries: [Entry]
    private let headings: [Heading]
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

    init(
        snapshot: TodoSnapshot?,
        entries: [Entry],
        headings: [Heading],
        matchCount: Int,
        locatedRow: Int?,
        isLocatedKnown: Bool
    ) {
        (self.snapshot, self.entries, self.headings) = (snapshot, entries, headings)
        (self.matchCount, self.locatedRow, self.isLocatedKnown) = (matchCount, locatedRow, isLocatedKnown)
    }

    /// The number of rows.
    public var count: Int { entries.count }

    /// The row at an index.
    public subscript(row: Int) -> Row? {
        guard entries.indices.contains(row), let snapshot else { return nil }
        switch entries[row] {
        case .heading(let index): return .heading(headings[Int(index)])
        case .todo(let index, let depth): return .todo(snapshot.todos[Int(index)], depth: Int(depth))
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
        return snapshot.todos[Int(index)].id
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
    /// - Returns: the rows; `nil` if the task was cancelled meanwhile.
    public func listing(_ request: TodoListRequest, locating id: TodoID? = nil) async -> TodoListing? {
        guard var matches = matchingIndices(request.filter) else { return nil }
        if let sort = request.sort { matches = sort.sorted(matches, of: todos) }
        guard !Task.isCancelled else { return nil }
        var entries: [TodoListing.Entry] = []
        var headings: [TodoListing.Heading] = []
        if let grouping = request.grouping {
            for group in grouping.groups(matches, of: todos) {
                entries.append(.heading(Int32(headings.count)))
                headings.append(TodoListing.Heading(name: group.name, count: group.indices.count))
                entries += group.indices.map { .todo($0, depth: 0) }
            }
        } else if request.sort == nil {
            entries = tree(matches)
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

    /// Returns todos with the subtasks of each directly after it.
    private func tree(_ matches: [Int32]) -> [TodoListing.Entry] {
        guard !parents.isEmpty else { return matches.map { .todo($0, depth: 0) } }
        var isListed = [Bool](repeating: false, count: todos.count)
        for index in matches { isListed[Int(index)] = true }
        var children: [Int32: [Int32]] = [:]
        var tops: [Int32] = []
        for index in matches {
            if let parent = parents[index], isListed[Int(parent)] {
                children[parent, default: []].append(index)
            } else {
                tops.append(index)
            }
        }
        var entries: [TodoListing.Entry] = []
        entries.reserveCapacity(matches.count)
        func add(_ root: Int32) {
            var stack: [(index: Int32, depth: UInt8)] = [(root, 0)]
            while let (index, depth) = stack.popLast() {
                // A cycle, which only another program can write, is cut at its first todo.
                guard isListed[Int(index)] else { continue }
                isListed[Int(index)] = false
                entries.append(.todo(index, depth: depth))
                for child in (children[index] ?? []).reversed() { stack.append((child, min(depth + 1, 20))) }
            }
        }
        tops.forEach(add)
        matches.forEach(add)
        return entries
    }
}
