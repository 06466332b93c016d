import EssentialFoundation

/// Writes `bplist00`. Equal trees have equal bytes: dictionaries are written in the order of their keys.
struct BinaryPropertyListWriter {
    private var bytes = Array("bplist00".utf8)
    /// The offset of each object.
    private var offsets: [Int] = []
    /// The number of each string.
    private var strings: [String: Int] = [:]
    private let referenceSize: Int

    /// Returns the bytes of a property list.
    ///
    /// - Throws: ``PropertyListProblem`` if it is nested more than 128 deep, so that it could not be read.
    static func write(_ value: PropertyListValue) throws(PropertyListProblem) -> [UInt8] {
        let count = try count(value, depthLimit: PropertyListProblem.depthLimit)
        var writer = BinaryPropertyListWriter(referenceSize: size(of: UInt64(count)))
        return writer.file(top: writer.add(value))
    }

    private init(referenceSize: Int) {
        self.referenceSize = referenceSize
    }

    /// Returns the number of objects, if no string is equal to another.
    private static func count(_ value: PropertyListValue, depthLimit: Int) throws(PropertyListProblem) -> Int {
        guard depthLimit > 0 else { throw .tooDeep }
        var count = 1
        switch value {
        case .array(let values): for value in values { count += try Self.count(value, depthLimit: depthLimit - 1) }
        case .dictionary(let values):
            for value in values.values { count += try 1 + Self.count(value, depthLimit: depthLimit - 1) }
        default: break
        }
        return count
    }

    /// Appends an object, and then those it contains; returns its number.
    private mutating func add(_ value: PropertyListValue) -> Int {
        if case .string(let text) = value { return add(text) }
        let number = beginObject()
        switch value {
        case .bool(let value): bytes.append(value ? 0x09 : 0x08)
        case .integer(let value): append(integer: value)
        case .unsigned(let value):
            bytes.append(0x14)
            append(0, size: 8)
            append(value, size: 8)
        case .real(let value):
            bytes.append(0x23)
            append(value.bitPattern, size: 8)
        case .date(let value):
            bytes.append(0x33)
            append(value.timeIntervalSinceReferenceDate.bitPattern, size: 8)
        case .data(let value):
            append(head: 0x40, value.count)
            bytes += value
        case .uid(let value):
            bytes.append(0x83)
            append(UInt64(value), size: 4)
        case .string: break
        case .array(let values):
            append(head: 0xA0, values.count)
            var place = reserveReferences(values.count)
            for value in values { set(add(value), at: &place) }
        case .dictionary(let members):
            let pairs = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
            append(head: 0xD0, pairs.count)
            var place = reserveReferences(2 * pairs.count)
            for pair in pairs { set(add(pair.key), at: &place) }
            for pair in pairs { set(add(pair.value), at: &place) }
        }
        return number
    }

    private mutating func add(_ text: String) -> Int {
        if let index = strings.index(forKey: text) {
            // Canonically equivalent strings can have different bytes.
            if strings[index].key.utf8.elementsEqual(text.utf8) { return strings[index].value }
            strings.remove(at: index)
        }
        let number = beginObject()
        strings[text] = number
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            append(head: 0x50, text.utf8.count)
            bytes += text.utf8
        } else {
            append(head: 0x60, text.utf16.count)
            for unit in text.utf16 { append(UInt64(unit), size: 2) }
        }
        return number
    }

    private mutating func beginObject() -> Int {
        offsets.append(bytes.count)
        return offsets.count - 1
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

    private mutating func append(integer value: Int64) {
        // Only integers of eight bytes have a sign.
        let size = value < 0 ? 8 : Self.size(of: UInt64(value))
        bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
        append(UInt64(bitPattern: value), size: size)
    }

    private mutating func append(head kind: UInt8, _ count: Int) {
        bytes.append(kind | UInt8(min(count, 15)))
        if count >= 15 { append(integer: Int64(count)) }
    }

    private mutating func append(_ value: UInt64, size: Int) {
        for shift in stride(from: 8 * (size - 1), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    private mutating func file(top: Int) -> [UInt8] {
        let tableStart = bytes.count
        let offsetSize = Self.size(of: UInt64(tableStart))
        for offset in offsets { append(UInt64(offset), size: offsetSize) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        for number in [offsets.count, top, tableStart] { append(UInt64(number), size: 8) }
        return bytes
    }

    /// Returns the number of bytes of a number: 1, 2, 4 or 8.
    private static func size(of value: UInt64) -> Int {
        value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFF_FFFF ? 4 : 8
    }
}
