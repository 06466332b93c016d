import EssentialFoundation

/// Reads `bplist00` and validates everything: each offset is before the offset table, each reference is in it, no
/// object contains itself, and shared objects cannot multiply without limit.
struct BinaryPropertyListReader {
    static let magic = Array("bplist0".utf8)
    private static let trailerSize = 32

    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let tableStart: Int
    /// The objects whose contents are being read: a reference to one of them is a cycle.
    private var open: Set<Int> = []
    /// The remaining size of the tree in bytes of memory: objects shared in the file are not shared in the tree.
    private var budget: Int

    /// The size of a value without its contents.
    static let valueSize = 32

    /// The maximum size of the tree: 128 megabytes, or 64 times the file.
    static func budget(for byteCount: Int) -> Int { max(128 << 20, byteCount * 64) }

    /// Returns the tree of a file.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - isLimited: whether the size of the tree is limited. A file that a store has written is as large as its value.
    /// - Returns: the tree.
    /// - Throws: ``PropertyListProblem``.
    static func read(_ bytes: [UInt8], isLimited: Bool = true) throws(PropertyListProblem) -> PropertyListValue {
        guard bytes.count >= 8 + 1 + 1 + trailerSize, bytes.starts(with: magic) else {
            throw PropertyListProblem("it is not a binary property list")
        }
        let trailer = bytes.count - trailerSize
        let top = number(bytes, trailer + 16, 8)
        var reader = try BinaryPropertyListReader(bytes, trailer)
        if !isLimited { reader.budget = .max }
        guard let top, top < UInt64(reader.objectCount) else {
            throw PropertyListProblem("the outermost object does not exist", at: trailer + 16)
        }
        return try reader.object(Int(top), depth: 0)
    }

    private init(_ bytes: [UInt8], _ trailer: Int) throws(PropertyListProblem) {
        self.bytes = bytes
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw PropertyListProblem("the sizes of its numbers are impossible", at: trailer + 6)
        }
        guard let count = Self.number(bytes, trailer + 8, 8), let start = Self.number(bytes, trailer + 24, 8),
            count > 0, count <= UInt64(bytes.count), start >= 9, start < UInt64(trailer),
            count <= UInt64(trailer - Int(start)) / UInt64(offsetSize)
        else { throw PropertyListProblem("its table of offsets does not fit into it", at: trailer + 8) }
        objectCount = Int(count)
        tableStart = Int(start)
        budget = Self.budget(for: bytes.count)
    }

    // MARK: Objects

    private mutating func object(_ reference: Int, depth: Int) throws(PropertyListProblem) -> PropertyListValue {
        let entry = tableStart + reference * offsetSize
        guard let place = Self.number(bytes, entry, offsetSize), place >= 8, place < UInt64(tableStart) else {
            throw PropertyListProblem("an offset points outside the objects", at: entry)
        }
        let offset = Int(place)
        try spend(Self.valueSize, at: offset)
        guard depth < PropertyListProblem.depthLimit else {
            throw PropertyListProblem(PropertyListProblem.tooDeep.detail, at: offset)
        }
        let low = Int(bytes[offset] & 0x0F)
        switch bytes[offset] >> 4 {
        case 0x0 where low == 8: return .bool(false)
        case 0x0 where low == 9: return .bool(true)
        case 0x1 where low <= 4: return try integer(offset, size: 1 << low)
        case 0x2 where low == 2 || low == 3: return .real(try real(offset, size: 1 << low))
        case 0x3 where low == 3:
            return .date(Date(timeIntervalSinceReferenceDate: try real(offset, size: 8)))
        case 0x4: return .data(Data(bytes[try contents(offset, unit: 1)]))
        case 0x5: return .string(try ascii(offset))
        case 0x6: return .string(try utf16(offset))
        case 0x8: return .uid(try uid(offset, size: low + 1))
        case 0xA: return .array(try array(reference, offset, depth))
        case 0xD: return .dictionary(try dictionary(reference, offset, depth))
        default: throw PropertyListProblem("the kind of an object is unknown", at: offset)
        }
    }

    private func integer(_ offset: Int, size: Int) throws(PropertyListProblem) -> PropertyListValue {
        try check(offset + 1, size)
        if size == 16 {
            // 16 bytes: the form of numbers above Int64.max.
            guard Self.number(bytes, offset + 1, 8) == 0, let value = Self.number(bytes, offset + 9, 8) else {
                throw PropertyListProblem("an integer needs more than 64 bits", at: offset)
            }
            return value > UInt64(Int64.max) ? .unsigned(value) : .integer(Int64(value))
        }
        let value = Self.number(bytes, offset + 1, size) ?? 0
        // Only 8 bytes have a sign.
        return .integer(size == 8 ? Int64(bitPattern: value) : Int64(value))
    }

    private func real(_ offset: Int, size: Int) throws(PropertyListProblem) -> Double {
        try check(offset + 1, size)
        let pattern = Self.number(bytes, offset + 1, size) ?? 0
        return size == 8 ? Double(bitPattern: pattern) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: pattern)))
    }

    private func uid(_ offset: Int, size: Int) throws(PropertyListProblem) -> UInt32 {
        guard size <= 8 else { throw PropertyListProblem("a reference is too long", at: offset) }
        try check(offset + 1, size)
        guard let value = UInt32(exactly: Self.number(bytes, offset + 1, size) ?? .max) else {
            throw PropertyListProblem("a reference is too large", at: offset)
        }
        return value
    }

    private mutating func ascii(_ offset: Int) throws(PropertyListProblem) -> String {
        let range = try contents(offset, unit: 1)
        guard bytes[range].allSatisfy({ $0 < 0x80 }) else {
            throw PropertyListProblem("an ASCII string has other bytes", at: offset)
        }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    private mutating func utf16(_ offset: Int) throws(PropertyListProblem) -> String {
        let range = try contents(offset, unit: 2)
        let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw PropertyListProblem("a string is not UTF-16", at: offset)
        }
        return text
    }

    private mutating func array(
        _ reference: Int,
        _ offset: Int,
        _ depth: Int
    ) throws(PropertyListProblem) -> [PropertyListValue] {
        let range = try contents(offset, unit: referenceSize)
        guard open.insert(reference).inserted else { throw PropertyListProblem("an array contains itself", at: offset) }
        var values: [PropertyListValue] = []
        values.reserveCapacity(range.count / referenceSize)
        for place in stride(from: range.lowerBound, to: range.upperBound, by: referenceSize) {
            values.append(try object(try self.reference(place), depth: depth + 1))
        }
        open.remove(reference)
        return values
    }

    private mutating func dictionary(
        _ reference: Int,
        _ offset: Int,
        _ depth: Int
    ) throws(PropertyListProblem) -> [String: PropertyListValue] {
        let range = try contents(offset, unit: referenceSize * 2)
        guard open.insert(reference).inserted else {
            throw PropertyListProblem("a dictionary contains itself", at: offset)
        }
        let half = range.count / 2
        var values = [String: PropertyListValue](minimumCapacity: half / referenceSize)
        for place in stride(from: range.lowerBound, to: range.lowerBound + half, by: referenceSize) {
            guard case .string(let key) = try object(try self.reference(place), depth: depth + 1) else {
                throw PropertyListProblem("a key of a dictionary is not a string", at: place)
            }
            values[key] = try object(try self.reference(place + half), depth: depth + 1)
        }
        open.remove(reference)
        return values
    }

    // MARK: Numbers

    /// Returns the range of the contents of an object with a count; `unit` is the size of each element.
    private mutating func contents(_ offset: Int, unit: Int) throws(PropertyListProblem) -> Range<Int> {
        var start = offset + 1
        var count = UInt64(bytes[offset] & 0x0F)
        if count == 0x0F {
            guard start < tableStart, bytes[start] >> 4 == 1, bytes[start] & 0x0F <= 3 else {
                throw PropertyListProblem("a count is not an integer", at: start)
            }
            let size = 1 << Int(bytes[start] & 0x0F)
            try check(start + 1, size)
            count = Self.number(bytes, start + 1, size) ?? .max
            start += 1 + size
        }
        guard start <= tableStart, count <= UInt64((tableStart - start) / unit) else {
            throw PropertyListProblem("an object reaches beyond the objects", at: offset)
        }
        let range = start..<start + Int(count) * unit
        try spend(range.count, at: offset)
        return range
    }

    private mutating func spend(_ size: Int, at offset: Int) throws(PropertyListProblem) {
        budget -= size
        guard budget > 0 else { throw PropertyListProblem("its shared objects expand without limit", at: offset) }
    }

    private func reference(_ place: Int) throws(PropertyListProblem) -> Int {
        guard let value = Self.number(bytes, place, referenceSize), value < UInt64(objectCount) else {
            throw PropertyListProblem("a referenced object does not exist", at: place)
        }
        return Int(value)
    }

    private func check(_ start: Int, _ count: Int) throws(PropertyListProblem) {
        guard start + count <= tableStart else {
            throw PropertyListProblem("an object reaches beyond the objects", at: start)
        }
    }

    /// Returns a big-endian number, or `nil` if it is outside the bytes.
    private static func number(_ bytes: [UInt8], _ start: Int, _ size: Int) -> UInt64? {
        guard start >= 0, start + size <= bytes.count else { return nil }
        return bytes[start..<start + size].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
