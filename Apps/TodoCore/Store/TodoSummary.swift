/// A few words on a change, for undo and redo to say what they did.
enum TodoSummary {
    /// Such as `add "Buy milk"`, or `remove 3 todos`.
    static func text(_ verb: String, _ todos: [Todo]) -> String {
        guard todos.count == 1, let todo = todos.first else { return "\(verb) \(todos.count) todos" }
        let title = todo.title.count > 40 ? todo.title.prefix(39) + "…" : todo.title[...]
        return "\(verb) \"\(title)\""
    }
}
