extension Journal {
    /// Appends one record. The lock is held and the journal fresh.
    ///
    /// - Returns: the changes made.
    /// - Throws: ``LocalError``; then nothing has changed.
    func append(_ operations: [JournalFormat.Operation]) throws(LocalError) -> [LocalChange] {
        if file == nil { try create() } else { try becomeWritable() }
        guard let file else { throw .io(path: path, operation: "open", errno: SystemFailure.absent) }
        guard lastSequence < JournalFormat.highestSequence else {
            throw .corrupt(path: path, detail: "its sequence numbers are used up")
        }
        let record = JournalFormat.Record(sequence: lastSequence + 1, writer: writer, operations: operations)
        var bytes: [UInt8] = []
        JournalFormat.append(record, to: &bytes)
        guard bytes.count <= JournalFormat.longestRecord else {
            throw .full(path: path, errno: SystemFailure.fileTooLarge)
        }
        try write(&bytes, to: file)
        lastSequence += 1
        appendCount += 1
        return apply(record)
    }

    /// Writes a record's bytes, with room for more behind them where those to come will need it.
    private func write(_ bytes: inout [UInt8], to file: OpenFile) throws(LocalError) {
        let recordEnd = end + bytes.count
        if recordEnd > length, appendCount >= 8 {
            let target = (recordEnd / JournalFormat.roomStep + 1) * JournalFormat.roomStep
            bytes += repeatElement(JournalFormat.filler, count: target - recordEnd)
            if try writeWhole(bytes, to: file, recordEnd: recordEnd) { return }
            bytes.removeLast(target - recordEnd)
        }
        _ = try writeWhole(bytes, to: file, recordEnd: recordEnd)
    }

    /// Writes bytes at the end of the records.
    ///
    /// - Parameters:
    ///   - bytes: a record and perhaps room.
    ///   - file: the file.
    ///   - recordEnd: where the record ends.
    /// - Returns: whether there was space for the record; false only where room for more was wanted with it.
    /// - Throws: ``LocalError``; then nothing of it stays.
    private func writeWhole(_ bytes: [UInt8], to file: OpenFile, recordEnd: Int) throws(LocalError) -> Bool {
        let isRoomWanted = end + bytes.count > recordEnd
        do {
            try file.write(bytes, at: end)
            (end, length) = (recordEnd, max(length, end + bytes.count))
            return true
        } catch {
            // A record that is whole may have been read: it stays, with as much room as there was space for.
            if isRoomWanted, case .full = error, let size = try? file.status().outline.size, size >= recordEnd {
                (end, length) = (recordEnd, size)
                return true
            }
            // What was written of it must not stay before the next record. Where even that fails, the next holder of
            // the lock finds an unfinished record and drops it.
            do {
                try file.truncate(to: end)
                length = end
            } catch {
                needsRepair = true
            }
            guard isRoomWanted, !needsRepair, case .full = error else { throw error }
            return false
        }
    }

    /// Whether most of the file is of values that have been replaced.
    var isWorthCompacting: Bool {
        end > max(2 * liveBytes + 65_536, compactionThreshold)
    }

    /// Writes the present values to a new file and puts it in place of the old one, which becomes the backup.
    func compact() throws(LocalError) {
        do {
            try rewrite(keepsBackup: true)
            compactionThreshold = 0
        } catch {
            // The old file is as good as before, or the new one is there without its name being on the disk: either can be
            // used. Try again when it has grown, not at each write.
            compactionThreshold = end + end / 2
            throw error
        }
    }

    /// As ``compact()``, with nothing left in any file of values that have been replaced or removed.
    func compactWithoutTraces() throws(LocalError) {
        // The backup first: a file of a schema is never without one.
        try write(to: backupPath)
        try rewrite(keepsBackup: false)
        compactionThreshold = 0
    }

    /// Removes what repairs, migrations and writes that were cut short have left.
    func removeLeftovers() throws(LocalError) {
        let folder = FileSystem.parent(of: path)
        let name = FileSystem.name(of: path)
        for other in try system.list(folder) where other.hasPrefix(name + ".") {
            var suffix = other.dropFirst(name.count + 1)
            if suffix.hasSuffix("tmp") { suffix = "tmp" }
            let isVersion = suffix.first == "v" && suffix.dropFirst().allSatisfy(\.isNumber)
            guard suffix == "damaged" || suffix == "tmp" || isVersion else { continue }
            try system.remove(folder + "/" + other)
            folderNeedsSynchronising = true
        }
        try synchroniseFolderIfNeeded()
    }

    /// Makes sure that the file's name is on the disk.
    func synchroniseFolderIfNeeded() throws(LocalError) {
        guard folderNeedsSynchronising else { return }
        try system.synchroniseFolder(FileSystem.parent(of: path))
        folderNeedsSynchronising = false
    }

    private func becomeWritable() throws(LocalError) {
        guard !isWritable, let opened = try system.open(path, .writing) else { return }
        // The lock is held, so that it is still the file that was read.
        (file, outline, isWritable) = (opened, try opened.status().outline, true)
    }

    private func create() throws(LocalError) {
        try system.makeFolders(FileSystem.parent(of: path))
        // Were the header damaged before the first compaction, the backup's would tell the schema.
        if schema > 1 { try write(to: backupPath) }
        try rewrite(keepsBackup: false)
    }

    /// Puts a new file with the present values in place.
    func rewrite(keepsBackup: Bool) throws(LocalError) {
        let fresh = try writeTemporary()
        do {
            if keepsBackup { try system.duplicate(path, as: backupPath) }
            try system.rename(temporaryPath, to: path)
        } catch {
            _ = try? system.remove(temporaryPath)
            throw error
        }
        (file, end, length) = (fresh.file, fresh.size, fresh.size)
        (needsRepair, isWritable) = (false, true)
        folderNeedsSynchronising = true
        outline = try fresh.file.status().outline
        try synchroniseFolderIfNeeded()
    }

    /// Writes a file with the present values under another name than the journal's.
    func write(to target: String) throws(LocalError) {
        _ = try writeTemporary()
        try system.rename(temporaryPath, to: target)
    }

    private func writeTemporary() throws(LocalError) -> (file: OpenFile, size: Int) {
        let bytes = image()
        try system.remove(temporaryPath)
        guard let fresh = try system.open(temporaryPath, .creating) else {
            throw .io(path: temporaryPath, operation: "open", errno: SystemFailure.absent)
        }
        do {
            try fresh.write(bytes, at: 0)
            try fresh.synchronise()
        } catch {
            _ = try? system.remove(temporaryPath)
            throw error
        }
        return (fresh, bytes.count)
    }

    /// The bytes of a journal with the present values. Each keeps its number, and what came in one record stays in one.
    private func image() -> [UInt8] {
        var records: [UInt8] = []
        records.reserveCapacity(liveBytes)
        var record = JournalFormat.Record(sequence: 0, writer: 0, operations: [])
        for (key, entry) in entries.sorted(by: { $0.value.sequence < $1.value.sequence }) {
            if entry.sequence != record.sequence {
                if !record.operations.isEmpty { JournalFormat.append(record, to: &records) }
                record = JournalFormat.Record(sequence: entry.sequence, writer: entry.writer, operations: [])
            }
            record.operations.append(JournalFormat.Operation(key: key, value: entry.value))
        }
        if !record.operations.isEmpty { JournalFormat.append(record, to: &records) }
        let end = JournalFormat.headerSize + records.count
        return JournalFormat.header(baseSequence: lastSequence, baseEnd: end, schema: schema) + records
    }
}
