extension Journal {
    /// Reads what has been appended, or the whole file where another has taken its place.
    ///
    /// - Returns: the changes since the last call; on the first call none.
    func refresh(_ access: JournalAccess) throws(LocalError) -> [LocalChange] {
        guard let present = try system.outline(of: path) else { return try becomeAbsent(access) }
        if let outline, file != nil, present.isSameFile(as: outline), present.size >= end, !needsRepair {
            length = present.size
            // Room keeps its filler until a record takes its place.
            guard present.size > end, try file?.byte(at: end) != JournalFormat.filler else { return [] }
            return try readOn(access)
        }
        return try readWhole(access)
    }

    /// The file is not there: the store is empty, unless a backup is left of it.
    private func becomeAbsent(_ access: JournalAccess) throws(LocalError) -> [LocalChange] {
        let changes = entries.map { change($0.key, .removed, by: nil) }
        (entries, liveBytes, end, length, lastSequence) = ([:], 0, 0, 0, 0)
        (file, outline, needsRepair, schema) = (nil, nil, false, 1)
        hasLooked = true
        guard try system.outline(of: backupPath) != nil else { return changes }
        if let schema = try backupSchema() { self.schema = schema }
        // A new store's, whose journal was never made.
        guard try !isEmptyBackup() else { return changes }
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
        guard !JournalFormat.withoutRoom(bytes[scan.end...]).isEmpty else { return changes }
        needsRepair = true
        guard access == .exclusive else { return changes }
        // Damage, or a write that its writer did not live to finish: both are dealt with as at opening.
        return try changes + readWhole(.exclusive)
    }

    private func readWhole(_ access: JournalAccess) throws(LocalError) -> [LocalChange] {
        guard let opened = try system.open(path, access == .exclusive ? .writing : .reading) else { return [] }
        let bytes = try opened.contents()
        let header = JournalFormat.readHeader(bytes)
        var base: (sequence: UInt64, end: Int, schema: Int)?
        if case .whole(let version, let schema, let sequence, let end) = header {
            try check(version: version, schema: schema, path)
            base = (sequence, end, schema)
        }
        // A file of a schema is never without a backup of the same.
        if let base { schema = base.schema } else { schema = try backupSchema() ?? 1 }
        let previous = hasLooked ? entries : nil
        hasLooked = true
        (entries, liveBytes, needsRepair) = ([:], 0, false)
        let scan = replay(bytes, resynchronises: access != .shared)
        let present = try opened.status().outline
        // Whoever gave the file its name may not have lived to bring that to the disk.
        if !(outline.map(present.isSameFile) ?? false) { folderNeedsSynchronising = true }
        (file, outline, end, length) = (opened, present, scan.end, bytes.count)
        isWritable = access == .exclusive
        lastSequence = max(scan.lastSequence, base?.sequence ?? 0)
        let isDamaged = base.map { scan.end < $0.end } ?? true || scan.damagedBytes > 0
        let rest = JournalFormat.withoutRoom(bytes[scan.end...])
        if isDamaged || !rest.isEmpty {
            needsRepair = true
            if access == .exclusive {
                try repair(bytes, scan, rest, base: base.map { ($0.sequence, $0.schema) }, isDamaged: isDamaged)
            }
        }
        return previous.map(differences) ?? []
    }

    /// Throws for a file that a newer program has written.
    private func check(version: Int, schema: Int, _ path: String) throws(LocalError) {
        guard version <= JournalFormat.version else {
            throw .newerVersion(path: path, found: version, supported: JournalFormat.version)
        }
        guard schema <= supportedSchema else {
            throw .newerVersion(path: path, found: schema, supported: supportedSchema)
        }
    }

    /// The schema version of the backup; `nil` where there is none, or its header is damaged.
    private func backupSchema() throws(LocalError) -> Int? {
        guard let bytes = try system.contents(of: backupPath),
            case .whole(let version, let schema, _, _) = JournalFormat.readHeader(bytes)
        else { return nil }
        try check(version: version, schema: schema, backupPath)
        return schema
    }

    /// Whether the backup is whole and there is nothing in it.
    private func isEmptyBackup() throws(LocalError) -> Bool {
        let bytes = try system.contents(of: backupPath) ?? []
        return bytes.count == JournalFormat.headerSize && JournalFormat.readHeader(bytes) != .damaged
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
