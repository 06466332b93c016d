/// Who removed values, as records tell it: of each value, who did last.
struct JournalRemovals {
    /// Records up to this number were known before.
    private let known: UInt64
    private(set) var writers: [LocalIdentifier: UInt32] = [:]

    init(after known: UInt64) {
        self.known = known
    }

    /// Takes the removals of a record that is later than all before.
    mutating func note(_ record: JournalFormat.Record) {
        guard record.sequence > known else { return }
        for operation in record.operations where operation.value == nil { writers[operation.key] = record.writer }
    }

    /// Takes what was removed earlier and not again since.
    mutating func add(earlier: JournalRemovals) {
        writers.merge(earlier.writers) { later, _ in later }
    }
}
