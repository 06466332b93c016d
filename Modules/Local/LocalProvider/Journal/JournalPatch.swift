import Checksums
import SystemCalls

/// A change of some bytes in the middle of a journal, which removes values without any space on the disk.
///
/// An operation that sets a value becomes one of the same length that removes it. A loss of power in between could damage a
/// record, with all of its values. So the patch is first stored elsewhere, and the header of the journal is invalid until the
/// patch is complete. The next process that holds the lock and finds such a header completes the patch.
///
/// A stored patch begins with:
///
///     0   8   "PawPtch" and 0xFF
///     8   4   CRC-32C of all after byte 12
///     12  4   number of edits
///     16  32  the header of the journal before
///     48  32  the header of the journal afterwards
///
/// The edits follow: offset (4 bytes), length (1), bytes. All numbers are little-endian.
struct JournalPatch: Equatable {
    /// Bytes that replace others.
    struct Edit: Equatable {
        var offset: Int
        var bytes: [UInt8]
    }

    /// The header of the journal before.
    let oldHeader: [UInt8]
    /// The header of the journal afterwards.
    let newHeader: [UInt8]
    /// The edits behind the header.
    let edits: [Edit]

    /// The header while the patch is incomplete: the new one with a wrong checksum.
    var incompleteHeader: [UInt8] {
        var header = newHeader
        for index in Self.headerChecksum { header[index] = ~header[index] }
        return header
    }

    private static let headerChecksum = 12..<16

    /// Creates a patch that removes values.
    ///
    /// - Parameters:
    ///   - values: the identifiers, and for each the sequence number of the record that has set the value.
    ///   - bytes: the journal.
    ///   - newHeader: the header of the journal afterwards.
    ///
    /// The result is `nil` if a record is not found.
    init?(removing values: [LocalIdentifier: UInt64], from bytes: [UInt8], newHeader: [UInt8]) {
        var edits: [Edit] = []
        var found: Set<LocalIdentifier> = []
        let begin = JournalFormat.headerSize
        _ = JournalScan(bytes, from: begin, lastSequence: 0, resynchronises: false) { record, range in
            var patched: [UInt8] = []
            var position = JournalFormat.recordHeaderSize
            for operation in record.operations {
                // A removal can have the length of the value that it has replaced.
                let start = range.lowerBound + position
                let keyLength = Int(JournalFormat.load(UInt16.self, bytes, start + 1))
                let valueLength = Int(JournalFormat.load(UInt32.self, bytes, start + 3))
                if values[operation.key] == record.sequence {
                    if patched.isEmpty { patched = Array(bytes[range]) }
                    patched[position] = 0
                    edits.append(Edit(offset: start, bytes: [0]))
                    found.insert(operation.key)
                }
                position += JournalFormat.operationHeaderSize + keyLength + valueLength
            }
            guard !patched.isEmpty else { return }
            var checksum: [UInt8] = []
            JournalFormat.append(JournalFormat.checksum(of: patched, start: 0, end: patched.count), to: &checksum)
            edits.append(Edit(offset: range.lowerBound + 8, bytes: checksum))
        }
        guard found.count == values.count, bytes.count >= begin else { return nil }
        self.edits = edits
        self.newHeader = newHeader
        oldHeader = Array(bytes[..<begin])
    }

    // MARK: Stored patches

    private static let magic: [UInt8] = Array("PawPtch".utf8) + [0xFF]
    private static let size = 16 + 2 * JournalFormat.headerSize

    /// The bytes of the stored patch.
    var bytes: [UInt8] {
        var bytes = Self.magic
        JournalFormat.append(UInt32(0), to: &bytes)
        JournalFormat.append(UInt32(edits.count), to: &bytes)
        bytes += oldHeader + newHeader
        for edit in edits {
            JournalFormat.append(UInt32(edit.offset), to: &bytes)
            bytes.append(UInt8(edit.bytes.count))
            bytes += edit.bytes
        }
        JournalFormat.put(Self.checksum(bytes), at: 8, in: &bytes)
        return bytes
    }

    /// Reads a stored patch; returns `nil` if the bytes do not begin with an intact one.
    init?(stored bytes: [UInt8]) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else { return nil }
        oldHeader = Array(bytes[16..<48])
        newHeader = Array(bytes[48..<80])
        var edits: [Edit] = []
        var position = Self.size
        for _ in 0..<JournalFormat.load(UInt32.self, bytes, 12) {
            guard position + 5 <= bytes.count else { return nil }
            let end = position + 5 + Int(bytes[position + 4])
            guard end <= bytes.count else { return nil }
            let offset = Int(JournalFormat.load(UInt32.self, bytes, position))
            edits.append(Edit(offset: offset, bytes: Array(bytes[position + 5..<end])))
            position = end
        }
        self.edits = edits
        let stored = JournalFormat.load(UInt32.self, bytes, 8)
        guard Self.checksum(Array(bytes[..<position])) == stored else { return nil }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: $0[12...])) }
    }

    /// Returns whether a journal with a damaged header is as an interruption of this patch leaves it: each byte of the header
    /// is from before, from afterwards, or from in between.
    func isIncomplete(in journal: [UInt8]) -> Bool {
        guard journal.count >= JournalFormat.headerSize, JournalFormat.readHeader(journal) == .damaged else {
            return false
        }
        let incomplete = incompleteHeader
        let isMixed = (0..<JournalFormat.headerSize).allSatisfy { index in
            [oldHeader[index], newHeader[index], incomplete[index]].contains(journal[index])
        }
        return isMixed && edits.allSatisfy { $0.offset + $0.bytes.count <= journal.count }
    }
}

extension JournalFile {
    /// Changes the file as a patch says. The lock is held, and the patch is stored.
    ///
    /// - Throws: ``LocalError``; the file must then be read anew.
    func apply(_ patch: JournalPatch) throws(LocalError) {
        guard let file else { throw .io(path: path, operation: "open", errno: SystemError.absent) }
        try file.write(patch.incompleteHeader, at: 0)
        try file.synchronise()
        for edit in patch.edits { try file.write(edit.bytes, at: edit.offset) }
        try file.synchronise()
        try file.write(patch.newHeader, at: 0)
        try file.synchronise()
        didRewrite(to: size, patch.newHeader)
    }
}

/// Removing values by a patch.
extension Journal {
    /// Removes values without changing the size of the file.
    ///
    /// - Parameters:
    ///   - keys: the identifiers.
    ///   - store: stores the bytes of the patch durably; returns false if there is no space for them.
    /// - Returns: the changes, or `nil` if that is not possible; nothing has changed then.
    /// - Throws: ``LocalError``; the file is then read anew.
    func overwrite(
        removing keys: [LocalIdentifier],
        storing store: ([UInt8]) throws(LocalError) -> Bool
    ) throws(LocalError) -> [LocalChange]? {
        // Without room, a process that has read the file compares the header.
        try file.removeRemains()
        guard let bytes = try file.open(forWriting: true) else { return nil }
        var smaller = entries
        smaller.lastSequence += 1
        let operations = keys.map { JournalFormat.Operation(key: $0, value: nil) }
        let record = JournalFormat.Record(sequence: smaller.lastSequence, writer: writer, operations: operations)
        let removed = smaller.apply(record)
        let values = removed.compactMap { operation in entries.all[operation.key].map { (operation.key, $0.sequence) } }
        let header = JournalFormat.header(
            baseSequence: smaller.lastSequence,
            baseEnd: JournalFile.rewrittenBaseEnd,
            schema: schema
        )
        let sequences = Dictionary(values) { first, _ in first }
        guard let patch = JournalPatch(removing: sequences, from: bytes, newHeader: header), try store(patch.bytes)
        else { return nil }
        do throws(LocalError) {
            try file.apply(patch)
        } catch {
            needsRepair = true
            throw error
        }
        entries = smaller
        return changes(removed, by: writer)
    }

    /// Completes a patch that was interrupted. The lock is held.
    ///
    /// - Returns: the bytes of the file, or `nil` if there is no such patch.
    func completePatch(of bytes: [UInt8]) throws(LocalError) -> [UInt8]? {
        guard JournalFormat.readHeader(bytes) == .damaged, let stored = storedPatch(),
            let patch = JournalPatch(stored: stored), patch.isIncomplete(in: bytes)
        else { return nil }
        try file.apply(patch)
        return try file.open(forWriting: true)
    }
}
