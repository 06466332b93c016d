import AppLanguage
import AppUI
import RIBs
import TodoCore

/// The levels of the list: subtasks below their todos.
extension TodoListInteractor {
    func didChooseIndent(_ todo: Todo, below parent: Todo?) {
        guard showsSubtasks() else { return }
        guard let parent else { return notice(.information, TodoListText.nothingAbove) }
        let moved = moved(todo).filter { $0.id != parent.id }
        var change = TodoChange()
        change.parent = .set(parent.id)
        perform(activity(LocalizedText("move", ko: "옮기기"), moved), .editAll(moved.map(\.id), change)) {
            TodoListText.indented($0, below: parent)
        }
    }

    func didChooseOutdent(_ todo: Todo) {
        guard showsSubtasks() else { return }
        let moved = moved(todo).filter { $0.parent != nil }
        guard !moved.isEmpty else { return notice(.information, TodoListText.noSubtask) }
        perform(
            activity(LocalizedText("move", ko: "옮기기"), moved),
            notice: { TodoListText.of($0, TodoListText.outdented) }
        ) { interactor throws(TodoError) in
            let parents = Self.parents(try await interactor.store.todos())
            var groups: [(parent: TodoID?, ids: [TodoID])] = []
            for todo in moved {
                let parent = todo.parent.flatMap { parents[$0] }
                if let index = groups.firstIndex(where: { $0.parent == parent }) {
                    groups[index].ids.append(todo.id)
                } else {
                    groups.append((parent, [todo.id]))
                }
            }
            let changes = groups.map { group in
                var change = TodoChange()
                change.parent = .init(group.parent)
                return TodoMutation.editAll(group.ids, change)
            }
            return changes.count == 1 ? changes[0] : .batch(changes)
        }
    }

    /// The todos that an action moves to another level. The parts of those that are moved stay their parts.
    private func moved(_ todo: Todo) -> [Todo] {
        let targets = targets(todo)
        guard targets.count > 1 else { return targets }
        let (ids, parents) = (Set(targets.map(\.id)), Self.parents(snapshot?.todos ?? []))
        return targets.filter { todo in
            // A cycle, which only another program can write, has an end here, too.
            var seen: Set<TodoID> = []
            var ancestor = todo.parent
            while let present = ancestor, seen.insert(present).inserted {
                if ids.contains(present) { return false }
                ancestor = parents[present]
            }
            return true
        }
    }

    private static func parents(_ todos: [Todo]) -> [TodoID: TodoID] {
        Dictionary(todos.compactMap { todo in todo.parent.map { (todo.id, $0) } }) { first, _ in first }
    }

    func didFold(_ todo: Todo, _ isFolded: Bool) {
        if isFolded { model.folded.insert(todo.id) } else { model.folded.remove(todo.id) }
        searchAgain()
    }

    /// Whether the list shows subtasks below their todos; says so if it does not.
    private func showsSubtasks() -> Bool {
        let shows = model.request.sort == nil && model.request.grouping == nil
        if !shows { notice(.information, TodoListText.noLevels) }
        return shows
    }
}
