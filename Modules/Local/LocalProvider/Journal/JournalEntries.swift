import SystemCalls

/// The values to which the records of a journal add up.
///
/// ``imageSize`` is never less than the size of the records of a compacted journal with these values.
struct JournalEntries {
    /// A value, and the record that set it.
    struct Entry {
        var value: [UInt8]
        var sequence: UInt64
        var writer: UInt32
    }

    /// An identifier and its value.
    typealias Pair = (key: LocalIdentifier, value: [UInt8])

    private(set) var all: [LocalIdentifier: Entry] = [:]
    /// The size in bytes of the records with these values, at most.
    private(set) var imageSize = 0
    /// The sequence number of the last record, or a higher one.
    var lastSequence: UInt64 = 0

    var isEmpty: Bool { all.isEmpty }
    var count: Int { all.count }

    /// The JSON of a value, or `nil` if none is stored.
    subscript(key: LocalIdentifier) -> [UInt8]? { all[key]?.value }

    /// Applies a record, and returns those of its operations that change something.
    mutating func apply(_ record: JournalFormat.Record) -> [JournalFormat.Operation] {
        var effective: [JournalFormat.Operation] = []
        effective.reserveCapacity(record.operations.count)
        if record.operations.count > all.count { all.reserveCapacity(all.count + record.operations.count) }
        for operation in record.operations {
            if let value = operation.value {
                let entry = Entry(value: value, sequence: record.sequence, writer: record.writer)
                let old = all.updateValue(entry, forKey: operation.key)
                imageSize += old.map { value.count - $0.value.count } ?? Self.size(of: operation.key, value)
                effective.append(operation)
            } else if let old = all.removeValue(forKey: operation.key) {
                imageSize -= Self.size(of: operation.key, old.value)
                effective.append(operation)
            }
        }
        return effective
    }

    private static func size(of key: LocalIdentifier, _ value: [UInt8]) -> Int {
        JournalFormat.recordHeaderSize + JournalFormat.operationHeaderSize + key.text.utf8.count + value.count
    }

    /// Returns the bytes of a journal with these values. Each value retains its sequence number, and values of one record
    /// stay in one record.
    func image(schema: Int) -> [UInt8] {
        var records: [UInt8] = []
        records.reserveCapacity(imageSize)
        var record = JournalFormat.Record(sequence: 0, writer: 0, operations: [])
        for (key, entry) in all.sorted(by: { $0.value.sequence < $1.value.sequence }) {
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

extension [UInt8]? {
    /// Returns whether both have the same bytes or are both `nil`. Faster than `==`, which compares byte by byte.
    func isSame(as other: [UInt8]?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        guard self.count == other.count else { return false }
        return self.withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                guard let first = left.baseAddress, let second = right.baseAddress else { return true }
                return memcmp(first, second, left.count) == 0
            }
        }
    }
}
