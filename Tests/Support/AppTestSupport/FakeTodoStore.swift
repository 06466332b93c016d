package import Foundation
import Testing
package import TodoCore

/// Todos in memory. The test has to name every change: an unexpected one fails it.
@MainActor
package final class FakeTodoStore: TodoStoring {
    /// A requested change.
    package enum Call: Equatable {
        case add(String)
        case edit(TodoID, TodoChange)
        case complete([TodoID])
        case reopen([TodoID])
        case remove([TodoID])
        case archive
        case editAll([TodoID], TodoChange)
        case merge(TodoID, TodoChange)
        case restore(TodoID)
        case start([TodoID])
        case stop([TodoID])
        case undo
        case undoStep(String, afterLaterChanges: Bool)
        case redo
    }

    private struct Entry {
        let step: TodoStep
        let ids: Set<TodoID>
        let before: [Todo]
        let after: [Todo]
    }

    package private(set) var kept: [Todo] = []
    /// The error that every call throws.
    package var failure: TodoError?
    /// What the store reports as missing.
    package var damage: [TodoDamage] = []
    /// The time from which the order counts.
    package var now = Date.sample
    /// The number of reads.
    package private(set) var reads = 0
    /// The saved queries, the context and the lists.
    package var queries: [String: String] = [:]
    package private(set) var contextName: String?
    package var listsOfStore: [TodoList] = []
    /// Called when todos or lists have been read, before they are returned.
    package var onRead: (@MainActor () async -> Void)?
    /// Whether changes wait for ``release()``, as on a slow disk.
    package var isHeld = false

    private var calls: [Call] = []
    private var history: [Entry] = []
    private var undone: [Entry] = []
    private var serial: UInt64 = 0
    private var marks = 0
    private var listeners: [AsyncStream<Void>.Continuation] = []
    private var held: [CheckedContinuation<Void, Never>] = []

    /// Creates a store that contains todos of these lines.
    package init(_ lines: [String] = [], today: Day = .sample) throws {
        for line in lines { _ = try keep(TodoChange(quick: line, today: today)) }
    }

    deinit {
        if !calls.isEmpty { Issue.record("unexpected changes: \(calls)") }
    }

    /// Returns the changes since the last call; the test compares them.
    package func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// The number of streams of changes.
    package var listenerCount: Int { listeners.count }

    /// The number of changes that wait for ``release()``.
    package var heldCount: Int { held.count }

    /// Lets the waiting changes continue.
    package func release() {
        isHeld = false
        let waiting = held
        held = []
        for continuation in waiting { continuation.resume() }
    }

    /// Changes the todos as another process does; with a summary, as a step of the history.
    package func changeOutside(as summary: String? = nil, _ change: (inout [Todo]) -> Void) {
        let before = kept
        change(&kept)
        if let summary { _ = note(summary, before) }
        notify()
    }

    /// Stores a todo without a step of the history.
    @discardableResult
    package func keep(_ values: TodoChange) throws(TodoError) -> Todo {
        let todo = try Todo(id: TodoID(serial: serial), values, now: .sample)
        serial += 1
        kept.append(todo)
        return todo
    }

    // MARK: - TodoStoring

    package func contents() async throws(TodoError) -> TodoContents {
        reads += 1
        if let failure { throw failure }
        let contents = TodoContents(
            todos: kept,
            damage: damage,
            order: TodoOrder(clock: TodoClock(zone: .utc, now: { [now] in now }))
        )
        await onRead?()
        return contents
    }

    package func perform(_ mutation: TodoMutation) async throws(TodoError) -> TodoReceipt {
        switch mutation {
        case .add(let drafts):
            return try await change(.add(drafts.first?.title ?? ""), "add") { [self] () throws(TodoError) in
                var todos: [Todo] = []
                for values in drafts { todos.append(try keep(values)) }
                return todos
            }
        case .merge(let shown, let change):
            // A change of another process meanwhile may conflict.
            await hold()
            guard var todo = kept.first(where: { $0.id == shown.id }) else {
                throw .notFound(name: shown.id.description)
            }
            let old = todo
            try change.apply(to: &todo)
            _ = update(change.addedDependencies) { $0.uuid = $0.uuid ?? UUID() }
            todo.dependencies += kept.filter { change.addedDependencies.contains($0.id) }.compactMap(\.uuid)
            let mine = TodoDifference.between(shown, todo)
            let conflicts = TodoDifference.between(shown, old).filter { other in
                mine.contains { $0.field == other.field && $0.after != other.after }
            }
            guard conflicts.isEmpty else { throw .changedElsewhere(fields: conflicts.map(\.field)) }
            let merged = todo
            return try await self.change(.merge(shown.id, change), "edit") { [self] in
                update([shown.id]) { $0 = merged }
            }
        case .editAll(let ids, let change):
            var changed = kept
            for index in changed.indices where ids.contains(changed[index].id) {
                try change.apply(to: &changed[index])
            }
            let todos = changed.filter { ids.contains($0.id) }
            return try await self.change(.editAll(ids, change), "edit") { [self] in
                update(ids) { todo in todo = todos.first { $0.id == todo.id } ?? todo }
            }
        case .restore(let id, let number):
            guard let version = log(number)?.before.first(where: { $0.id == id }) else {
                throw .noVersion(id: id, number: number)
            }
            return try await change(.restore(id), "restore") { [self] in update([id]) { $0 = version } }
        case .importing:
            throw .nothingToUndo
        case .batch(let mutations):
            var receipts: [TodoReceipt] = []
            for mutation in mutations { receipts.append(try await perform(mutation)) }
            return TodoReceipt(todos: receipts.flatMap(\.todos), step: receipts.last?.step)
        case .start(let ids):
            let open = kept.filter { ids.contains($0.id) && !$0.isDone }.map(\.id)
            return try await change(.start(ids), "start") { [self] in update(open) { $0.started = .sample } }
        case .stop(let ids):
            return try await change(.stop(ids), "stop") { [self] in update(ids) { $0.started = nil } }
        case .edit(let id, let change):
            guard var todo = kept.first(where: { $0.id == id }) else { throw .notFound(name: id.description) }
            try change.apply(to: &todo)
            return try await self.change(.edit(id, change), "edit") { [self] in update([id]) { $0 = todo } }
        case .complete(let ids):
            return try await change(.complete(ids), "complete") { [self] in update(ids) { $0.completed = .sample } }
        case .reopen(let ids):
            return try await change(.reopen(ids), "reopen") { [self] in update(ids) { $0.completed = nil } }
        case .remove(let ids):
            return try await change(.remove(ids), "remove") { [self] in
                let removed = kept.filter { ids.contains($0.id) }
                kept.removeAll { ids.contains($0.id) }
                return removed
            }
        case .archive:
            return try await change(.archive, "archive") { [self] in
                update(kept.filter { $0.isDone && !$0.isArchived }.map(\.id)) { $0.isArchived = true }
            }
        }
    }

    package func log() async throws(TodoError) -> [TodoLogEntry] {
        (undone + history.reversed()).map { entry in
            TodoLogEntry(
                number: entry.step.number,
                summary: entry.step.summary,
                date: .sample,
                process: "Dog[1]",
                isUndone: undone.contains { $0.step == entry.step },
                versions: entry.ids.map { id in
                    TodoLogEntry.Version(
                        id: id,
                        before: entry.before.first { $0.id == id },
                        after: entry.after.first { $0.id == id }
                    )
                }
            )
        }
    }

    private func log(_ number: Int) -> Entry? { history.first { $0.step.number == number } }

    package func lastStep() async throws(TodoError) -> TodoStep? { history.last?.step }

    package func undo() async throws(TodoError) -> String {
        calls.append(.undo)
        return try undoLast()
    }

    package func undo(_ step: TodoStep, afterLaterChanges: Bool) async throws(TodoError) -> String {
        calls.append(.undoStep(step.summary, afterLaterChanges: afterLaterChanges))
        if let failure { throw failure }
        guard let index = history.firstIndex(where: { $0.step == step }) else {
            throw .stepIsGone(summary: step.summary)
        }
        let later = history[(index + 1)...]
        guard let last = later.last else { return try undoLast() }
        let entry = history[index]
        guard later.allSatisfy({ $0.ids.isDisjoint(with: entry.ids) }) else {
            throw .changedSince(summary: step.summary)
        }
        guard afterLaterChanges else { throw .laterChange(summary: step.summary, later: last.step.summary) }
        let before = kept
        kept.removeAll { entry.ids.contains($0.id) }
        kept += entry.before.filter { entry.ids.contains($0.id) }
        _ = note("undo \(step.summary)", before)
        notify()
        return step.summary
    }

    package func redo() async throws(TodoError) -> String {
        calls.append(.redo)
        guard let entry = undone.popLast() else { throw .nothingToRedo }
        history.append(entry)
        kept = entry.after
        notify()
        return entry.step.summary
    }

    package func savedQueries() async throws(TodoError) -> [String: String] { queries }
    package func saveQuery(_ name: String, _ query: String?) async throws(TodoError) { queries[name] = query }
    package func context() async throws(TodoError) -> String? { contextName }
    package func setContext(_ name: String?) async throws(TodoError) { contextName = name }
    package func lists() async throws(TodoListError) -> [TodoList] {
        let lists = listsOfStore
        await onRead?()
        return lists
    }

    package func changes() async -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        listeners.append(continuation)
        return stream
    }

    private func undoLast() throws(TodoError) -> String {
        guard let entry = history.popLast() else { throw .nothingToUndo }
        undone.append(entry)
        kept = entry.before
        notify()
        return entry.step.summary
    }

    private func change(
        _ call: Call,
        _ verb: String,
        _ body: @MainActor () throws(TodoError) -> [Todo]
    ) async throws(TodoError) -> TodoReceipt {
        calls.append(call)
        await hold()
        if let failure { throw failure }
        let before = kept
        let changed = try body()
        let step = note(
            changed.count == 1 ? "\(verb) \"\(changed[0].title)\"" : "\(verb) \(changed.count) todos",
            before
        )
        notify()
        return TodoReceipt(todos: changed, step: step)
    }

    private func hold() async {
        if isHeld { await withCheckedContinuation { held.append($0) } }
    }

    private func note(_ summary: String, _ before: [Todo]) -> TodoStep? {
        let ids = Set(Set(before).symmetricDifference(Set(kept)).map(\.id))
        guard !ids.isEmpty else { return nil }
        marks += 1
        let step = TodoStep(number: history.count, mark: "\(marks)", summary: summary)
        history.append(Entry(step: step, ids: ids, before: before, after: kept))
        undone = []
        return step
    }

    private func update(_ ids: [TodoID], _ body: (inout Todo) -> Void) -> [Todo] {
        var changed: [Todo] = []
        for index in kept.indices where ids.contains(kept[index].id) {
            body(&kept[index])
            changed.append(kept[index])
        }
        return changed
    }

    private func notify() {
        for listener in listeners { listener.yield() }
    }
}

extension Day {
    /// Friday, 20 March 2026: the current day in these tests.
    package static let sample = Day(number: 20_532)
}

extension Date {
    /// A time on that day.
    package static let sample = Date(timeIntervalSince1970: 20_532 * 86_400 + 36_000)
}

extension Todo {
    /// Creates the todo that a typed line describes.
    package init(
        line: String,
        serial: UInt64 = 1,
        today: Day = .sample,
        now: Date = .sample,
        note: String? = nil
    ) throws {
        var values = try TodoChange(quick: line, today: today)
        values.note = note.map { .set($0) }
        try self.init(id: TodoID(serial: serial), values, now: now)
    }
}
