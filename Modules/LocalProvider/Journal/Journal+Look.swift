extension Journal {
    /// A journal as it was when it was last looked at.
    struct Look {
        let entries: [LocalIdentifier: Entry]
        let lastSequence: UInt64
        let file: OpenFile?
        let end: Int
    }

    /// The present state, to compare a later one with; `nil` before the first look.
    var look: Look? {
        guard hasLooked else { return nil }
        return Look(entries: entries, lastSequence: lastSequence, file: file, end: end)
    }

    /// Forgets what has been found since a look, of which nothing has been told, so that the next one finds it again.
    ///
    /// - Parameter look: how the journal was.
    /// - Returns: the changes to tell meanwhile: none.
    func returnLater(to look: Look?) -> [LocalChange] {
        hasLooked = look != nil
        (entries, lastSequence) = (look?.entries ?? [:], look?.lastSequence ?? 0)
        (file, end) = (look?.file, look?.end ?? 0)
        needsRepair = true
        return []
    }

    /// What has changed since a look; nothing where it is the first.
    ///
    /// - Parameters:
    ///   - look: how the journal was.
    ///   - removals: those in the present file.
    ///   - base: the number that the file begins with, where it is there and its header is whole.
    /// - Returns: a change for each value that is another one, new or gone.
    func differences(
        from look: Look?,
        _ removals: JournalRemovals? = nil,
        base: UInt64? = nil
    ) -> [LocalChange] {
        guard let look else { return [] }
        var changes: [LocalChange] = []
        for (key, entry) in entries {
            let old = look.entries[key]
            guard old?.sequence != entry.sequence || old?.value != entry.value else { continue }
            // One that was there before has come back with a backup: whoever wrote it has not changed anything now.
            changes.append(change(key, .set, by: entry.sequence > look.lastSequence ? entry.writer : nil))
        }
        let gone = look.entries.keys.filter { entries[$0] == nil }
        var removals = removals ?? JournalRemovals(after: look.lastSequence)
        if let base, gone.contains(where: { removals.writers[$0] == nil }) {
            removals.add(earlier: self.removals(since: look, before: base))
        }
        for key in gone { changes.append(change(key, .removed, by: removals.writers[key])) }
        return changes
    }

    /// The removals since a look that are no longer in the present file.
    ///
    /// A file that has been written anew holds the values that were left and none of the removals before. These are at the
    /// end of the file it came from, which stays readable to whoever has it open, and in the backup. Each begins with the
    /// number that the one before ended with. Where such a chain does not reach back to the look, some of what happened is
    /// not known, and nothing is said that it might belie.
    ///
    /// - Parameters:
    ///   - look: how the journal was.
    ///   - base: the number that the present file begins with.
    /// - Returns: what is known; nothing where files are missing or cannot be read.
    private func removals(since look: Look, before base: UInt64) -> JournalRemovals {
        let rest = try? look.file?.contents(from: look.end)
        let known = look.lastSequence
        var removals = JournalRemovals(after: known)
        let scan = JournalScan(rest ?? [], from: 0, lastSequence: known, resynchronises: false) { removals.note($0) }
        if scan.lastSequence == base { return removals }
        guard let backup = backupRemovals(after: known, before: base) else { return JournalRemovals(after: known) }
        var all = backup.removals
        if scan.lastSequence == backup.base { all.add(earlier: removals) }
        return all
    }

    /// The removals in the backup, and the number that it begins with; `nil` where it is not what the journal came from.
    private func backupRemovals(
        after known: UInt64,
        before base: UInt64
    ) -> (removals: JournalRemovals, base: UInt64)? {
        guard let bytes = try? system.contents(of: backupPath),
            case .whole(JournalFormat.version, _, let start, _) = JournalFormat.readHeader(bytes)
        else { return nil }
        let begin = JournalFormat.headerSize
        var removals = JournalRemovals(after: known)
        let scan = JournalScan(bytes, from: begin, lastSequence: 0, resynchronises: false) { removals.note($0) }
        guard max(scan.lastSequence, start) == base else { return nil }
        return (removals, start)
    }
}
