/// Repairing a damaged file, and its backup.
///
/// The backup is the file before the last compaction: a journal begins with the values with which its backup ends.
extension Journal {
    /// Repairs a file with bytes that are no records: behind the last intact record (`rest`, which is not room) or before.
    /// The lock is held.
    func repair(
        _ bytes: [UInt8],
        _ scan: JournalScan,
        _ rest: ArraySlice<UInt8>,
        base: (sequence: UInt64, schema: Int)?,
        isDamaged: Bool
    ) throws(LocalError) {
        if let corrected = Self.withCorrectedLength(bytes, rest) {
            let damage = LocalRecovery.Damage.damaged(bytes: scan.damagedBytes + MemoryLayout<UInt32>.size)
            return try restore(over: corrected, base: base, setAside: file.setAside(path), damage: damage)
        }
        if !isDamaged, Self.isUnfinished(rest) {
            try file.removeRemains()
            recoveries.append(LocalRecovery(path: path, damage: .unfinishedWrite(bytes: rest.count), setAside: nil))
            needsRepair = false
            return
        }
        let setAside = file.setAside(path)
        let count = scan.damagedBytes + rest.count
        try restore(over: bytes, base: base, setAside: setAside, damage: .damaged(bytes: max(count, 1)))
    }

    /// Builds the values from the backup and the intact records of `bytes`, and replaces both files.
    ///
    /// The sequence numbers show whether the backup belongs to the journal. A backup that ends with the same number as the
    /// journal is the result of a repair that was interrupted after it had written the backup, and has everything that could
    /// be restored.
    func restore(
        over bytes: [UInt8],
        base: (sequence: UInt64, schema: Int)? = nil,
        setAside: String?,
        damage: LocalRecovery.Damage
    ) throws(LocalError) {
        let lastRead = entries.lastSequence
        // A backup that cannot be read now must not be replaced by less than it has.
        let backup = try system.contents(of: file.backupPath)
        entries = JournalEntries(lastSequence: lastRead)
        if let backup,
            case .whole(let version, let schema, let backupBase, _) = JournalFormat.readHeader(backup),
            version <= JournalFormat.version, schema <= supportedSchema
        {
            let scan = replay(backup, resynchronises: true)
            let backupEnd = max(scan.lastSequence, backupBase)
            if let base, !(base.sequence == backupEnd || lastRead <= backupEnd) || base.schema != schema {
                entries = JournalEntries(lastSequence: lastRead)
            }
            entries.lastSequence = max(lastRead, backupEnd)
        }
        let scan = replay(bytes, resynchronises: true)
        // Another process may have read a record that is lost now: its sequence number must not be used again.
        entries.lastSequence = min(
            max(entries.lastSequence, scan.lastSequence) + 1 << 20,
            JournalFormat.highestSequence
        )
        try file.replaceBackup(with: entries.image(schema: schema))
        try replaceFile()
        recoveries.append(LocalRecovery(path: path, damage: damage, setAside: setAside))
    }

    /// Returns the file with a corrected length of its last record, if only that was wrong: nothing else distinguishes such
    /// a record from an unfinished write.
    private static func withCorrectedLength(_ bytes: [UInt8], _ rest: ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.count >= JournalFormat.recordHeaderSize, rest.starts(with: JournalFormat.mark) else { return nil }
        var corrected = Array(bytes[..<rest.endIndex])
        JournalFormat.put(UInt32(rest.count - JournalFormat.recordHeaderSize), at: rest.startIndex + 4, in: &corrected)
        let stored = JournalFormat.load(UInt32.self, corrected, rest.startIndex + 8)
        let isIntact = JournalFormat.checksum(of: corrected, start: rest.startIndex, end: rest.endIndex) == stored
        return isIntact ? corrected : nil
    }

    /// Returns whether these bytes are the beginning of a record, as a crash in the middle of an append leaves it: cut short,
    /// or with zeros where the system had not written yet.
    static func isUnfinished(_ rest: ArraySlice<UInt8>) -> Bool {
        if rest.allSatisfy({ $0 == 0 }) { return true }
        let bytes = Array(rest)
        guard bytes.count >= JournalFormat.recordHeaderSize else {
            return bytes.prefix(4).elementsEqual(JournalFormat.mark.prefix(bytes.count))
        }
        guard bytes.starts(with: JournalFormat.mark) else { return false }
        let length = Int(JournalFormat.load(UInt32.self, bytes, 4))
        return length > bytes.count - JournalFormat.recordHeaderSize || bytes.last == 0
    }

    // MARK: The backup

    /// Returns whether a backup with values exists; its schema version becomes that of the store.
    func hasBackup() throws(LocalError) -> Bool {
        guard try system.outline(of: file.backupPath) != nil else { return false }
        if let schema = try backupSchema() { self.schema = schema }
        // An empty one belongs to a new store whose journal was never created.
        let bytes = try system.contents(of: file.backupPath) ?? []
        guard bytes.count == JournalFormat.headerSize, case .whole(_, _, _, let end) = JournalFormat.readHeader(bytes)
        else { return true }
        return end > bytes.count
    }

    /// Returns the schema version of the backup, or `nil` if there is no backup or its header is damaged.
    func backupSchema() throws(LocalError) -> Int? {
        guard let bytes = try system.contents(of: file.backupPath),
            case .whole(let version, let schema, _, _) = JournalFormat.readHeader(bytes)
        else { return nil }
        try check(version: version, schema: schema, file.backupPath)
        return schema
    }

    /// Sets the backup aside if it is damaged, since its intact part is about to replace it.
    ///
    /// - Returns: its new path, or `nil` if it is intact.
    /// - Throws: ``LocalError`` if it cannot be read.
    func setAsideDamagedBackup() throws(LocalError) -> String? {
        let bytes = try system.contents(of: file.backupPath) ?? []
        guard case .whole(_, _, _, let end) = JournalFormat.readHeader(bytes) else {
            return file.setAside(file.backupPath)
        }
        let begin = JournalFormat.headerSize
        let scan = JournalScan(bytes, from: begin, lastSequence: 0, resynchronises: true) { _, _ in }
        let isIntact = scan.damagedBytes == 0 && scan.end >= end
        return isIntact && JournalFormat.withoutRoom(bytes[scan.end...]).isEmpty ? nil : file.setAside(file.backupPath)
    }

    /// Returns the removals in the backup, and the sequence number with which it begins; `nil` if the file was not made from
    /// it.
    func removalsInBackup(after known: UInt64, before base: UInt64) -> (removals: JournalRemovals, base: UInt64)? {
        guard let bytes = try? system.contents(of: file.backupPath),
            case .whole(JournalFormat.version, _, let start, _) = JournalFormat.readHeader(bytes)
        else { return nil }
        let begin = JournalFormat.headerSize
        var removals = JournalRemovals(after: known)
        let scan = JournalScan(bytes, from: begin, lastSequence: 0, resynchronises: false) { record, _ in
            removals.add(record)
        }
        guard max(scan.lastSequence, start) == base else { return nil }
        return (removals, start)
    }
}
