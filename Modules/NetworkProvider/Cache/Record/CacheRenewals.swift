import Locking

/// The keys whose answers are being fetched anew in the background.
final class CacheRenewals: Sendable {
    private let keys = Locked<Set<String>>([])

    /// Begins one; false where one is under way already.
    func begin(_ key: String) -> Bool { keys.withLock { $0.insert(key).inserted } }

    /// It has ended, however.
    func end(_ key: String) { keys.withLock { _ = $0.remove(key) } }
}
