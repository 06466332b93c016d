import Threading

/// Records whether a URL was invalidated since a request was sent: its response may be of an older state, and is not
/// stored.
///
/// Only the keys of requests under way are recorded.
final class CacheChanges: Sendable {
    private struct State {
        var asking: [String: (count: Int, number: UInt64)] = [:]
        var last: UInt64 = 0
    }

    private let state = Locked(State())

    /// A request under way; it is recorded until the ticket is released.
    final class Ticket: Sendable {
        fileprivate let key: String
        fileprivate let number: UInt64
        private let changes: CacheChanges

        fileprivate init(_ key: String, _ number: UInt64, _ changes: CacheChanges) {
            self.key = key
            self.number = number
            self.changes = changes
        }

        deinit { changes.release(key) }

        /// Whether the URL has not been invalidated since.
        var isCurrent: Bool { changes.number(of: key) == number }
    }

    /// Begins to observe a key.
    func ticket(_ key: String) -> Ticket {
        let number = state.withLock { state in
            let (count, number) = state.asking[key] ?? (0, 0)
            state.asking[key] = (count + 1, number)
            return number
        }
        return Ticket(key, number, self)
    }

    /// Invalidates a key.
    func invalidate(_ key: String) {
        state.withLock { state in
            guard let count = state.asking[key]?.count else { return }
            state.last += 1
            state.asking[key] = (count, state.last)
        }
    }

    /// Invalidates all keys.
    func invalidateAll() {
        state.withLock { state in
            state.last += 1
            for key in state.asking.keys { state.asking[key]?.number = state.last }
        }
    }

    private func number(of key: String) -> UInt64 { state.withLock { $0.asking[key]?.number ?? 0 } }

    private func release(_ key: String) {
        state.withLock { state in
            guard let (count, number) = state.asking[key] else { return }
            state.asking[key] = count > 1 ? (count - 1, number) : nil
        }
    }
}

/// Locks keys for one task at a time.
final class KeyedLock: Sendable {
    /// The tasks that wait for each locked key.
    private let waiting = Locked<[String: [CheckedContinuation<Void, Never>]]>([:])

    /// Waits until the key is not locked, and locks it; followed by ``unlock(_:)``.
    func lock(_ key: String) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[key] == nil else {
                    waiting[key]?.append(continuation)
                    return false
                }
                waiting[key] = []
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    /// Unlocks the key for the next task.
    func unlock(_ key: String) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
            guard waiting[key]?.isEmpty == false else {
                waiting[key] = nil
                return nil
            }
            return waiting[key]?.removeFirst()
        }
        next?.resume()
    }
}

/// The keys whose responses are revalidated in the background.
final class BackgroundRenewals: Sendable {
    private let keys = Locked<Set<String>>([])

    /// Begins a revalidation; false if one is under way.
    func begin(_ key: String) -> Bool { keys.withLock { $0.insert(key).inserted } }

    /// Ends a revalidation.
    func end(_ key: String) { keys.withLock { _ = $0.remove(key) } }
}
