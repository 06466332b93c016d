extension Journal {
    /// Reads what has been appended, or the whole file where another has taken its place.
    ///
    /// - Returns: the changes since the last call; on the first call none.
    func refresh(_ access: JournalAccess) throws(LocalError) -> [LocalChange] {
        guard let present = try system.status(of: path) else { return try becomeAbsent(access) }
        if let status, file != nil, present.isSameFile(as: status), present.size >= end, !needsRepair {
            guard present.size > end else { return [] }
            return try readOn(access)
        }
        return try readWhole(access)
    }

    /// The file is not there: the store is empty, unless a backup is left of it.
    private func becomeAbsent(_ access: JournalAccess) throws(LocalError) -> [LocalChange] {
        let changes = entries.map { change($0.key, .removed, by: nil) }
        (entries, liveBytes, end, lastSequence) = ([:], 0, 0, 0)
        (file, status, needsRepair) = (nil, nil, false)
        hasLooked = true
        guard try system.status(of: backupPath) != nil else { return changes }
        guard access == .exclusive else {
            needsRepair = true
            return changes
        }
        try restore(over: [], setAside: nil, damage: .replacedByBackup)
        return changes + entries.keys.map { change($0, .set, by: nil) }
    }

    private func readOn(_ access: JournalAccess) throws(LocalError) -> [LocalChange] {
        guard let file else { return [] }
        let bytes = try file.contents(from: end)
        var changes: [LocalChange] = []
        let scan = JournalScan(bytes, from: 0, lastSequence: lastSequence, resynchronises: false) { record in
            changes += apply(record)
        }
        end += scan.end
        lastSequence = scan.lastSequence
        guard scan.end < bytes.count else { return changes }
        needsRepair = true
        guard access == .exclusive else { return changes }
        // Damage, or a write that its writer did not live to finish: both are dealt with as at opening.
        return try changes + readWhole(.exclusive)
    }

    private func readWhole(_ access: JournalAccess) throws(LocalError) -> [LocalChange] {
        guard let opened = try system.open(path, access == .exclusive ? .writing : .reading) else { return [] }
        let bytes = try opened.contents()
        let header = JournalFormat.readHeader(bytes)
        var base: (sequence: UInt64, end: Int)?
        if case .whole(let version, let sequence, let end) = header {
            guard version <= JournalFormat.version else {
                throw .newerVersion(path: path, found: version, supported: JournalFormat.version)
            }
            base = (sequence, end)
        }
        let previous = hasLooked ? entries : nil
        hasLooked = true
        (entries, liveBytes, needsRepair) = ([:], 0, false)
        let scan = replay(bytes, resynchronises: access != .shared)
        (file, status, end) = (opened, try opened.status(), scan.end)
        isWritable = access == .exclusive
        lastSequence = max(scan.lastSequence, base?.sequence ?? 0)
        let isDamaged = base.map { scan.end < $0.end } ?? true || scan.damagedBytes > 0
        if isDamaged || scan.end < bytes.count {
            needsRepair = true
            if access == .exclusive { try repair(bytes, scan, base: base?.sequence, isDamaged: isDamaged) }
        }
        return previous.map(differences) ?? []
    }

    /// Applies all whole records of a file.
    func replay(_ bytes: [UInt8], resynchronises: Bool) -> JournalScan {
        JournalScan(
            bytes,
            from: min(JournalFormat.headerSize, bytes.count),
            lastSequence: 0,
            resynchronises: resynchronises
        ) { record in _ = apply(record) }
    }

    private func differences(from previous: [LocalIdentifier: Entry]) -> [LocalChange] {
        var changes: [LocalChange] = []
        for (key, entry) in entries where previous[key]?.sequence != entry.sequence {
            changes.append(change(key, .set, by: entry.writer))
        }
        for key in previous.keys where entries[key] == nil { changes.append(change(key, .removed, by: nil)) }
        return changes
    }
}
