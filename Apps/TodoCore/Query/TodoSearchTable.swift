/// The searched values of many todos, one array for each field, so that a key typed into a filter searches 100,000 todos
/// within a few milliseconds.
///
/// A query is evaluated part by part: each part is a loop over the todos that the parts before have left, and reads only the
/// arrays that it compares. ``TodoFilter/passes(_:)`` is the definition of the result.
struct TodoSearchTable: Sendable {
    private let todos: [Todo]
    private let texts: TodoSearchText
    private let states: [State]
    /// The ranks of the priorities; `UInt8.max` without a priority.
    private let ranks: [UInt8]
    /// The numbers of the due days and of the threshold days; `Int32.min` without a day.
    private let dueDays: [Int32]
    private let thresholds: [Int32]
    /// The minutes of the due times; -1 without a time.
    private let dueMinutes: [Int16]

    private struct State: OptionSet {
        let rawValue: UInt8
        static let done = State(rawValue: 1)
        static let archived = State(rawValue: 2)
        static let recurring = State(rawValue: 4)
        static let subtask = State(rawValue: 8)
    }

    /// Prepares todos.
    init(_ todos: [Todo]) {
        self.todos = todos
        texts = TodoSearchText(todos)
        states = todos.map { todo in
            (todo.isDone ? State.done : []).union(todo.isArchived ? .archived : [])
                .union(todo.recurrence != nil ? .recurring : []).union(todo.parent != nil ? .subtask : [])
        }
        ranks = todos.map { $0.priority?.rank ?? .max }
        dueDays = todos.map { Self.number($0.due) }
        thresholds = todos.map { Self.number($0.threshold) }
        dueMinutes = todos.map { Int16($0.dueTime?.minutes ?? -1) }
    }

    /// A day outside the calendar, which only another program can write, is its nearest end.
    private static func number(_ day: Day?) -> Int32 {
        day.map { Int32(max(-100_000_000, min(100_000_000, $0.number))) } ?? .min
    }

    /// Returns the indices of the todos that pass a filter, in ascending order; `nil` if the task was cancelled.
    func indices(passing filter: TodoFilter) -> [Int32]? {
        let found = select(filter.query.root, among: listed(filter))
        return Task.isCancelled ? nil : found
    }

    /// Returns the todos that the list shows by default, whatever the query.
    private func listed(_ filter: TodoFilter) -> [Int32] {
        let mentioned = filter.query.mentioned
        let namesCompletion = !mentioned.isDisjoint(with: [.open, .done, .overdue])
        var hidden: State = filter.includesArchived || mentioned.contains(.archived) ? [] : .archived
        if !namesCompletion, filter.status == .open { hidden.insert(.done) }
        let isDoneRequired = !namesCompletion && filter.status == .done
        let hidesWaiting = filter.status == .open && !mentioned.contains(.waiting)
        let today = hidesWaiting ? filter.today.map { Self.number($0) } : nil
        let lastDue = filter.dueBy.map { Self.number($0) }
        var indices: [Int32] = []
        indices.reserveCapacity(todos.count)
        for index in todos.indices {
            let state = states[index]
            guard state.isDisjoint(with: hidden), !isDoneRequired || state.contains(.done) else { continue }
            if let today, thresholds[index] > today, !state.contains(.done) { continue }
            if let lastDue, dueDays[index] == .min || dueDays[index] > lastDue { continue }
            indices.append(Int32(index))
        }
        return indices
    }

    // MARK: Queries

    private func select(_ node: TodoQuery.Node, among candidates: [Int32]) -> [Int32] {
        guard !candidates.isEmpty, !Task.isCancelled else { return [] }
        switch node {
        case .all(let parts):
            // The fast parts first: they leave fewer todos to the others. The order does not change the result.
            let parts = parts.enumerated().sorted { (Self.cost($0.1), $0.0) < (Self.cost($1.1), $1.0) }.map(\.1)
            return parts.reduce(candidates) { select($1, among: $0) }
        case .any(let parts):
            var rest = candidates
            for part in parts { rest = Self.subtracting(select(part, among: rest), from: rest) }
            return Self.subtracting(rest, from: candidates)
        case .not(let part):
            return Self.subtracting(select(part, among: candidates), from: candidates)
        case .term(let term):
            return select(term, among: candidates)
        }
    }

    private static func cost(_ node: TodoQuery.Node) -> Int {
        switch node {
        case .all(let parts), .any(let parts): parts.map(cost).max() ?? 0
        case .not(let part): cost(part)
        case .term(.priority), .term(.date), .term(.state), .term(.presence): 0
        case .term(.text(.any, _)), .term(.label): 1
        case .term: 2
        }
    }

    /// Returns a sorted list without the elements of another one.
    private static func subtracting(_ removed: [Int32], from indices: [Int32]) -> [Int32] {
        guard !removed.isEmpty else { return indices }
        var rest: [Int32] = []
        rest.reserveCapacity(indices.count - removed.count)
        var next = 0
        for index in indices {
            if next < removed.count, removed[next] == index { next += 1 } else { rest.append(index) }
        }
        return rest
    }

    private func select(_ term: TodoQueryTerm, among candidates: [Int32]) -> [Int32] {
        switch term {
        case .text(.any, let needle): return texts.indices(containing: needle, among: candidates)
        case .text(_, let needle): return texts.indices(containing: needle, among: candidates).filter(matches(term))
        case .label(let field, let start):
            // A letter may have a mark in a label and none in the query, which bytes alone do not show.
            return texts.indices(withLabel: field, startingWith: start, among: candidates, verify: matches(term))
        case .priority(let wanted): return candidates.filter { wanted.contains(ranks[Int($0)]) }
        case .date(let field, let days):
            let column = field == .due ? dueDays : thresholds
            return candidates.filter { column[Int($0)] != .min && days.contains(Int(column[Int($0)])) }
        case .state(let state, let today, let time):
            return candidates.filter { has(state, Int($0), Self.number(today), time?.minutes ?? -1) }
        case .presence(.due, let isPresent): return candidates.filter { (dueDays[Int($0)] != .min) == isPresent }
        case .presence(.threshold, let isPresent):
            return candidates.filter { (thresholds[Int($0)] != .min) == isPresent }
        case .presence(.priority, let isPresent): return candidates.filter { (ranks[Int($0)] != .max) == isPresent }
        case .time, .name, .presence: return candidates.filter(matches(term))
        }
    }

    private func has(_ state: TodoQueryTerm.State, _ index: Int, _ today: Int32, _ minutes: Int) -> Bool {
        switch state {
        case .open: return !states[index].contains(.done)
        case .done: return states[index].contains(.done)
        case .archived: return states[index].contains(.archived)
        case .recurring: return states[index].contains(.recurring)
        case .subtask: return states[index].contains(.subtask)
        case .waiting: return thresholds[index] > today && !states[index].contains(.done)
        case .overdue:
            guard dueDays[index] != .min, !states[index].contains(.done) else { return false }
            return dueDays[index] < today
                || dueDays[index] == today && dueMinutes[index] >= 0 && Int(dueMinutes[index]) < minutes
        }
    }

    /// Returns the definition of a term, for terms that the arrays do not decide.
    private func matches(_ term: TodoQueryTerm) -> (Int32) -> Bool {
        { index in todos.withUnsafeBufferPointer { term.matches($0[Int(index)]) } }
    }
}
