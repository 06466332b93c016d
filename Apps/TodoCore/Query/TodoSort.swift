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
            (self.field, self.isDescending) = (field, isDescending)
        }
    }

    /// The keys; the first one that distinguishes two todos decides. After the last, the display order does.
    public let keys: [Key]

    /// Creates an order.
    public init(_ keys: [Key]) { self.keys = keys }

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
    public func sorted(_ todos: [Todo]) -> [Todo] { order(of: todos).map { todos[Int($0)] } }

    /// Returns the indices of todos in this order. `todos` is in display order.
    func order(of todos: [Todo]) -> [Int32] {
        var places = Array(0..<Int32(clamping: todos.count))
        // Todos that are equal by the keys so far have the same rank. The order of the indices is that of urgency.
        var ranks = [UInt32](repeating: 0, count: todos.count)
        for (index, key) in keys.enumerated() {
            let values = Self.ranks(key, todos)
            let pairs = zip(ranks, values).map { UInt64($0) << 32 | UInt64($1) }
            ranks = index == 0 ? values : Self.ranks(of: pairs, by: <)
        }
        var sorted = places.map { UInt64(ranks[Int($0)]) << 32 | UInt64($0) }
        sorted.sort()
        for (index, value) in sorted.enumerated() { places[index] = Int32(value & 0xFFFF_FFFF) }
        return places
    }

    /// Returns the rank of each todo by a key; equal ones have the same rank.
    private static func ranks(_ key: Key, _ todos: [Todo]) -> [UInt32] {
        func numbers(_ value: (Todo) -> Double?) -> [UInt32] {
            ranks(of: todos.map(value), isDescending: key.isDescending)
        }
        func texts(_ value: (Todo) -> String?) -> [UInt32] {
            ranks(of: todos.map { value($0)?.lowercased() }, isDescending: key.isDescending)
        }
        switch key.field {
        case .id: return texts(\.id.description)
        case .title: return texts(\.title)
        case .priority: return numbers { $0.priority.map { Double($0.rank) } }
        case .project: return texts(\.project)
        case .context: return texts(\.contexts.first)
        case .due:
            return numbers { todo in todo.due.map { Double($0.number * 1440 + (todo.dueTime?.minutes ?? 1439)) } }
        case .threshold: return numbers { $0.threshold.map { Double($0.number) } }
        case .created: return numbers(\.created.timeIntervalSinceReferenceDate)
        case .modified: return numbers(\.modified.timeIntervalSinceReferenceDate)
        case .completed: return numbers { $0.completed?.timeIntervalSinceReferenceDate }
        case .urgency:
            let count = UInt32(clamping: todos.count)
            return (0..<count).map { key.isDescending ? count - $0 : $0 }
        }
    }

    /// Returns the rank of each value; those without a value have the last rank in both directions.
    private static func ranks<Value: Comparable>(of values: [Value?], isDescending: Bool) -> [UInt32] {
        ranks(of: values) { left, right in
            guard let left else { return false }
            guard let right else { return true }
            return isDescending ? right < left : left < right
        }
    }

    /// Returns the number of different values that precede each one.
    private static func ranks<Value>(of values: [Value], by precedes: (Value, Value) -> Bool) -> [UInt32] {
        let order = values.indices.sorted { precedes(values[$0], values[$1]) }
        var ranks = [UInt32](repeating: 0, count: values.count)
        var rank: UInt32 = 0
        for (index, place) in order.enumerated() {
            if index > 0, precedes(values[order[index - 1]], values[place]) { rank += 1 }
            ranks[place] = rank
        }
        return ranks
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
        let groups = TodoGroups(self, of: todos)
        return groups.split(0..<Int32(clamping: todos.count)).map { number, indices in
            Group(name: groups.names[number], todos: indices.map { todos[Int($0)] })
        }
    }

    fileprivate func names(_ todo: Todo) -> [String] {
        switch self {
        case .project: todo.projects.map { "+" + $0 }
        case .context: todo.contexts.map { "@" + $0 }
        case .tag: todo.tags.map { "#" + $0 }
        case .priority: todo.priority.map { ["(\($0))"] } ?? []
        case .due: todo.due.map { ["\($0)"] } ?? []
        }
    }
}

/// The groups to which each of many todos belongs, so that a list is grouped without comparing their values.
struct TodoGroups: Sendable {
    /// The names in their order; that of the todos without a value, `nil`, is last.
    let names: [String?]
    /// The numbers of the groups of all todos, and the place of those of each todo.
    private var numbers: [Int32] = []
    private var starts: [Int32] = [0]

    /// Creates the groups of todos.
    init(_ grouping: TodoGrouping, of todos: [Todo]) {
        var found: [String: Int32] = [:]
        var names: [String] = []
        starts.reserveCapacity(todos.count + 1)
        for todo in todos {
            for name in grouping.names(todo) {
                let number = found[name] ?? Int32(names.count)
                if number == names.count {
                    found[name] = number
                    names.append(name)
                }
                numbers.append(number)
            }
            starts.append(Int32(numbers.count))
        }
        let order = names.indices.sorted { names[$0] < names[$1] }
        var places = [Int32](repeating: 0, count: names.count)
        for (place, number) in order.enumerated() { places[number] = Int32(place) }
        for index in numbers.indices { numbers[index] = places[Int(numbers[index])] }
        self.names = order.map { names[$0] } + [nil]
    }

    /// Returns the groups of some todos that are not empty.
    ///
    /// - Parameter indices: the todos in their order.
    /// - Returns: the number of each group and its todos. A todo with several values is in several groups.
    func split(_ indices: some Sequence<Int32>) -> [(number: Int, indices: [Int32])] {
        var groups = [[Int32]](repeating: [], count: names.count)
        for index in indices {
            let own = Int(starts[Int(index)])..<Int(starts[Int(index) + 1])
            if own.isEmpty { groups[names.count - 1].append(index) }
            for place in own { groups[Int(numbers[place])].append(index) }
        }
        return groups.enumerated().filter { !$0.element.isEmpty }.map { ($0.offset, $0.element) }
    }
}
