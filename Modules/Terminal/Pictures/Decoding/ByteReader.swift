/// Reads integers from bytes in order. Reading past the end returns `nil`.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    /// The offset of the next read.
    private(set) var offset = 0

    init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    /// The number of unread bytes.
    var count: Int { bytes.count - offset }

    /// Skips bytes. Returns false and moves to the end if there are too few.
    mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, count <= self.count else {
            offset = bytes.count
            return false
        }
        offset += count
        return true
    }

    mutating func byte() -> Int? {
        guard count > 0 else { return nil }
        defer { offset += 1 }
        return Int(bytes[bytes.startIndex + offset])
    }

    mutating func slice(_ count: Int) -> ArraySlice<UInt8>? {
        let start = bytes.startIndex + offset
        guard skip(count) else { return nil }
        return bytes[start..<start + count]
    }

    /// Reads an unsigned number of a few bytes.
    mutating func number(bytes count: Int, isLittle: Bool) -> Int? {
        guard let bytes = slice(count) else { return nil }
        return (isLittle ? bytes.reversed() : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func bigEndian16() -> Int? { number(bytes: 2, isLittle: false) }
    mutating func littleEndian16() -> Int? { number(bytes: 2, isLittle: true) }
    mutating func bigEndian32() -> Int? { number(bytes: 4, isLittle: false) }
}
