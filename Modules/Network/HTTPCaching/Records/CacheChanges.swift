import Threading

/// Records whether a URL was invalidated since a request was sent: its response may be of an older state, and is not
/// stored.
///
/// Only the keys of requests under way are recorded.
final class CacheChanges: Sendable {
    private struct State {
        var observed: [String: (count: Int, number: UInt64)] = [:]
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
            let (count, number) = state.observed[key] ?? (0, 0)
            state.observed[key] = (count + 1, number)
            return number
        }
        return Ticket(key, number, self)
    }

    /// Invalidates a key.
    func invalidate(_ key: String) {
        state.withLock { state in
            guard let count = state.observed[key]?.count else { return }
            state.last += 1
            state.observed[key] = (count, state.last)
        }
    }

    /// Invalidates all keys.
    func invalidateAll() {
        state.withLock { state in
            state.last += 1
            for key in state.observed.keys { state.observed[key]?.number = state.last }
        }
    }

    private func number(of key: String) -> UInt64 { state.withLock { $0.observed[key]?.number ?? 0 } }

    private func release(_ key: String) {
        state.withLock { state in
            guard let (count, number) = state.observed[key] else { return }
            state.observed[key] = count > 1 ? (count - 1, number) : nil
        }
    }
}
