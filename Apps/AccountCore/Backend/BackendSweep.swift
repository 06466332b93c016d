import LocalProvider

/// Removes the records that have expired. Their bytes are in the files until the next compaction.
struct BackendSweep {
    let now: Int

    /// Removes them unless that was done in the last day.
    func runDaily(_ transaction: inout JSONDefaults.Transaction) throws {
        // The time is stored, since the process of an embedded backend ends after a few sessions.
        let swept = try transaction.value(for: RecordKey.sweep, as: Int.self) ?? 0
        guard !(swept...swept + 86_399).contains(now) else { return }
        try run(&transaction)
        try transaction.set(now, for: RecordKey.sweep)
    }

    func run(_ transaction: inout JSONDefaults.Transaction) throws {
        for (key, record) in try transaction.values(of: TokenRecord.self, prefix: "token.")
        where record.expires <= now { try transaction.remove(key) }
        // A session without a token cannot be continued.
        let families = try transaction.values(of: TokenRecord.self, prefix: "token.").map { $1.family }
        let used = Set(families.map(RecordKey.family))
        for key in try transaction.values(of: FamilyRecord.self, prefix: "family.").keys
        where !used.contains(key) { try transaction.remove(key) }
        for (key, record) in try transaction.values(of: VerificationRecord.self, prefix: "verification.")
        where record.expires <= now { try transaction.remove(key) }
        for (key, record) in try transaction.values(of: VerifiedRecord.self, prefix: "verified.")
        where record.expires <= now { try transaction.remove(key) }
        for (key, record) in try transaction.values(of: SentRecord.self, prefix: "sent.")
        where !record.times.contains(where: { ($0..<$0 + 3_600).contains(now) }) {
            try transaction.remove(key)
        }
        for (key, record) in try transaction.values(of: AttemptRecord.self, prefix: "attempts.")
        where !record.isCurrent(at: now) { try transaction.remove(key) }
        for prefix in ["reserved.", "challenge."] {
            for (key, until) in try transaction.values(of: Int.self, prefix: prefix) where until <= now {
                try transaction.remove(key)
            }
        }
    }
}
