import LocalProvider

/// Counts failed attempts, and returns how long the next one must wait.
///
/// An attempt is counted before it is checked, so that parallel attempts cannot exceed the limit.
struct AttemptLimiter {
    let policy: BackendPolicy
    let now: Int
    /// The key of what is limited: an address, or the sessions of an account.
    let key: String
    /// Whether a success ends the count; otherwise it takes back its own attempt. An attacker could reset the count of an
    /// address with an account that belongs to them.
    let endsWithSuccess: Bool

    /// Returns a limiter for the client's address; `nil` if the address is unknown.
    static func address(_ address: String?, policy: BackendPolicy, now: Int) -> AttemptLimiter? {
        address.map {
            AttemptLimiter(policy: policy, now: now, key: RecordKey.attempts(address: $0), endsWithSuccess: false)
        }
    }

    /// Returns a limiter for the sessions of an account, which only its owner or the thief of a token has.
    static func session(of uid: String, policy: BackendPolicy, now: Int) -> AttemptLimiter {
        AttemptLimiter(policy: policy, now: now, key: RecordKey.attempts(uid: uid), endsWithSuccess: true)
    }

    /// Counts an attempt as failed, until ``succeed(in:)``.
    ///
    /// - Returns: the seconds to wait if the attempt is not allowed; `nil` if it is.
    func begin(in transaction: inout JSONDefaults.Transaction) throws -> Int? {
        var record = try transaction.value(for: key, as: AttemptRecord.self) ?? AttemptRecord()
        // An attempt of a clock that was ahead blocks nothing.
        if record.last <= now, now < record.blockedUntil { return record.blockedUntil - now }
        record.count(at: now)
        record.blockedUntil = blockedUntil(record.failures)
        try transaction.set(record, for: key)
        return nil
    }

    /// Forgets this attempt, or all of them.
    func succeed(in transaction: inout JSONDefaults.Transaction) throws {
        guard var record = try transaction.value(for: key, as: AttemptRecord.self) else { return }
        record.failures = endsWithSuccess ? 0 : max(0, record.failures - 1)
        record.blockedUntil = 0
        try transaction.set(record.failures == 0 ? nil : record, for: key)
    }

    private func blockedUntil(_ failures: Int) -> Int {
        guard failures >= policy.freeAttempts else { return 0 }
        let doublings = min(failures - policy.freeAttempts, 20)
        return now + min(policy.firstWait << doublings, policy.longestWait)
    }
}

/// Counts the failed logins of an id, known or not. After several ones each login must solve a challenge.
struct LoginCounter {
    let policy: BackendPolicy
    let now: Int
    let id: String

    private var key: String { RecordKey.attempts(id: id) }

    /// The bits of the challenge that the next login must solve; 0 for none.
    func bits(in transaction: JSONDefaults.Transaction) throws -> Int {
        guard let record = try transaction.value(for: key, as: AttemptRecord.self), record.isCurrent(at: now),
            record.failures >= policy.freeAttempts
        else { return 0 }
        return min(policy.firstChallenge + record.failures - policy.freeAttempts, policy.hardestChallenge)
    }

    /// Counts a login as failed, until ``succeed(in:)``.
    func count(in transaction: inout JSONDefaults.Transaction) throws {
        var record = try transaction.value(for: key, as: AttemptRecord.self) ?? AttemptRecord()
        record.count(at: now)
        try transaction.set(record, for: key)
    }

    /// Forgets the failures.
    func succeed(in transaction: inout JSONDefaults.Transaction) throws { try transaction.remove(key) }
}
