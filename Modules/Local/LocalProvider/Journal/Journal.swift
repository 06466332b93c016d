import SystemCalls

/// A journal: its file, and in memory the values to which its records add up. ``JSONDefaults`` guards it between threads.
///
/// Writing requires the lock between processes, and the records of others to be read first. Reading requires no lock: a
/// record that another process is writing is not intact yet, and stays unread until it is.
final class Journal {
    /// How a journal is read.
    enum Access {
        /// Without the lock: another process may be writing, so that the end of the file may be incomplete.
        case shared
        /// With the lock: what is incomplete will stay so, and is repaired.
        case exclusive
        /// Nothing may be written: what is not intact is skipped.
        case readOnly
    }

    let path: String
    let system: FileSystem
    let file: JournalFile
    /// The token of this process in records.
    let writer: UInt32
    /// The highest schema version that the program supports; a file with a higher one is not changed.
    let supportedSchema: Int

    /// The values.
    var entries = JournalEntries()
    /// The schema version of the values.
    var schema = 1
    /// Whether the file has an unfinished record or damage, which only the holder of the lock can distinguish.
    var needsRepair = false
    /// Whether records were read that may not be durable yet.
    var mayBeUnsynchronised = false
    /// The size that the file must not exceed: with room behind it, it can still be read.
    var longestFile = OpenFile.longest - JournalFormat.roomStep
    /// Returns the bytes that were stored by ``overwrite(removing:storing:)`` and may be a ``JournalPatch``.
    var storedPatch: () -> [UInt8]? = { nil }
    /// The damage that the last reading has found and could not repair, since nothing may be written.
    private(set) var unrepairedDamage: LocalRecovery.Damage?
    /// The damage that was repaired and not reported yet.
    var recoveries: [LocalRecovery] = []
    /// Whether the file was read before: the values that the first reading finds are no changes.
    private var hasRead = false

    init(path: String, system: FileSystem, writer: UInt32, supportedSchema: Int = 1) {
        (self.path, self.system, self.writer, self.supportedSchema) = (path, system, writer, supportedSchema)
        file = JournalFile(path: path, system: system)
    }

    /// Returns the damage that was repaired since the last call.
    func takeRecoveries() -> [LocalRecovery] {
        defer { recoveries = [] }
        return recoveries
    }

    /// Returns the change that an operation makes.
    func change(_ key: LocalIdentifier, _ kind: LocalChange.Kind, by writer: UInt32?) -> LocalChange {
        LocalChange(
            store: .defaults,
            identifier: key.text,
            kind: kind,
            origin: writer == self.writer ? .thisProcess : .anotherProcess
        )
    }

    /// Returns the changes that operations make.
    func changes(_ operations: [JournalFormat.Operation], by writer: UInt32) -> [LocalChange] {
        operations.map { change($0.key, $0.value == nil ? .removed : .set, by: writer) }
    }

    // MARK: Writing

    /// Appends a record; creates the file if it does not exist. The lock is held and the file has been read.
    ///
    /// - Returns: the changes.
    /// - Throws: ``LocalError``; nothing has changed then.
    func append(_ operations: [JournalFormat.Operation]) throws(LocalError) -> [LocalChange] {
        try checkSize(of: operations)
        if file.file == nil { try create() }
        guard entries.lastSequence < JournalFormat.highestSequence else {
            throw .corrupt(path: path, detail: "its sequence numbers are used up")
        }
        let sequence = entries.lastSequence + 1
        let record = JournalFormat.Record(sequence: sequence, writer: writer, operations: operations)
        var bytes: [UInt8] = []
        JournalFormat.append(record, to: &bytes)
        if file.end + bytes.count > longestFile {
            guard JournalFormat.headerSize + entries.imageSize + bytes.count <= longestFile else {
                // What was stored can be removed: by a file without it.
                if operations.allSatisfy({ $0.value == nil }) { return try replace(operations, schema) }
                throw unencodable(operations, bytes.count, "the file of all values can have at most \(longestFile)")
            }
            try compact()
        }
        do {
            try file.append(bytes)
        } catch {
            if file.hasRemains { needsRepair = true }
            throw error
        }
        entries.lastSequence = sequence
        return changes(entries.apply(record), by: writer)
    }

    /// Throws ``LocalError/unencodable(identifier:path:detail:)`` if changes are too large for one record.
    func checkSize(of operations: [JournalFormat.Operation]) throws(LocalError) {
        let size = operations.reduce(JournalFormat.recordHeaderSize) { $0 + $1.size }
        let limit = JournalFormat.longestRecord
        if size > limit { throw unencodable(operations, size, "a journal takes at most \(limit) at a time") }
    }

    private func unencodable(_ operations: [JournalFormat.Operation], _ size: Int, _ limit: String) -> LocalError {
        let largest = operations.max { $0.size < $1.size }
        let detail = "it is part of a change of \(size) bytes; \(limit)"
        return .unencodable(identifier: largest?.key.text ?? "", path: path, detail: detail)
    }

    private func create() throws(LocalError) {
        try system.makeFolders(FileSystem.parent(of: path))
        // If the header was damaged before the first compaction, the backup's would have the schema version.
        if schema > 1 { try file.replaceBackup(with: entries.image(schema: schema)) }
        try replaceFile()
    }

    /// Replaces the file by a compacted one, without a backup.
    func replaceFile() throws(LocalError) {
        try file.replace(with: entries.image(schema: schema), keepsBackup: false)
        needsRepair = false
    }

    /// Replaces the file by a compacted one, and makes the old file the backup.
    func compact() throws(LocalError) {
        try file.compact(to: entries.image(schema: schema))
        needsRepair = false
    }

    /// Replaces the file and the backup, so that neither has replaced or removed values.
    func compactWithoutBackup() throws(LocalError) {
        // The backup first: a file with a schema version never exists without one.
        try file.replaceBackup(with: entries.image(schema: schema))
        try replaceFile()
    }

    var isWorthCompacting: Bool { file.isWorthCompacting(entries) }

    /// Removes values by rewriting the file in place, which needs no space on the disk.
    ///
    /// - Returns: the changes, or `nil` if that is not possible; nothing has changed then.
    /// - Throws: ``LocalError``; the file is then read anew.
    func shrink(removing keys: [LocalIdentifier]) throws(LocalError) -> [LocalChange]? {
        var smaller = entries
        smaller.lastSequence += 1
        let operations = keys.map { JournalFormat.Operation(key: $0, value: nil) }
        let record = JournalFormat.Record(sequence: smaller.lastSequence, writer: writer, operations: operations)
        let removed = smaller.apply(record)
        do throws(LocalError) {
            guard try file.shrink(to: smaller, schema: schema) else { return nil }
        } catch {
            needsRepair = true
            throw error
        }
        entries = smaller
        return changes(removed, by: writer)
    }

    // MARK: Reading

    /// Reads what other processes have written since the last call.
    ///
    /// - Returns: the changes since then; none for the first call.
    func refresh(_ access: Access) throws(LocalError) -> [LocalChange] {
        switch try file.change() {
        case .absent: return try becomeAbsent(access)
        case .unchanged where !needsRepair: return []
        case .appended where !needsRepair: return try readAppended(access)
        default: return try readAll(access)
        }
    }

    private var snapshot: JournalSnapshot? {
        hasRead ? JournalSnapshot(entries: entries, file: file.file, end: file.end) : nil
    }

    private func changes(
        since before: JournalSnapshot?,
        _ removals: JournalRemovals? = nil,
        base: UInt64? = nil
    ) -> [LocalChange] {
        let changes = before?.changes(to: entries, removals, base: base, backup: removalsInBackup) ?? []
        return changes.map { change($0.key, $0.kind, by: $0.writer) }
    }

    /// Returns to a snapshot, so that the next reading finds the changes again, and reports none now.
    private func postpone(to before: JournalSnapshot?) -> [LocalChange] {
        hasRead = before != nil
        entries = before?.entries ?? JournalEntries()
        file.restore(before?.file, end: before?.end ?? 0)
        needsRepair = true
        return []
    }

    /// Without a file, the store is empty, unless a backup exists.
    private func becomeAbsent(_ access: Access) throws(LocalError) -> [LocalChange] {
        let before = snapshot
        entries = JournalEntries()
        file.forget()
        (needsRepair, schema, hasRead) = (false, 1, true)
        var damage: LocalRecovery.Damage?
        do throws(LocalError) {
            if try hasBackup() {
                switch access {
                case .exclusive:
                    try restore(over: [], setAside: setAsideDamagedBackup(), damage: .replacedByBackup)
                case .readOnly: (needsRepair, damage) = (true, .replacedByBackup)
                case .shared: return postpone(to: before)
                }
            }
        } catch {
            _ = postpone(to: before)
            throw error
        }
        unrepairedDamage = damage
        return changes(since: before)
    }

    private func readAppended(_ access: Access) throws(LocalError) -> [LocalChange] {
        guard let bytes = try file.appendedBytes() else { return try readAll(access) }
        var records: [JournalFormat.Record] = []
        let scan = JournalScan(bytes, from: 0, lastSequence: entries.lastSequence, resynchronises: false) { record, _ in
            records.append(record)
        }
        if !JournalFormat.withoutRoom(bytes[scan.end...]).isEmpty {
            needsRepair = true
            // Damage, or the unfinished record of a process that has ended.
            if access == .exclusive { return try readAll(.exclusive) }
        }
        file.moveEnd(behind: scan, in: bytes, from: file.end)
        entries.lastSequence = scan.lastSequence
        mayBeUnsynchronised = true
        return records.flatMap { changes(entries.apply($0), by: $0.writer) }
    }

    private func readAll(_ access: Access) throws(LocalError) -> [LocalChange] {
        let before = snapshot
        guard var bytes = try file.open(forWriting: access == .exclusive) else { return [] }
        if access == .exclusive, let completed = try completePatch(of: bytes) { bytes = completed }
        var base: (sequence: UInt64, end: Int, schema: Int)?
        do throws(LocalError) {
            if case .whole(let version, let schema, let sequence, let end) = JournalFormat.readHeader(bytes) {
                try check(version: version, schema: schema, path)
                base = (sequence, end, schema)
            }
            // A file with a schema version always has a backup with the same version.
            if let base { schema = base.schema } else { schema = try backupSchema() ?? 1 }
        } catch {
            file.forget()
            throw error
        }
        (needsRepair, hasRead, mayBeUnsynchronised) = (false, true, true)
        var removals = JournalRemovals(after: entries.lastSequence)
        entries = JournalEntries()
        let scan = replay(bytes, resynchronises: access != .shared) { removals.add($0) }
        file.moveEnd(behind: scan, in: bytes)
        entries.lastSequence = max(scan.lastSequence, base?.sequence ?? 0)
        let isDamaged = base.map { scan.end < $0.end } ?? true || scan.damagedBytes > 0
        let rest = JournalFormat.withoutRoom(bytes[scan.end...])
        var damage: LocalRecovery.Damage?
        if isDamaged || !rest.isEmpty {
            needsRepair = true
            // The holder of the lock may be able to read more: no changes are reported before.
            if access == .shared { return postpone(to: before) }
            if access == .readOnly, isDamaged || !Self.isUnfinished(rest) {
                damage = .damaged(bytes: max(scan.damagedBytes + rest.count, 1))
            }
            if access == .exclusive {
                do throws(LocalError) {
                    try repair(bytes, scan, rest, base: base.map { ($0.sequence, $0.schema) }, isDamaged: isDamaged)
                } catch {
                    _ = postpone(to: before)
                    throw error
                }
            }
        }
        unrepairedDamage = damage
        return changes(since: before, removals, base: base?.sequence)
    }

    /// Applies all intact records of a file.
    func replay(
        _ bytes: [UInt8],
        resynchronises: Bool,
        _ visit: (JournalFormat.Record) -> Void = { _ in }
    ) -> JournalScan {
        JournalScan(
            bytes,
            from: min(JournalFormat.headerSize, bytes.count),
            lastSequence: 0,
            resynchronises: resynchronises
        ) { record, _ in
            visit(record)
            _ = entries.apply(record)
        }
    }

    /// Throws for a file that a newer program has written.
    func check(version: Int, schema: Int, _ path: String) throws(LocalError) {
        guard version <= JournalFormat.version else {
            throw .newerVersion(path: path, found: version, supported: JournalFormat.version)
        }
        guard schema <= supportedSchema else {
            throw .newerVersion(path: path, found: schema, supported: supportedSchema)
        }
    }
}
