extension Todo {
    /// Returns the todo that follows this one when it is completed; `nil` without a recurrence, and after its end.
    func following(id: TodoID?, _ today: Day, _ time: Date) -> Todo? {
        // Without a due day, the threshold repeats.
        let anchor = due ?? threshold
        guard let id, let recurrence, let next = recurrence.next(after: anchor, completed: today, monthDay: monthDay)
        else { return nil }
        var todo = copy(id: id, time)
        todo.due = due == nil && threshold != nil ? nil : next
        todo.recurrence?.remaining = recurrence.remaining.map { $0 - 1 }
        let wanted = monthDay ?? anchor?.parts.day ?? 0
        let repeatsOnDay =
            recurrence.isStrict && recurrence.days == nil && [.month, .year].contains(recurrence.unit)
        todo.monthDay = repeatsOnDay && next.parts.day < wanted ? wanted : nil
        // It stays as far before the due day as it was.
        todo.threshold = threshold.map { next.adding($0.number - (due ?? $0).number).inCalendar }
        return todo
    }

    /// Returns an open copy of a subtask of a todo that was due on a day, with its days a number of days later. It has the
    /// dependencies of the subtask.
    func copy(id: TodoID, parent: TodoID, by shift: Int?, after day: Day, _ taken: Set<UUID>, _ time: Date) -> Todo {
        var todo = copy(id: id, time)
        (todo.parent, todo.dependencies) = (parent, dependencies)
        if let uuid { todo.uuid = Self.uuid(computedFrom: "\(uuid.uuidString) after \(day)", taken) }
        todo.due = due?.adding(shift ?? 0).inCalendar
        todo.threshold = threshold?.adding(shift ?? 0).inCalendar
        return todo
    }

    /// Returns an open copy without what other programs know of this todo.
    private func copy(id: TodoID, _ time: Date) -> Todo {
        var todo = self
        (todo.id, todo.uuid) = (id, UUID())
        (todo.created, todo.modified, todo.completed, todo.isArchived) = (time, time, nil, false)
        (todo.dependencies, todo.extras) = ([], [:])
        (todo.started, todo.spent) = (nil, 0)
        return todo
    }

    /// Gives the identity in other programs to the todo that follows: on a server, a recurring task moves on, and what is done is
    /// a new task.
    mutating func passIdentity(to next: inout Todo, on today: Day, _ taken: Set<UUID>) {
        guard let uuid else { return }
        (next.uuid, next.created, next.extras) = (uuid, created, extras)
        self.uuid = Self.uuid(computedFrom: "\(uuid.uuidString) \(occurrence(on: today))", taken)
        extras = [:]
    }

    /// The day that distinguishes this todo of a repetition from the others.
    func occurrence(on today: Day) -> Day { due ?? threshold ?? today }

    /// Returns the UUID of a todo that a completion adds. It is computed, so that two devices that complete the same todo add one.
    private static func uuid(computedFrom text: String, _ taken: Set<UUID>) -> UUID {
        let computed = ICalendarFormat.uuid(text)
        return taken.contains(computed) ? UUID() : computed
    }
}
