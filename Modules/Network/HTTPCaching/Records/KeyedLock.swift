import Threading

/// Locks keys for one task at a time. A task that is cancelled does not wait any longer.
final class KeyedLock: Sendable {
    private struct Waiter {
        let id: UInt64
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var lastID: UInt64 = 0
        /// The tasks that wait for each locked key.
        var waiting: [String: [Waiter]] = [:]
    }

    private let state = Locked(State())

    /// Waits until the key is not locked, and locks it; followed by ``unlock(_:)``.
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    func lock(_ key: String) async throws(CancellationError) {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let isLocked = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isLocked: Bool? = state.withLock { state in
                    guard state.waiting[key] != nil else {
                        state.waiting[key] = []
                        return true
                    }
                    if Task.isCancelled { return false }
                    state.waiting[key]?.append(Waiter(id: id, continuation: continuation))
                    return nil
                }
                if let isLocked { continuation.resume(returning: isLocked) }
            }
        } onCancel: {
            let cancelled = state.withLock { state in
                state.waiting[key]?.firstIndex { $0.id == id }.flatMap { state.waiting[key]?.remove(at: $0) }
            }
            cancelled?.continuation.resume(returning: false)
        }
        guard isLocked else { throw CancellationError() }
    }

    /// Unlocks the key for the next task.
    func unlock(_ key: String) {
        let next = state.withLock { state -> Waiter? in
            guard state.waiting[key]?.isEmpty == false else {
                state.waiting[key] = nil
                return nil
            }
            return state.waiting[key]?.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }

    /// Waits until each key that is locked now has been unlocked.
    /// - Throws: `CancellationError` if the task is cancelled while it waits.
    func waitForLockedKeys() async throws(CancellationError) {
        for key in state.withLock({ Array($0.waiting.keys) }) {
            try await lock(key)
            unlock(key)
        }
    }

    /// Runs work while the key is locked. If the task is cancelled while it waits, it returns at once, and the work is done
    /// later in another task.
    /// - Returns: the result of the work; nil if it has not been done yet.
    func run<Value: Sendable>(_ key: String, _ work: @escaping @Sendable () async -> Value) async -> Value? {
        do {
            try await lock(key)
        } catch {
            Task { await run(key, work) }
            return nil
        }
        defer { unlock(key) }
        return await work()
    }
}
