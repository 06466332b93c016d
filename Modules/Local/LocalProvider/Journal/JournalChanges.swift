/// The state of a journal when it was last read, to compare a later state with it.
struct JournalSnapshot {
    let entries: JournalEntries
    let file: OpenFile?
    let end: Int

    /// Returns the differences of a later state: a change for each value that was set, replaced or removed.
    ///
    /// - Parameters:
    ///   - present: the later state.
    ///   - removals: the removals in the present file.
    ///   - base: the sequence number with which the present file begins, if it has an intact header.
    ///   - backup: the removals in the backup that are later than a sequence number, if the present file was made from the
    ///     backup, and the sequence number with which the backup begins.
    /// - Returns: the changes, with the token of the process that made each, or `nil` if it is unknown.
    func changes(
        to present: JournalEntries,
        _ removals: JournalRemovals?,
        base: UInt64?,
        backup: (_ after: UInt64, _ before: UInt64) -> (removals: JournalRemovals, base: UInt64)?
    ) -> [(key: LocalIdentifier, kind: LocalChange.Kind, writer: UInt32?)] {
        var changes: [(key: LocalIdentifier, kind: LocalChange.Kind, writer: UInt32?)] = []
        for (key, entry) in present.all {
            let old = entries.all[key]
            guard old?.sequence != entry.sequence || old?.value != entry.value else { continue }
            // A value from before the snapshot has come back with a backup: its writer has not changed anything now.
            changes.append((key, .set, entry.sequence > entries.lastSequence ? entry.writer : nil))
        }
        let removed = entries.all.keys.filter { present.all[$0] == nil }
        var removals = removals ?? JournalRemovals(after: entries.lastSequence)
        if let base, removed.contains(where: { removals.writers[$0] == nil }) {
            removals.add(earlier: self.removals(before: base, backup: backup))
        }
        for key in removed { changes.append((key, .removed, removals.writers[key])) }
        return changes
    }

    /// Returns the removals since the snapshot that are not in the present file.
    ///
    /// A compacted file has the present values and none of the earlier removals. Those are at the end of the file from which
    /// it was made, which stays readable through an open descriptor, and in the backup. Each file begins with the sequence
    /// number with which the one before ended. If this chain does not reach back to the snapshot, some removals are unknown,
    /// and the result is empty, since a later removal could be missing.
    private func removals(
        before base: UInt64,
        backup: (_ after: UInt64, _ before: UInt64) -> (removals: JournalRemovals, base: UInt64)?
    ) -> JournalRemovals {
        let rest = try? file?.contents(from: end)
        let known = entries.lastSequence
        var removals = JournalRemovals(after: known)
        let scan = JournalScan(rest ?? [], from: 0, lastSequence: known, resynchronises: false) { record, _ in
            removals.add(record)
        }
        if scan.lastSequence == base { return removals }
        guard let backup = backup(known, base) else { return JournalRemovals(after: known) }
        var all = backup.removals
        if scan.lastSequence == backup.base { all.add(earlier: removals) }
        return all
    }
}

/// The last process to remove each value, from the records of a journal.
struct JournalRemovals {
    /// Records up to this sequence number are not considered.
    private let known: UInt64
    /// The token of the last process that removed a value.
    private(set) var writers: [LocalIdentifier: UInt32] = [:]

    init(after known: UInt64) { self.known = known }

    /// Adds the removals of a record that is later than all before.
    mutating func add(_ record: JournalFormat.Record) {
        guard record.sequence > known else { return }
        for operation in record.operations where operation.value == nil { writers[operation.key] = record.writer }
    }

    /// Adds removals that are earlier than those here.
    mutating func add(earlier: JournalRemovals) { writers.merge(earlier.writers) { later, _ in later } }
}
