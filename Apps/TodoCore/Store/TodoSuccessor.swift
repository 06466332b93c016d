#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Todo {
    /// Returns the todo that follows this one when it is completed; `nil` without a recurrence.
    func following(id: TodoID?, _ today: Day, _ time: Date) -> Todo? {
        guard let id, let recurrence else { return nil }
        let next = recurrence.next(after: due, completed: today)
        var todo = Todo(
            id: id,
            title: title,
            priority: priority,
            projects: projects,
            contexts: contexts,
            tags: tags,
            due: due == nil && threshold != nil ? nil : next,
            dueTime: dueTime,
            recurrence: recurrence,
            parent: parent,
            note: note,
            created: time,
            modified: time,
            completed: nil,
            isArchived: false,
            uuid: UUID(),
            extras: [:],
            unknownFields: unknownFields
        )
        if let threshold {
            // It stays as far before the due day as it was.
            todo.threshold =
                due.map { next.adding(threshold.number - $0.number) }
                ?? recurrence.next(after: threshold, completed: today)
        }
        return todo
    }

    /// Returns an open copy of a subtask, with its days a number of days later.
    func copy(id: TodoID, parent: TodoID, by shift: Int?, _ time: Date) -> Todo {
        Todo(
            id: id,
            title: title,
            priority: priority,
            projects: projects,
            contexts: contexts,
            tags: tags,
            due: due.map { $0.adding(shift ?? 0) },
            dueTime: dueTime,
            threshold: threshold.map { $0.adding(shift ?? 0) },
            recurrence: recurrence,
            parent: parent,
            note: note,
            created: time,
            modified: time,
            completed: nil,
            isArchived: false,
            uuid: UUID(),
            extras: [:],
            unknownFields: unknownFields
        )
    }
}
