import TodoCore

/// What the todo list shows.
struct TodoListModel: Hashable, Sendable {
    /// The todos that pass the filter, in the order in which people see them.
    var todos: [Todo] = []
    /// What the filter looks for.
    var filter = TodoFilter()
    /// The words of the filter, as they were typed.
    var filterText = ""
    /// How many todos are open, whatever the filter.
    var openCount = 0
    /// How many are completed and not yet archived.
    var doneCount = 0
    /// The day it is, for what is overdue.
    var today: Day
}
