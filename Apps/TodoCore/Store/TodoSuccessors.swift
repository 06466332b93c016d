/// Finds the todos that completions of repeating ones have added.
///
/// A todo that follows another one has its title, and was created in the second in which the other was completed. The completed
/// one has no repetition any more.
struct TodoSuccessors {
    /// A title and a time in whole seconds: files of other programs have no fractions of them.
    private struct Key: Hashable {
        let title: String
        let second: Double

        init(_ title: String, _ date: Date) {
            (self.title, second) = (title, date.timeIntervalSince1970.rounded(.down))
        }
    }

    private var todos: [Key: Todo] = [:]

    init(_ all: some Sequence<Todo>) {
        // Few todos repeat, and those before one have its title.
        let titles = Set(all.lazy.filter { $0.recurrence != nil && !$0.isDone }.map(\.title))
        guard !titles.isEmpty else { return }
        for todo in all where titles.contains(todo.title) {
            let key = Key(todo.title, todo.created)
            // Of those of one second, the others were completed before.
            if let known = todos[key], known.completed ?? .distantFuture > todo.completed ?? .distantFuture { continue }
            todos[key] = todo
        }
    }

    /// Returns the last todo after a completed one, which repeats and is open; `nil` if there is none.
    func last(of todo: Todo) -> Todo? {
        guard !todos.isEmpty else { return nil }
        var seen: Set<TodoID> = [todo.id]
        var last = todo
        while last.recurrence == nil, let completed = last.completed, let next = todos[Key(last.title, completed)],
            seen.insert(next.id).inserted
        { last = next }
        return last.id != todo.id && last.recurrence != nil && !last.isDone ? last : nil
    }
}
