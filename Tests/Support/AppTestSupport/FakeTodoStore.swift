package import Foundation
import Testing
package import TodoCore

/// Todos in memory, with every change kept for the test to name: one that nobody named fails the test.
@MainActor
package final class FakeTodoStore: TodoStoring {
    /// A change that was asked for.
    package enum Call: Equatable {
        case add(String)
        case edit(TodoID, TodoChange)
        case complete([TodoID])
        case reopen([TodoID])
        case remove([TodoID])
        case archive
        case undo
        case redo
    }

    package private(set) var kept: [Todo] = []
    /// What every call throws from now on.
    package var failure: TodoError?
    /// How many read the todos.
    package private(set) var reads = 0
    /// Whether changes wait for ``release()``, as on a slow disk.
    package var isHeld = false

    private var calls: [Call] = []
    private var past: [[Todo]] = []
    private var future: [[Todo]] = []
    private var serial: UInt64 = 0
    private var listeners: [AsyncStream<Void>.Continuation] = []
    private var held: [CheckedContinuation<Void, Never>] = []

    /// A store that holds todos of these lines already.
    package init(_ lines: [String] = [], today: Day = .sample) throws {
        for line in lines { _ = try keep(TodoDraft(quick: line, today: today)) }
    }

    isolated deinit {
        if !calls.isEmpty { Issue.record("nobody expected \(calls)") }
    }

    /// The changes since the last time; the test says what they should be.
    package func takeCalls() -> [Call] {
        defer { calls = [] }
        return calls
    }

    /// How many listen for changes.
    package var listenerCount: Int { listeners.count }

    /// How many changes wait for ``release()``.
    package var heldCount: Int { held.count }

    /// Lets the changes go on that wait.
    package func release() {
        isHeld = false
        let waiting = held
        held = []
        for continuation in waiting { continuation.resume() }
    }

    /// Changes the todos behind the app's back, as another process does.
    package func changeOutside(_ change: (inout [Todo]) -> Void) {
        change(&kept)
        tell()
    }

    /// Keeps a todo without a word.
    @discardableResult
    package func keep(_ draft: TodoDraft) -> Todo {
        let todo = Todo(id: TodoID(serial: serial), draft: draft, now: .sample)
        serial += 1
        kept.append(todo)
        return todo
    }

    // MARK: - TodoStoring

    package func todos() async throws(TodoError) -> [Todo] {
        reads += 1
        if let failure { throw failure }
        return kept
    }

    package func add(_ draft: TodoDraft) async throws(TodoError) -> Todo {
        try await change(.add(draft.title)) { [self] in [keep(draft)] }[0]
    }

    package func edit(_ id: TodoID, _ change: TodoChange) async throws(TodoError) -> Todo {
        var changed: Todo?
        if var todo = kept.first(where: { $0.id == id }) {
            try change.apply(to: &todo)
            changed = todo
        }
        guard let changed else { throw .notFound(name: id.description) }
        return try await self.change(.edit(id, change)) { [self] in update([id]) { $0 = changed } }[0]
    }

    package func complete(_ ids: [TodoID]) async throws(TodoError) -> [Todo] {
        try await change(.complete(ids)) { [self] in update(ids) { $0.completed = .sample } }
    }

    package func reopen(_ ids: [TodoID]) async throws(TodoError) -> [Todo] {
        try await change(.reopen(ids)) { [self] in update(ids) { $0.completed = nil } }
    }

    package func remove(_ ids: [TodoID]) async throws(TodoError) -> [Todo] {
        try await change(.remove(ids)) { [self] in
            let removed = kept.filter { ids.contains($0.id) }
            kept.removeAll { ids.contains($0.id) }
            return removed
        }
    }

    package func archive() async throws(TodoError) -> [Todo] {
        try await change(.archive) { [self] in
            update(kept.filter { $0.isDone && !$0.isArchived }.map(\.id)) { $0.isArchived = true }
        }
    }

    package func undo() async throws(TodoError) -> String {
        calls.append(.undo)
        guard let before = past.popLast() else { throw .nothingToUndo }
        future.append(kept)
        kept = before
        tell()
        return "the last change"
    }

    package func redo() async throws(TodoError) -> String {
        calls.append(.redo)
        guard let after = future.popLast() else { throw .nothingToRedo }
        past.append(kept)
        kept = after
        tell()
        return "the last change"
    }

    package func changes() async -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        listeners.append(continuation)
        return stream
    }

    private func change(_ call: Call, _ body: @MainActor () -> [Todo]) async throws(TodoError) -> [Todo] {
        calls.append(call)
        if isHeld { await withCheckedContinuation { held.append($0) } }
        if let failure { throw failure }
        past.append(kept)
        let changed = body()
        tell()
        return changed
    }

    private func update(_ ids: [TodoID], _ body: (inout Todo) -> Void) -> [Todo] {
        var changed: [Todo] = []
        for index in kept.indices where ids.contains(kept[index].id) {
            body(&kept[index])
            changed.append(kept[index])
        }
        return changed
    }

    private func tell() {
        for listener in listeners { listener.yield() }
    }
}

extension Day {
    /// Friday, 20 March 2026: the day it is in these tests.
    package static let sample = Day(number: 20_532)
}

extension Date {
    /// A moment of that day.
    package static let sample = Date(timeIntervalSince1970: 20_532 * 86_400 + 36_000)
}
