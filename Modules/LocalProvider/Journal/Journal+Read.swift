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
        let before = look
        (entries, liveBytes, end, length, lastSequence) = ([:], 0, 0, 0, 0)
        (file, outline, needsRepair, schema) = (nil, nil, false, 1)
        hasLooked = true
        do throws(LocalError) {
            if try isBackupLeft() {
                switch access {
                case .exclusive: try restore(over: [], setAside: keepDamagedBackup(), damage: .replacedByBackup)
                case .readOnly: needsRepair = true
                case .shared: return returnLater(to: before)
                }
            }
        } catch {
            _ = returnLater(to: before)
            throw error
        }
        return differences(from: before)
    }

    private func readOn(_ access: JournalAccess) throws(LocalError) -> [LocalChange] {
        guard let file else { return [] }
        let bytes = try file.contents(from: end)
        var records: [JournalFormat.Record] = []
        let scan = JournalScan(bytes, from: 0, lastSequence: lastSequence, resynchronises: false) { records.append($0) }
        if !JournalFormat.withoutRoom(bytes[scan.end...]).isEmpty {
            needsRepair = true
            // Damage, or a write that its writer did not live to finish: both are dealt with as at opening.
            if access == .exclusive { return try readWhole(.exclusive) }
        }
        end += scan.end
        lastSequence = scan.lastSequence
        mayBeUnsynchronised = true
        return records.flatMap(apply)
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
        let present = try opened.status().outline
        let before = look
        (entries, liveBytes, needsRepair) = ([:], 0, false)
        (hasLooked, mayBeUnsynchronised) = (true, true)
        var removals = JournalRemovals(after: lastSequence)
        let scan = replay(bytes, resynchronises: access != .shared) { removals.note($0) }
        // Whoever gave the file its name may not have lived to bring that to the disk.
        if !(outline.map(present.isSameFile) ?? false) { folderNeedsSynchronising = true }
        (file, outline, end, length) = (opened, present, scan.end, bytes.count)
        isWritable = access == .exclusive
        lastSequence = max(scan.lastSequence, base?.sequence ?? 0)
        let isDamaged = base.map { scan.end < $0.end } ?? true || scan.damagedBytes > 0
        let rest = JournalFormat.withoutRoom(bytes[scan.end...])
        if isDamaged || !rest.isEmpty {
            needsRepair = true
            // The lock's holder may see more of it: until then nothing is told.
            if access == .shared { return returnLater(to: before) }
            if access == .exclusive {
                do throws(LocalError) {
                    try repair(bytes, scan, rest, base: base.map { ($0.sequence, $0.schema) }, isDamaged: isDamaged)
                } catch {
                    _ = returnLater(to: before)
                    throw error
                }
            }
        }
        return differences(from: before, removals, base: base?.sequence)
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

    /// Whether there is a backup with something in it, whose schema version is then the store's.
    private func isBackupLeft() throws(LocalError) -> Bool {
        guard try system.outline(of: backupPath) != nil else { return false }
        if let schema = try backupSchema() { self.schema = schema }
        // A new store's, whose journal was never made.
        return try !isEmptyBackup()
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

    /// Applies all whole records of a file, and shows each.
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
        ) { record in
            visit(record)
            _ = apply(record)
        }
    }
}
