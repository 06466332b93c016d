import EssentialFoundation

/// Writes `bplist00`. Equal trees have equal bytes: dictionaries are written in the order of their keys.
struct BinaryPropertyListWriter {
    private let source: UnsafeBufferPointer<UInt8>
    private let objects: [PropertyListObjects.Object]
    private let members: [PropertyListObjects.Member]
    private var bytes = Array("bplist00".utf8)
    /// The offset of each object in the file.
    private var offsets: [Int] = []
    /// The number in the file of each object that has been written; -1 for the others.
    private var numbers: [Int]
    private let referenceSize: Int

    /// Returns the bytes of a property list.
    ///
    /// - Throws: ``PropertyListProblem`` if it is nested more than 128 deep, so that it could not be read.
    static func file(_ list: PropertyListObjects, top: Int) throws(PropertyListProblem) -> [UInt8] {
        try list.bytes.withUnsafeBufferPointer { source throws(PropertyListProblem) in
            var writer = BinaryPropertyListWriter(list, source)
            _ = try writer.add(top, depth: 0)
            return writer.file()
        }
    }

    private init(_ list: PropertyListObjects, _ source: UnsafeBufferPointer<UInt8>) {
        (self.source, objects, members) = (source, list.objects, list.members)
        referenceSize = Self.size(of: UInt64(objects.count))
        numbers = Array(repeating: -1, count: objects.count)
        offsets.reserveCapacity(objects.count)
        let references = (members.count * 2 + objects.count) * referenceSize
        bytes.reserveCapacity(source.count + references + objects.count * 4 + 64)
    }

    /// Appends an object, and then those it contains, unless that has been done; returns its number.
    private mutating func add(_ object: Int, depth: Int) throws(PropertyListProblem) -> Int {
        guard depth < PropertyListProblem.depthLimit else { throw .tooDeep }
        if numbers[object] >= 0 { return numbers[object] }
        let number = offsets.count
        numbers[object] = number
        offsets.append(bytes.count)
        let range = objects[object].range
        switch objects[object].kind {
        case .scalar: bytes.append(contentsOf: UnsafeBufferPointer(rebasing: source[range]))
        case .array:
            Self.append(head: 0xA0, range.count, to: &bytes)
            var place = reserveReferences(range.count)
            for member in range { set(try add(members[member].value, depth: depth + 1), at: &place) }
        case .dictionary:
            Self.append(head: 0xD0, range.count, to: &bytes)
            var place = reserveReferences(2 * range.count)
            for member in range { set(try add(members[member].key, depth: depth + 1), at: &place) }
            for member in range { set(try add(members[member].value, depth: depth + 1), at: &place) }
        }
        return number
    }

    private mutating func reserveReferences(_ count: Int) -> Int {
        defer { bytes.append(contentsOf: repeatElement(0, count: count * referenceSize)) }
        return bytes.count
    }

    private mutating func set(_ reference: Int, at place: inout Int) {
        for shift in stride(from: 8 * (referenceSize - 1), through: 0, by: -8) {
            bytes[place] = UInt8(truncatingIfNeeded: reference >> shift)
            place += 1
        }
    }

    private mutating func file() -> [UInt8] {
        let tableStart = bytes.count
        let offsetSize = Self.size(of: UInt64(tableStart))
        for offset in offsets { Self.append(UInt64(offset), size: offsetSize, to: &bytes) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        // The outermost object is the first one.
        for number in [offsets.count, 0, tableStart] { Self.append(UInt64(number), size: 8, to: &bytes) }
        return bytes
    }

    // MARK: Scalars

    /// Appends the object of a value that contains no others.
    static func append(_ value: PropertyListValue, to bytes: inout [UInt8]) {
        switch value {
        case .bool(let value): bytes.append(value ? 0x09 : 0x08)
        case .integer(let value): append(integer: value, to: &bytes)
        case .unsigned(let value):
            bytes.append(0x14)
            append(0, size: 8, to: &bytes)
            append(value, size: 8, to: &bytes)
        case .real(let value):
            bytes.append(0x23)
            append(value.bitPattern, size: 8, to: &bytes)
        case .date(let value):
            bytes.append(0x33)
            append(value.timeIntervalSinceReferenceDate.bitPattern, size: 8, to: &bytes)
        case .data(let value):
            append(head: 0x40, value.count, to: &bytes)
            bytes += value
        case .uid(let value):
            bytes.append(0x83)
            append(UInt64(value), size: 4, to: &bytes)
        case .string(let text): append(text, to: &bytes)
        case .array, .dictionary: break
        }
    }

    /// Appends the object of a string.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            append(head: 0x50, text.utf8.count, to: &bytes)
            bytes += text.utf8
        } else {
            append(head: 0x60, text.utf16.count, to: &bytes)
            for unit in text.utf16 { append(UInt64(unit), size: 2, to: &bytes) }
        }
    }

    private static func append(integer value: Int64, to bytes: inout [UInt8]) {
        // Only integers of eight bytes have a sign.
        let size = value < 0 ? 8 : size(of: UInt64(value))
        bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
        append(UInt64(bitPattern: value), size: size, to: &bytes)
    }

    private static func append(head kind: UInt8, _ count: Int, to bytes: inout [UInt8]) {
        bytes.append(kind | UInt8(min(count, 15)))
        if count >= 15 { append(integer: Int64(count), to: &bytes) }
    }

    private static func append(_ value: UInt64, size: Int, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0.suffix(size)) }
    }

    /// Returns the number of bytes of a number: 1, 2, 4 or 8.
    private static func size(of value: UInt64) -> Int {
        value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFF_FFFF ? 4 : 8
    }
}
