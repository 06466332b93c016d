import SystemCalls

/// Removing values when no space is left on the disk: nothing here needs any.
extension JournalFile {
    /// Releases the space of the backup, and of files of interrupted writes. The lock is held.
    ///
    /// The backup only serves to repair a damaged journal. If the values have a schema version, its header stays, which
    /// holds the version, too.
    ///
    /// - Returns: whether there was anything to release.
    func releaseBackup(schema: Int) throws(LocalError) -> Bool {
        var isReleased = try system.remove(path + ".tmp")
        if try system.remove(backupPath + ".tmp") { isReleased = true }
        guard let backup = try system.open(backupPath, .writing) else { return isReleased }
        let present = try backup.status()
        let isJournal = status.map(present.isSameFile) ?? false
        if schema > 1, !isJournal {
            guard present.size > JournalFormat.headerSize else { return isReleased }
            try backup.truncate(to: JournalFormat.headerSize)
        } else {
            guard try system.remove(backupPath) else { return isReleased }
        }
        return true
    }

    /// Rewrites the file in place, without the values that `entries` does not have, and truncates it.
    ///
    /// The records move towards the beginning of the file, in their order, and none is written over bytes of a record that
    /// is not durable at its new place: after a crash at any point, each record is intact at its old or its new place, and
    /// the rules of reading find it (``JournalScan``). If a record does not fit into the bytes that are free before it, nothing
    /// is changed; a ``JournalPatch`` can still remove values then.
    ///
    /// Other processes read the file anew, because it has a new header.
    ///
    /// - Parameters:
    ///   - entries: the values that stay; their ``JournalEntries/lastSequence`` must be higher than that of every record.
    ///   - schema: the schema version.
    /// - Returns: whether the file has only these values now.
    /// - Throws: ``LocalError``; the file must then be read anew.
    func shrink(to entries: JournalEntries, schema: Int) throws(LocalError) -> Bool {
        guard let bytes = try open(forWriting: true), let file else { return false }
        var moves: [Move] = []
        var position = JournalFormat.headerSize
        var scanned = JournalFormat.headerSize
        var fits = true
        let scan = JournalScan(bytes, from: position, lastSequence: 0, resynchronises: false) { record, range in
            scanned = range.upperBound
            let remaining = record.operations.filter {
                entries.all[$0.key]?.sequence == record.sequence && $0.value != nil
            }
            guard !remaining.isEmpty else { return }
            var moved: [UInt8] = []
            JournalFormat.append(
                JournalFormat.Record(sequence: record.sequence, writer: record.writer, operations: remaining),
                to: &moved
            )
            if position != range.lowerBound || moved.count != range.count {
                if position + moved.count > range.lowerBound { fits = false }
                moves.append(Move(bytes: moved, to: position))
            }
            position += moved.count
        }
        moveEnd(behind: scan, in: bytes)
        guard fits, scan.end == scanned, JournalFormat.withoutRoom(bytes[scan.end...]).isEmpty else { return false }
        guard position < scan.end else {
            // There is nothing to remove but the room.
            try removeRemains()
            return true
        }
        // The header first: its length would otherwise be that of a longer file.
        let header = JournalFormat.header(
            baseSequence: entries.lastSequence,
            baseEnd: Self.rewrittenBaseEnd,
            schema: schema
        )
        try file.write(header, at: 0)
        try file.synchronise()
        try write(moves, to: file)
        try file.truncate(to: position)
        try file.synchronise()
        didRewrite(to: position, header)
        return true
    }

    private struct Move {
        var bytes: [UInt8]
        var to: Int
    }

    /// Writes records to their new places, one after another.
    ///
    /// Each is durable before the next one is written. Otherwise a loss of power could leave a later record at its new place
    /// and destroy the copy of an earlier one; reading would then ignore the original of the earlier one, since its sequence
    /// number is lower.
    private func write(_ moves: [Move], to file: OpenFile) throws(LocalError) {
        for move in moves {
            try file.write(move.bytes, at: move.to)
            try file.synchronise()
        }
    }
}
