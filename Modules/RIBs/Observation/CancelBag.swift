/// A list of actions that are cancelled together, in the order in which they were added.
@MainActor
final class CancelBag {
    private var cancels: [(id: UInt64, cancel: @MainActor () -> Void)] = []
    private var nextID: UInt64 = 0

    /// The number of actions, for tests that none are left over.
    var count: Int { cancels.count }

    func insert(_ cancel: @escaping @MainActor () -> Void) {
        nextID += 1
        cancels.append((nextID, cancel))
    }

    func cancelAll() {
        let cancelled = cancels
        cancels = []
        for entry in cancelled { entry.cancel() }
    }

    /// Runs a task on the main actor that is removed from the list when it ends.
    func task(_ operation: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        nextID += 1
        let id = nextID
        let task = Task { [weak self] in
            await operation()
            self?.cancels.removeAll { $0.id == id }
        }
        cancels.append((id, { task.cancel() }))
        return task
    }
}
