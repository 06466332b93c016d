/// The history of a store during one change.
extension TodoTransaction {
    /// Stores todos, and deletes those that are `nil`, as one step of the history.
    mutating func put(
        _ todos: some Collection<(key: TodoID, value: Todo?)>,
        summary: String,
        marksUnsynced: Bool = true,
        progress: (Int) -> Void = { _ in }
    ) throws(TodoError) -> TodoStep? {
        guard !todos.isEmpty else { return nil }
        let others = try exchange(todos, marksUnsynced: marksUnsynced, progress: progress)
        if let before = batch {
            batch = before.merging(others) { first, _ in first }
            lastSummary = summary
            return nil
        }
        return try note(others, summary: summary)
    }

    /// Stores todos of which only the fields of other programs changed. People see no change, so that there is none to undo.
    mutating func annotate(_ todos: [Todo]) throws(TodoError) {
        let others = try exchange(todos.lazy.map { (key: $0.id, value: $0) })
        batch?.merge(others) { first, _ in first }
    }

    /// Ends a batch with one step for all its changes; `nil` if there were none.
    mutating func endBatch(summary: String) throws(TodoError) -> TodoStep? {
        let others = batch ?? [:]
        batch = nil
        return others.isEmpty ? nil : try note(others, summary: summary)
    }

    /// Adds a step to the history.
    private mutating func note(_ others: [TodoID: Todo?], summary: String) throws(TodoError) -> TodoStep {
        var history = try history()
        let mark = String(UInt64.random(in: 0 ... .max), radix: 36)
        let step = TodoHistory.Step(summary: summary, mark: mark, date: now, process: process, others: others)
        // Undone changes cannot be redone after a new one.
        for number in history.position..<history.end { try remove(TodoHistory.stepKey(number)) }
        try set(json: step.json, TodoHistory.stepKey(history.position))
        let reference = TodoStep(number: history.position, mark: mark, summary: summary, process: process)
        history.position += 1
        history.end = history.position
        while history.end - history.start > TodoStore.historyLimit {
            try remove(TodoHistory.stepKey(history.start))
            history.start += 1
        }
        try set(history, TodoHistory.key)
        return reference
    }

    /// Returns the change that ``undo()`` would undo.
    func lastStep() throws(TodoError) -> TodoStep? {
        let history = try history()
        guard history.position > history.start, let step = try step(history.position - 1) else { return nil }
        return TodoStep(
            number: history.position - 1,
            mark: step.mark ?? "",
            summary: step.summary,
            process: step.process
        )
    }

    /// Undoes the last change and returns its summary.
    mutating func undo() throws(TodoError) -> String {
        var history = try history()
        guard history.position > history.start else { throw .nothingToUndo }
        history.position -= 1
        let summary = try turn(history.position) ?? ""
        try set(history, TodoHistory.key)
        return summary
    }

    /// Undoes one change and returns its summary. If there are later changes, it is undone by a new change.
    mutating func undo(_ reference: TodoStep, afterLaterChanges: Bool) throws(TodoError) -> String {
        let history = try history()
        guard (history.start..<history.position).contains(reference.number),
            let found = try step(reference.number), found.mark ?? "" == reference.mark
        else { throw .stepIsGone(summary: reference.summary) }
        guard reference.number < history.position - 1 else { return try undo() }
        var later: TodoHistory.Step?
        for number in reference.number + 1..<history.position {
            guard let step = try step(number) else { continue }
            guard step.others.keys.allSatisfy({ found.others[$0] == nil }) else {
                throw .changedSince(summary: found.summary)
            }
            later = step
        }
        if let later, !afterLaterChanges { throw .laterChange(summary: found.summary, later: later.summary) }
        _ = try put(found.others, summary: "undo \(found.summary)")
        return found.summary
    }

    /// Makes the last undone change again and returns its summary.
    mutating func redo() throws(TodoError) -> String {
        var history = try history()
        guard history.position < history.end else { throw .nothingToRedo }
        let summary = try turn(history.position) ?? ""
        history.position += 1
        try set(history, TodoHistory.key)
        return summary
    }

    /// Exchanges the todos of a step with the current ones, so that the step then leads back.
    private mutating func turn(_ number: Int) throws(TodoError) -> String? {
        guard var step = try step(number) else { return nil }
        step.others = try exchange(step.others)
        try set(json: step.json, TodoHistory.stepKey(number))
        return step.summary
    }

    /// Returns the changes of the history with both states of each todo, the latest first.
    func log() throws(TodoError) -> [TodoLogEntry] {
        let history = try history()
        // From the present state backwards through the changes that are in effect, and forwards through the undone ones.
        let entries = try entries((history.start..<history.position).reversed(), isUndone: false)
        return try self.entries(history.position..<history.end, isUndone: true).reversed() + entries
    }

    private func entries(_ numbers: some Sequence<Int>, isUndone: Bool) throws(TodoError) -> [TodoLogEntry] {
        var entries: [TodoLogEntry] = []
        var states: [TodoID: Todo?] = [:]
        for number in numbers {
            guard let step = try step(number) else { continue }
            var versions: [TodoLogEntry.Version] = []
            for (id, next) in step.others {
                let present: Todo?
                if let known = states[id] { present = known } else { present = try todoIfPresent(id) }
                let (before, after) = isUndone ? (present, next) : (next, present)
                versions.append(TodoLogEntry.Version(id: id, before: before, after: after))
                states[id] = .some(next)
            }
            entries.append(TodoLogEntry(number, step, versions, isUndone: isUndone))
        }
        return entries
    }

    func history() throws(TodoError) -> TodoHistory {
        try value(TodoHistory.self, TodoHistory.key) ?? TodoHistory()
    }

    func step(_ number: Int) throws(TodoError) -> TodoHistory.Step? {
        try value(TodoHistory.Step.self, TodoHistory.stepKey(number))
    }
}
