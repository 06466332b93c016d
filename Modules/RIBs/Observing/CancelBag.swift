/// What is to be cancelled together, in the order in which it was added.
@MainActor
final class CancelBag {
    private var cancels: [(id: UInt64, cancel: @MainActor () -> Void)] = []
    private var nextID: UInt64 = 0

    /// How many are waiting; for tests that nothing piles up.
    var count: Int { cancels.count }

    @discardableResult
    func insert(_ cancel: @escaping @MainActor () -> Void) -> UInt64 {
        nextID += 1
        cancels.append((nextID, cancel))
        return nextID
    }

    func remove(_ id: UInt64) {
        cancels.removeAll { $0.id == id }
    }

    func cancelAll() {
        let cancelled = cancels
        cancels = []
        for entry in cancelled { entry.cancel() }
    }

    /// Runs a task on the main actor that leaves the bag when it is done.
    func task(_ operation: @escaping @MainActor () async -> Void) -> Task<Void, Never> {
        nextID += 1
        let id = nextID
        let task = Task { [weak self] in
            await operation()
            self?.remove(id)
        }
        cancels.append((id, { task.cancel() }))
        return task
    }
}
