import Locking

/// Tells whether something has been changed at a URL since an answer was asked for: such an answer may show what was
/// there before, and is not kept.
///
/// Only keys that somebody is asking for are remembered.
final class CacheChanges: Sendable {
    private struct State {
        var asking: [String: (count: Int, number: UInt64)] = [:]
        var last: UInt64 = 0
    }

    private let state = Locked(State())

    /// An answer that is on its way; it counts until it is let go of.
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

        /// Whether nothing has been changed since.
        var isCurrent: Bool { changes.number(of: key) == number }
    }

    /// Begins to watch a key.
    func ticket(_ key: String) -> Ticket {
        let number = state.withLock { state in
            let (count, number) = state.asking[key] ?? (0, 0)
            state.asking[key] = (count + 1, number)
            return number
        }
        return Ticket(key, number, self)
    }

    /// Something has been changed at a key.
    func invalidate(_ key: String) {
        state.withLock { state in
            guard let count = state.asking[key]?.count else { return }
            state.last += 1
            state.asking[key] = (count, state.last)
        }
    }

    /// Something has been changed everywhere.
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

/// Lets one task at a time work on each key.
final class KeyedTurns: Sendable {
    /// Those who wait for a key that somebody works on.
    private let waiting = Locked<[String: [CheckedContinuation<Void, Never>]]>([:])

    /// Waits until nobody works on the key. To be followed by ``leave(_:)``.
    func enter(_ key: String) async {
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

    /// Lets the next one work on the key.
    func leave(_ key: String) {
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

/// The keys whose answers are being fetched anew in the background.
final class CacheRenewals: Sendable {
    private let keys = Locked<Set<String>>([])

    /// Begins one; false where one is under way already.
    func begin(_ key: String) -> Bool { keys.withLock { $0.insert(key).inserted } }

    /// It has ended, however.
    func end(_ key: String) { keys.withLock { _ = $0.remove(key) } }
}
