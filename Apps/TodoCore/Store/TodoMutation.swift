/// A change of the todos.
public indirect enum TodoMutation: Hashable, Sendable {
    /// Adds todos.
    case add([TodoChange])
    /// Changes the fields of a todo.
    case edit(TodoID, TodoChange)
    /// Changes the same fields of several todos.
    case editAll([TodoID], TodoChange)
    /// Marks todos as done. Todos that are done already retain their time. For each with a recurrence, the next one is
    /// added, which follows the others in the receipt.
    case complete([TodoID])
    /// Marks todos as open.
    case reopen([TodoID])
    /// Begins the work on open todos. Those that are in progress already retain their time.
    case start([TodoID])
    /// Ends the work on todos, and adds its time to what was spent.
    case stop([TodoID])
    /// Makes several changes as one: completely or not at all, and as one step of the history.
    case batch([TodoMutation])
    /// Deletes todos.
    case remove([TodoID])
    /// Archives the completed todos.
    case archive
    /// Changes the fields of a todo that was read earlier. It fails with ``TodoError/changedElsewhere(fields:)`` if another
    /// change has set one of these fields to another value; all other changes stay.
    case merge(Todo, TodoChange)
    /// Returns a todo to its state before a step of the history, also if it was deleted since.
    case restore(TodoID, before: Int)
    /// Adds and changes todos from a file.
    case importing([TodoRecord], TodoImportMode)
}

/// How far an import is.
public struct TodoImportProgress: Hashable, Sendable {
    /// A part of the work, in the order of the cases.
    public enum Phase: Hashable, Sendable {
        /// The records are compared with the todos that exist.
        case comparing
        /// The new and the changed todos are stored.
        case storing
    }

    /// The part of the work.
    public let phase: Phase
    /// The number of todos for which this part is done.
    public let count: Int
    /// The number of todos of this part.
    public let total: Int

    /// Creates a value.
    public init(phase: Phase, count: Int, total: Int) {
        (self.phase, self.count, self.total) = (phase, count, total)
    }
}

/// The result of a change.
public struct TodoReceipt: Sendable {
    /// The todos as they are after the change; deleted ones as they were before.
    public let todos: [Todo]
    /// The step of the history; `nil` if nothing had to be changed.
    public let step: TodoStep?
    /// The result of each record of an import.
    public var outcomes: [TodoImportOutcome] = []

    /// Creates a receipt.
    public init(todos: [Todo], step: TodoStep?, outcomes: [TodoImportOutcome] = []) {
        (self.todos, self.step, self.outcomes) = (todos, step, outcomes)
    }
}

/// Identifies a change in the history of a store.
public struct TodoStep: Hashable, Sendable {
    /// The position in the history.
    public let number: Int
    /// A random text that distinguishes two changes with the same position.
    public let mark: String
    /// A short description of the change, such as `add "Buy milk"`.
    public let summary: String

    /// The process that made the change, such as `Dog[4711]`; `nil` for changes of the first version.
    public let process: String?

    /// Creates a reference to a change.
    public init(number: Int, mark: String, summary: String, process: String? = nil) {
        (self.number, self.mark, self.summary, self.process) = (number, mark, summary, process)
    }
}
