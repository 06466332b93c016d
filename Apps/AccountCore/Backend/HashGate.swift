import LocalSecrets
import Threading

/// Computes the hashes of passwords, a few at a time: each needs much memory, and all processors would be busy with them.
final class HashGate: Sendable {
    private let semaphore: Semaphore
    private let waiting = Locked(0)
    private let limit: Int
    private let isClosed = Locked(false)

    init(concurrent: Int, waiting: Int) {
        semaphore = Semaphore(max(1, concurrent))
        limit = concurrent + waiting
    }

    /// Returns the hash of a password; blocks until it is computed.
    ///
    /// - Throws: ``BackendFailure/busy`` if too many requests wait.
    func hash(_ password: String, cost: PasswordHash.Cost) throws(BackendFailure) -> PasswordHash {
        try run { () throws(SecretError) in try PasswordHash(password, cost: cost) }
    }

    /// Returns whether a password has a hash; blocks until it is compared.
    ///
    /// - Throws: ``BackendFailure/busy`` if too many requests wait.
    func matches(_ hash: PasswordHash, _ password: String) throws(BackendFailure) -> Bool {
        try run { () throws(SecretError) in try hash.matches(password) }
    }

    /// Refuses the requests that wait and all later ones, so that nothing waits longer than for the hashes that are computed now.
    func close() { isClosed.withLock { $0 = true } }

    private func run<Result>(_ work: () throws(SecretError) -> Result) throws(BackendFailure) -> Result {
        let isAdmitted = waiting.withLock { waiting in
            guard waiting < limit else { return false }
            waiting += 1
            return true
        }
        guard isAdmitted else { throw .busy }
        defer { waiting.withLock { $0 -= 1 } }
        semaphore.wait()
        defer { semaphore.signal() }
        guard !isClosed.withLock({ $0 }) else { throw .busy }
        // Without memory for one hash, another attempt may succeed when others have ended.
        do { return try work() } catch { throw .busy }
    }
}
