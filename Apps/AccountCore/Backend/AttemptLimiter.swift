import LocalProvider

/// Limits the failed attempts for an account and for an address, also for accounts that do not exist.
///
/// An attempt is counted before it is checked, so that parallel attempts cannot exceed the limit.
struct AttemptLimiter {
    let policy: BackendPolicy
    let now: Int
    /// The keys of the account and of the address.
    let keys: [String]

    init(policy: BackendPolicy, now: Int, id: String, address: String) {
        (self.policy, self.now) = (policy, now)
        keys = [RecordKey.attempts(id: id), RecordKey.attempts(address: address)]
    }

    /// Counts an attempt as failed, until ``succeed(in:)``.
    ///
    /// - Returns: the seconds to wait if the attempt is not allowed; `nil` if it is.
    func begin(in transaction: inout JSONDefaults.Transaction) throws -> Int? {
        var records: [AttemptRecord] = []
        for key in keys {
            records.append(try transaction.value(for: key, as: AttemptRecord.self) ?? AttemptRecord())
        }
        if let until = records.map(\.blockedUntil).max(), now < until { return until - now }
        for (key, old) in zip(keys, records) {
            var record = old
            // Two hours without an attempt end the count.
            if record.last + 7_200 <= now { record.failures = 0 }
            record.failures += 1
            record.last = now
            record.blockedUntil = blockedUntil(record.failures)
            try transaction.set(record, for: key)
        }
        return nil
    }

    /// Forgets the failures of the account, and this attempt for the address: an attacker could otherwise reset the count of
    /// an address with an account that belongs to them.
    func succeed(in transaction: inout JSONDefaults.Transaction) throws {
        try transaction.remove(keys[0])
        guard var record = try transaction.value(for: keys[1], as: AttemptRecord.self) else { return }
        record.failures = max(0, record.failures - 1)
        record.blockedUntil = 0
        try transaction.set(record.failures == 0 ? nil : record, for: keys[1])
    }

    private func blockedUntil(_ failures: Int) -> Int {
        guard failures >= policy.freeAttempts else { return 0 }
        let doublings = min(failures - policy.freeAttempts, 20)
        return now + min(policy.firstWait << doublings, policy.longestWait)
    }
}
