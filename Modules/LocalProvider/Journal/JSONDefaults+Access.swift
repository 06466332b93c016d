extension JSONDefaults {
    /// Runs `body` with the journal as fresh as the file.
    func reading<Result>(_ body: (Journal) throws(LocalError) -> Result) throws(LocalError) -> Result {
        if let result = try shared(body) { return result }
        do throws(LocalError) {
            try begin(migrates: false)
        } catch .notPermitted(let path, let code) {
            return try readOnly(body, or: .notPermitted(path: path, errno: code))
        }
        defer { end() }
        if isOutdated { try migrateExclusively() }
        return try body(journal)
    }

    /// Runs `body` with the journal fresh and the lock held, then waits for the disk where that is asked for.
    ///
    /// - Parameters:
    ///   - durability: what the changes made by `body` are to survive.
    ///   - body: looks at the journal and returns what is to be changed.
    /// - Returns: the result of `body`.
    /// - Throws: what `body` throws, and ``LocalError``.
    func writing<Result>(
        _ durability: LocalDurability?,
        _ body: (Journal) throws -> (operations: [JournalFormat.Operation], result: Result)
    ) throws -> Result {
        let isSynced = durability ?? options.durability == .synced
        let (result, number) = try exclusively(isSynced: isSynced, body)
        if isSynced { try commit.wait(for: number) }
        return result
    }

    /// ``writing(_:_:)`` for bodies that throw nothing but ``LocalError``.
    @discardableResult
    func written<Result>(
        _ durability: LocalDurability?,
        _ body: (Journal) throws -> (operations: [JournalFormat.Operation], result: Result)
    ) throws(LocalError) -> Result {
        do {
            return try writing(durability, body)
        } catch let error as LocalError {
            throw error
        } catch {
            throw .io(path: path, operation: "write", errno: 0)
        }
    }

    // MARK: Reading

    /// Runs `body` with what can be read without the lock; `nil` where only its holder may judge what is there.
    private func shared<Result>(_ body: (Journal) throws(LocalError) -> Result) throws(LocalError) -> Result? {
        try enter()
        defer { monitor.unlock() }
        took(try journal.refresh(.shared))
        return journal.needsRepair || isOutdated ? nil : try body(journal)
    }

    /// Runs `body` where nothing may be written, and so nothing be repaired.
    private func readOnly<Result>(
        _ body: (Journal) throws(LocalError) -> Result,
        or error: LocalError
    ) throws(LocalError) -> Result {
        try enter()
        defer { monitor.unlock() }
        took(try journal.refresh(.readOnly))
        guard !isOutdated else { throw error }
        return try body(journal)
    }

    /// Whether there are values of an earlier version than the program's.
    private var isOutdated: Bool { journal.schema < journal.supportedSchema && !journal.entries.isEmpty }

    // MARK: Writing

    /// Takes the lock, and the monitor when it has it, and reads what there is; ``end()`` gives both back.
    func begin(migrates: Bool = true) throws(LocalError) {
        try lock.take()
        do throws(LocalError) {
            try enter()
        } catch {
            lock.release()
            throw error
        }
        do throws(LocalError) {
            took(try journal.refresh(.exclusive))
            if migrates { try migrateExclusively() }
        } catch {
            end()
            throw error
        }
    }

    func end() {
        monitor.unlock()
        lock.release()
    }

    private func enter() throws(LocalError) {
        // A store used from within its own update would wait for itself.
        guard monitor.lockUnlessHeldByCaller() else { throw .locked(path: path) }
    }

    private func exclusively<Result>(
        isSynced: Bool,
        _ body: (Journal) throws -> (operations: [JournalFormat.Operation], result: Result)
    ) throws -> (Result, Int) {
        try begin()
        defer { end() }
        if commit.hasFailed {
            try journal.compact()
            commit.noteReplacement()
        }
        try appendPending()
        let (operations, result) = try body(journal)
        if !operations.isEmpty { try append(operations) }
        if isSynced { try journal.synchroniseFolderIfNeeded() }
        if journal.isWorthCompacting, (try? journal.compact()) != nil { commit.noteReplacement() }
        return (result, commit.lastAppend)
    }

    /// Writes what has been set without durability.
    func appendPending() throws(LocalError) {
        guard !pending.isEmpty else { return }
        let operations = pending.compactMap { key, value -> JournalFormat.Operation? in
            if value == nil, journal.entries[key] == nil { return nil }
            return JournalFormat.Operation(key: key, value: value)
        }
        // Told when they were set.
        if !operations.isEmpty {
            _ = try journal.append(operations)
            if let file = journal.file { _ = commit.noteAppend(to: file) }
        }
        (pending, pendingBytes) = ([:], 0)
    }

    private func append(_ operations: [JournalFormat.Operation]) throws(LocalError) {
        let changes = try journal.append(operations)
        if let file = journal.file { _ = commit.noteAppend(to: file) }
        hub.send(changes)
    }

    /// Brings the values to the program's schema version; the lock is held and the journal fresh.
    private func migrateExclusively() throws(LocalError) {
        guard journal.schema < journal.supportedSchema else { return }
        guard let report = try journal.migrate(by: options.schema, hub.send) else { return }
        commit.noteReplacement()
        migration = report
        options.onMigration?(report)
    }

    /// Passes on what a refresh has found.
    func took(_ changes: [LocalChange]) {
        if journal.mayBeUnsynchronised, let file = journal.file {
            _ = commit.noteAppend(to: file)
            journal.mayBeUnsynchronised = false
        }
        hub.send(changes)
        let recoveries = journal.takeRecoveries()
        found += recoveries
        for recovery in recoveries { options.onRecovery?(recovery) }
    }
}
