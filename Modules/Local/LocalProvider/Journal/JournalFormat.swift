import Checksums

/// The bytes of a journal.
///
/// All numbers are little-endian. The file begins with a header of ``headerSize`` bytes:
///
///     0   8   "PawJrnl" and 0xFF
///     8   2   version of the format
///     10  2   schema version of the values; 0 is as 1
///     12  4   CRC-32C of bytes 0 to 11 and 16 to 31
///     16  8   base sequence: the last sequence number when the file was created
///     24  8   base end: the size of the file when it was created, all of it durable before the file got its name; 0 if
///             the file was rewritten in place
///
/// Records follow. Each is a change of one or more values that is made completely or not at all:
///
///     0   4   FE FF FD F5: bytes that UTF-8 text does not contain, so that a value never looks like a record
///     4   4   length of the record after its first 24 bytes
///     8   4   CRC-32C of bytes 4 to 7 and of all after byte 12
///     12  8   sequence number, rising within a file
///     20  4   the writer's token
///     24  ..  operations: kind (0 remove, 1 set), length of the key (2 bytes), of the value (4), key, value
///
/// Behind the last record there may be room for further ones, filled with F8: a record that does not make the file grow is
/// durable in four fifths of the time. UTF-8 text does not contain F8, and neither interrupted writes nor failing disks leave
/// it: zeros and all other bytes there are damage.
enum JournalFormat {
    static let version = 1
    static let headerSize = 32
    static let recordHeaderSize = 24
    static let operationHeaderSize = 7
    /// The maximum length of a record: a damaged length must not make a reader allocate gigabytes.
    static let longestRecord = 1 << 30

    /// The maximum sequence number in a file that is read: a file made on purpose must leave higher numbers for later
    /// records.
    static let highestSequence: UInt64 = 1 << 62

    /// The byte that fills room for records.
    static let filler: UInt8 = 0xF8
    /// The size of a file with room is a multiple of this.
    static let roomStep = 32_768

    private static let magic: [UInt8] = Array("PawJrnl".utf8) + [0xFF]
    static let mark: [UInt8] = [0xFE, 0xFF, 0xFD, 0xF5]

    /// A value that is set or, if `value` is `nil`, removed.
    struct Operation {
        var key: LocalIdentifier
        var value: [UInt8]?

        /// Its size in a record, in bytes.
        var size: Int { operationHeaderSize + key.text.utf8.count + (value?.count ?? 0) }
    }

    struct Record {
        var sequence: UInt64
        var writer: UInt32
        var operations: [Operation]
    }

    /// The header of a file.
    enum Header: Equatable {
        case whole(version: Int, schema: Int, baseSequence: UInt64, baseEnd: Int)
        case damaged
    }

    static func header(baseSequence: UInt64, baseEnd: Int, version: Int = version, schema: Int = 1) -> [UInt8] {
        var bytes = magic
        append(UInt16(clamping: version), to: &bytes)
        // A program without schemas reads both as one number, and refuses a file with a schema.
        append(schema > 1 ? UInt16(clamping: schema) : 0, to: &bytes)
        append(UInt32(0), to: &bytes)
        append(baseSequence, to: &bytes)
        append(UInt64(baseEnd), to: &bytes)
        put(headerChecksum(bytes), at: 12, in: &bytes)
        return bytes
    }

    static func readHeader(_ bytes: [UInt8]) -> Header {
        guard bytes.count >= headerSize, bytes.starts(with: magic),
            headerChecksum(bytes) == load(UInt32.self, bytes, 12),
            load(UInt64.self, bytes, 16) <= highestSequence
        else { return .damaged }
        return .whole(
            version: Int(load(UInt16.self, bytes, 8)),
            schema: max(1, Int(load(UInt16.self, bytes, 10))),
            baseSequence: load(UInt64.self, bytes, 16),
            baseEnd: Int(clamping: load(UInt64.self, bytes, 24))
        )
    }

    private static func headerChecksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { buffer in
            let first = CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: buffer[0..<12]))
            return CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: buffer[16..<headerSize]), after: first)
        }
    }

    /// Appends a record to `bytes`.
    static func append(_ record: Record, to bytes: inout [UInt8]) {
        let start = bytes.count
        let length = record.operations.reduce(0) { $0 + $1.size }
        bytes.reserveCapacity(start + recordHeaderSize + length)
        bytes += mark
        append(UInt32(length), to: &bytes)
        append(UInt32(0), to: &bytes)
        append(record.sequence, to: &bytes)
        append(record.writer, to: &bytes)
        for operation in record.operations {
            bytes.append(operation.value == nil ? 0 : 1)
            append(UInt16(operation.key.text.utf8.count), to: &bytes)
            append(UInt32(operation.value?.count ?? 0), to: &bytes)
            bytes += operation.key.text.utf8
            if let value = operation.value { bytes += value }
        }
        put(checksum(of: bytes, start: start, end: bytes.count), at: start + 8, in: &bytes)
    }

    /// Returns the bytes without the room at their end.
    static func withoutRoom(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.withUnsafeBufferPointer { buffer in
            var count = buffer.count
            while count > 0, buffer[count - 1] == filler { count -= 1 }
            return bytes.prefix(count)
        }
    }

    /// Returns the checksum of the record from `start` to `end`.
    static func checksum(of bytes: [UInt8], start: Int, end: Int) -> UInt32 {
        bytes.withUnsafeBytes { buffer in
            let length = CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: buffer[start + 4..<start + 8]))
            return CRC32C.checksum(of: UnsafeRawBufferPointer(rebasing: buffer[start + 12..<end]), after: length)
        }
    }

    static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }

    static func put(_ value: UInt32, at offset: Int, in bytes: inout [UInt8]) {
        for index in 0..<4 { bytes[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt32(index))) }
    }

    static func load<Number: FixedWidthInteger>(_ type: Number.Type, _ bytes: [UInt8], _ offset: Int) -> Number {
        bytes.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
    }
}
