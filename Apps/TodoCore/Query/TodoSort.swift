import TextEscaping

/// An order of todos by several fields, such as `due,-priority,title`.
public struct TodoSort: Hashable, Sendable {
    /// A field by which todos are sorted.
    public enum Field: String, Hashable, Sendable, CaseIterable {
        case id, title, priority, project, context, due, threshold, created, modified, completed
        /// The display order, the most urgent first.
        case urgency
    }

    /// A field with a direction.
    public struct Key: Hashable, Sendable {
        /// The field.
        public let field: Field
        /// Whether later values come first. Todos without a value come last in both directions.
        public let isDescending: Bool

        /// Creates a key.
        public init(_ field: Field, isDescending: Bool = false) {
            self.field = field
            self.isDescending = isDescending
        }
    }

    /// The keys; the first one that distinguishes two todos decides. After the last, the display order does.
    public let keys: [Key]

    /// Creates an order.
    public init(_ keys: [Key]) {
        self.keys = keys
    }

    /// Parses field names, separated by commas, with `-` before a descending one.
    ///
    /// - Throws: ``TodoFieldError`` with the nearest name of an unknown field.
    package init(parsing text: String) throws(TodoFieldError) {
        var keys: [Key] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let name = part.drop { $0 == "-" || $0 == "+" }.lowercased()
            guard let field = Field(rawValue: name) else {
                let names = Field.allCases.map(\.rawValue)
                let hint = NearestName.of(name, among: names).map { "did you mean \($0.quoted())?" }
                throw TodoFieldError(
                    message: "\(name.quoted()) is not a field; "
                        + (hint ?? "it is one of " + names.joined(separator: ", "))
                )
            }
            keys.append(Key(field, isDescending: part.hasPrefix("-")))
        }
        self.init(keys)
    }

    /// The names of the fields as they are parsed: `-due,title`.
    package var description: String {
        keys.map { ($0.isDescending ? "-" : "") + $0.field.rawValue }.joined(separator: ",")
    }

    /// Returns todos in this order. `todos` is in display order.
    public func sorted(_ todos: [Todo]) -> [Todo] {
        sorted(Array(todos.indices), of: todos).map { todos[$0] }
    }

    /// Returns the indices of todos in this order. `indices` is in display order.
    func sorted(_ indices: [Int], of todos: [Todo]) -> [Int] {
        let columns = keys.map { key in
            (
                // The order of the indices is that of urgency.
                indices.enumerated().map { place, index in
                    key.field == .urgency ? .number(Double(place)) : Self.value(key.field, todos[index])
                },
                key.isDescending
            )
        }
        let order = indices.indices.sorted { left, right in
            for (values, isDescending) in columns {
                switch (values[left], values[right]) {
                case (.none, .none): continue
                case (.none, _): return false
                case (_, .none): return true
                case (let first, let second):
                    if first == second { continue }
                    return (first < second) != isDescending
                }
            }
            return left < right
        }
        return order.map { indices[$0] }
    }

    private enum Value: Comparable {
        case none
        case number(Double)
        case text(String)
    }

    private static func value(_ field: Field, _ todo: Todo) -> Value {
        func number(_ value: Double?) -> Value { value.map(Value.number) ?? .none }
        func text(_ value: String?) -> Value { value.map { .text($0.lowercased()) } ?? .none }
        switch field {
        case .id: return text(todo.id.description)
        case .title: return text(todo.title)
        case .priority: return number(todo.priority.map { Double($0.rank) })
        case .project: return text(todo.project)
        case .context: return text(todo.contexts.first)
        case .due: return number(todo.due.map { Double($0.number * 1440 + (todo.dueTime?.minutes ?? 1439)) })
        case .threshold: return number(todo.threshold.map { Double($0.number) })
        case .created: return .number(todo.created.timeIntervalSinceReferenceDate)
        case .modified: return .number(todo.modified.timeIntervalSinceReferenceDate)
        case .completed: return number(todo.completed.map(\.timeIntervalSinceReferenceDate))
        case .urgency: return .none
        }
    }
}

/// A grouping of todos for a list with headings.
public enum TodoGrouping: String, Hashable, Sendable, CaseIterable {
    case project, context, tag, priority, due

    /// Todos with a common value.
    public struct Group: Hashable, Sendable {
        /// The value, such as `+home` or `2026-03-09`; `nil` for the todos without one.
        public let name: String?
        /// The todos in their order. One with several values is in several groups.
        public let todos: [Todo]
    }

    /// Returns the groups by their names; the group without a name is last.
    public func groups(_ todos: [Todo]) -> [Group] {
        groups(Array(todos.indices), of: todos).map { group in
            Group(name: group.name, todos: group.indices.map { todos[$0] })
        }
    }

    /// Returns the groups of todos by index.
    func groups(_ indices: [Int], of todos: [Todo]) -> [(name: String?, indices: [Int])] {
        var groups: [String: [Int]] = [:]
        var others: [Int] = []
        for index in indices {
            let names = names(todos[index])
            if names.isEmpty { others.append(index) }
            for name in names { groups[name, default: []].append(index) }
        }
        return groups.sorted { $0.key < $1.key }.map { (name: $0.key, indices: $0.value) }
            + (others.isEmpty ? [] : [(name: nil, indices: others)])
    }

    private func names(_ todo: Todo) -> [String] {
        switch self {
        case .project: todo.projects.map { "+" + $0 }
        case .context: todo.contexts.map { "@" + $0 }
        case .tag: todo.tags.map { "#" + $0 }
        case .priority: todo.priority.map { ["(\($0))"] } ?? []
        case .due: todo.due.map { ["\($0)"] } ?? []
        }
    }
}
