/// Reads the records of a journal in their order and, if requested, continues behind damaged bytes.
///
/// A record is intact if its mark, its length and its checksum are right and its sequence number is higher than that of the
/// record before it.
struct JournalScan {
    /// The offset behind the last intact record.
    private(set) var end: Int
    /// The offset of the last intact record, or `nil` if there is none.
    private(set) var lastRecord: Int?
    /// The sequence number of the last intact record.
    private(set) var lastSequence: UInt64
    /// The number of bytes between intact records.
    private(set) var damagedBytes = 0

    /// Reads `bytes` from `start`.
    ///
    /// - Parameters:
    ///   - bytes: the file, or its end.
    ///   - start: the offset of the first record.
    ///   - lastSequence: the number that each sequence number must exceed.
    ///   - resynchronises: whether the next intact record is searched behind damaged bytes; otherwise the scan ends there.
    ///   - visit: called with each intact record and the range of its bytes.
    init(
        _ bytes: [UInt8],
        from start: Int,
        lastSequence: UInt64,
        resynchronises: Bool,
        _ visit: (JournalFormat.Record, Range<Int>) -> Void
    ) {
        end = start
        self.lastSequence = lastSequence
        var position = start
        // In a file made on purpose, each byte could begin a record as long as the file: the work is bounded.
        var budget = 16 * bytes.count + 1 << 20
        while position < bytes.count {
            let found = Self.record(in: bytes, at: position, after: self.lastSequence, &budget)
            if let (record, next) = found {
                damagedBytes += position - end
                visit(record, position..<next)
                self.lastSequence = record.sequence
                lastRecord = position
                end = next
                position = next
            } else {
                guard resynchronises, budget > 0, let next = Self.nextMark(in: bytes, after: position) else { return }
                position = next
            }
        }
    }

    /// Returns the record at `position` and its end, or `nil` if it is not intact.
    private static func record(
        in bytes: [UInt8],
        at position: Int,
        after lastSequence: UInt64,
        _ budget: inout Int
    ) -> (JournalFormat.Record, Int)? {
        let bodyStart = position + JournalFormat.recordHeaderSize
        guard bodyStart <= bytes.count, hasMark(bytes, position) else { return nil }
        let length = Int(JournalFormat.load(UInt32.self, bytes, position + 4))
        guard length <= JournalFormat.longestRecord, length <= bytes.count - bodyStart else { return nil }
        let end = bodyStart + length
        let stored = JournalFormat.load(UInt32.self, bytes, position + 8)
        guard JournalFormat.checksum(of: bytes, start: position, end: end) == stored else {
            budget -= length
            return nil
        }
        let sequence = JournalFormat.load(UInt64.self, bytes, position + 12)
        guard sequence > lastSequence, sequence <= JournalFormat.highestSequence,
            let operations = operations(in: bytes, bodyStart..<end)
        else { return nil }
        let writer = JournalFormat.load(UInt32.self, bytes, position + 20)
        return (JournalFormat.Record(sequence: sequence, writer: writer, operations: operations), end)
    }

    private static func operations(in bytes: [UInt8], _ range: Range<Int>) -> [JournalFormat.Operation]? {
        var operations: [JournalFormat.Operation] = []
        var position = range.lowerBound
        while position < range.upperBound {
            let keyStart = position + JournalFormat.operationHeaderSize
            guard keyStart <= range.upperBound else { return nil }
            let keyLength = Int(JournalFormat.load(UInt16.self, bytes, position + 1))
            let valueLength = Int(JournalFormat.load(UInt32.self, bytes, position + 3))
            let valueStart = keyStart + keyLength
            let end = valueStart + valueLength
            guard end <= range.upperBound, bytes[position] <= 1 else { return nil }
            let key = LocalIdentifier(unchecked: String(decoding: bytes[keyStart..<valueStart], as: UTF8.self))
            let value = bytes[position] == 1 ? Array(bytes[valueStart..<end]) : nil
            operations.append(JournalFormat.Operation(key: key, value: value))
            position = end
        }
        return operations
    }

    /// Returns the next offset behind `position` at which a record may begin.
    private static func nextMark(in bytes: [UInt8], after position: Int) -> Int? {
        bytes.withUnsafeBufferPointer { buffer in
            var index = position + 1
            while index + JournalFormat.recordHeaderSize <= buffer.count {
                if buffer[index] == JournalFormat.mark[0], hasMark(bytes, index) { return index }
                index += 1
            }
            return nil
        }
    }

    private static func hasMark(_ bytes: [UInt8], _ position: Int) -> Bool {
        JournalFormat.load(UInt32.self, bytes, position) == 0xF5FD_FFFE
    }
}
