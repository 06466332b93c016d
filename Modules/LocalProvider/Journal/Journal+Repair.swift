extension Journal {
    /// Deals with a file whose last whole record is followed by `rest`, which is no room, or that is damaged before
    /// that. The lock is held.
    func repair(
        _ bytes: [UInt8],
        _ scan: JournalScan,
        _ rest: ArraySlice<UInt8>,
        base: (sequence: UInt64, schema: Int)?,
        isDamaged: Bool
    ) throws(LocalError) {
        if let mended = Self.withMendedLength(bytes, rest) {
            let damage = LocalRecovery.Damage.damaged(bytes: scan.damagedBytes + MemoryLayout<UInt32>.size)
            return try restore(over: mended, base: base, setAside: keepDamaged(path), damage: damage)
        }
        if !isDamaged, Self.isUnfinished(rest) {
            try file?.truncate(to: scan.end)
            length = scan.end
            recoveries.append(LocalRecovery(path: path, damage: .unfinishedWrite(bytes: rest.count), setAside: nil))
            needsRepair = false
            return
        }
        let setAside = keepDamaged(path)
        let count = scan.damagedBytes + rest.count
        try restore(over: bytes, base: base, setAside: setAside, damage: .damaged(bytes: max(count, 1)))
    }

    /// Builds the values from the backup and the whole records of `bytes`, and writes both files anew.
    ///
    /// A journal begins as what its backup ends as, so that the backup stands in for a damaged beginning; that it is the
    /// right one, the numbers tell. One that goes as far as the journal itself is of a repair that was cut short, after it
    /// had written the backup: it holds all that could be saved.
    func restore(
        over bytes: [UInt8],
        base: (sequence: UInt64, schema: Int)? = nil,
        setAside: String?,
        damage: LocalRecovery.Damage
    ) throws(LocalError) {
        // One that cannot be read now is not replaced by less than it may hold.
        let backup = try system.contents(of: backupPath)
        (entries, liveBytes) = ([:], 0)
        if let backup,
            case .whole(let version, let schema, let backupBase, _) = JournalFormat.readHeader(backup),
            version <= JournalFormat.version, schema <= supportedSchema
        {
            if base == nil { self.schema = schema }
            let scan = replay(backup, resynchronises: true)
            let backupEnd = max(scan.lastSequence, backupBase)
            if let base, !(base.sequence == backupEnd || lastSequence <= backupEnd) || base.schema != schema {
                (entries, liveBytes) = ([:], 0)
            }
            lastSequence = max(lastSequence, backupEnd)
        }
        let scan = replay(bytes, resynchronises: true)
        // A number lost with a damaged record may have been seen by another process: stay clear of it.
        lastSequence = min(max(lastSequence, scan.lastSequence) + 1 << 20, JournalFormat.highestSequence)
        try write(to: backupPath)
        try rewrite(keepsBackup: false)
        recoveries.append(LocalRecovery(path: path, damage: damage, setAside: setAside))
    }

    /// The whole file with the right length in its last record, where that alone was wrong: nothing else tells such a
    /// record from a write that was not finished.
    private static func withMendedLength(_ bytes: [UInt8], _ rest: ArraySlice<UInt8>) -> [UInt8]? {
        guard rest.count >= JournalFormat.recordHeaderSize, rest.starts(with: JournalFormat.mark) else { return nil }
        var mended = Array(bytes[..<rest.endIndex])
        JournalFormat.put(UInt32(rest.count - JournalFormat.recordHeaderSize), at: rest.startIndex + 4, in: &mended)
        let stored = JournalFormat.load(UInt32.self, mended, rest.startIndex + 8)
        let isWhole = JournalFormat.checksum(of: mended, start: rest.startIndex, end: rest.endIndex) == stored
        return isWhole ? mended : nil
    }

    /// Whether these bytes are the beginning of a record, as a crash in the middle of an append leaves it: cut short, or
    /// with zeros where the system had not written yet.
    private static func isUnfinished(_ rest: ArraySlice<UInt8>) -> Bool {
        if rest.allSatisfy({ $0 == 0 }) { return true }
        let bytes = Array(rest)
        guard bytes.count >= JournalFormat.recordHeaderSize else {
            return bytes.prefix(4).elementsEqual(JournalFormat.mark.prefix(bytes.count))
        }
        guard bytes.starts(with: JournalFormat.mark) else { return false }
        let length = Int(JournalFormat.load(UInt32.self, bytes, 4))
        return length > bytes.count - JournalFormat.recordHeaderSize || bytes.last == 0
    }

    /// Gives the backup another name too, where it is damaged itself and about to be replaced by what is whole of it.
    ///
    /// - Returns: the other name.
    /// - Throws: where it cannot be read.
    func keepDamagedBackup() throws(LocalError) -> String? {
        let bytes = try system.contents(of: backupPath) ?? []
        guard case .whole(_, _, _, let end) = JournalFormat.readHeader(bytes) else { return keepDamaged(backupPath) }
        let begin = JournalFormat.headerSize
        let scan = JournalScan(bytes, from: begin, lastSequence: 0, resynchronises: true) { _ in }
        let isWhole = scan.damagedBytes == 0 && scan.end >= end
        return isWhole && JournalFormat.withoutRoom(bytes[scan.end...]).isEmpty ? nil : keepDamaged(backupPath)
    }

    /// Gives a damaged file a name of its own, so that nothing of it is lost: the latest damaged one is kept.
    private func keepDamaged(_ file: String) -> String? {
        let target = path + ".damaged"
        let isKept: Void? = try? system.duplicate(file, as: target)
        return isKept == nil ? nil : target
    }
}
