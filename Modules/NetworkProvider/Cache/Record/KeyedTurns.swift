import Locking

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
