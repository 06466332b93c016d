#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes `bplist00`. Equal trees have equal bytes: dictionaries are written in the order of their keys.
struct BinaryPropertyListWriter {
    private var objects: [[UInt8]] = []
    private var strings: [String: Int] = [:]
    private let referenceSize: Int

    static func write(_ value: PropertyListValue) -> [UInt8] {
        let count = Self.count(value)
        var writer = BinaryPropertyListWriter(referenceSize: size(of: UInt64(count)))
        let top = writer.add(value)
        return writer.file(top: top)
    }

    private init(referenceSize: Int) {
        self.referenceSize = referenceSize
    }

    private static func count(_ value: PropertyListValue) -> Int {
        switch value {
        case .array(let values): values.reduce(1) { $0 + count($1) }
        case .dictionary(let values): values.reduce(1) { $0 + 1 + count($1.value) }
        default: 1
        }
    }

    private mutating func add(_ value: PropertyListValue) -> Int {
        if case .string(let text) = value { return add(text) }
        let number = objects.count
        objects.append([])
        objects[number] = bytes(of: value)
        return number
    }

    private mutating func add(_ text: String) -> Int {
        if let number = strings[text], objects[number].elementsEqual(Self.bytes(of: text)) { return number }
        objects.append(Self.bytes(of: text))
        strings[text] = objects.count - 1
        return objects.count - 1
    }

    private mutating func bytes(of value: PropertyListValue) -> [UInt8] {
        switch value {
        case .bool(let value): [value ? 0x09 : 0x08]
        case .integer(let value): Self.integer(value)
        case .unsigned(let value): [0x14] + Self.bytes(0, 8) + Self.bytes(value, 8)
        case .real(let value): [0x23] + Self.bytes(value.bitPattern, 8)
        case .date(let value): [0x33] + Self.bytes(value.timeIntervalSinceReferenceDate.bitPattern, 8)
        case .data(let value): Self.head(0x40, value.count) + value
        case .uid(let value): [0x83] + Self.bytes(UInt64(value), 4)
        case .string(let text): Self.bytes(of: text)
        case .array(let values):
            Self.head(0xA0, values.count) + values.flatMap { Self.bytes(UInt64(add($0)), referenceSize) }
        case .dictionary(let values):
            dictionary(values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
        }
    }

    private mutating func dictionary(_ pairs: [(key: String, value: PropertyListValue)]) -> [UInt8] {
        let keys = pairs.flatMap { Self.bytes(UInt64(add($0.key)), referenceSize) }
        let values = pairs.flatMap { Self.bytes(UInt64(add($0.value)), referenceSize) }
        return Self.head(0xD0, pairs.count) + keys + values
    }

    private func file(top: Int) -> [UInt8] {
        var file = Array("bplist00".utf8)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(file.count)
            file += object
        }
        let tableStart = file.count
        let offsetSize = Self.size(of: UInt64(tableStart))
        for offset in offsets { file += Self.bytes(UInt64(offset), offsetSize) }
        file += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        file += Self.bytes(UInt64(objects.count), 8) + Self.bytes(UInt64(top), 8) + Self.bytes(UInt64(tableStart), 8)
        return file
    }

    private static func bytes(of text: String) -> [UInt8] {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return head(0x50, text.utf8.count) + text.utf8 }
        let units = Array(text.utf16)
        return head(0x60, units.count) + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    }

    private static func integer(_ value: Int64) -> [UInt8] {
        // Shorter integers have no sign.
        guard value >= 0 else { return [0x13] + bytes(UInt64(bitPattern: value), 8) }
        let size = size(of: UInt64(value))
        return [0x10 | UInt8(size.trailingZeroBitCount)] + bytes(UInt64(value), size)
    }

    private static func head(_ kind: UInt8, _ count: Int) -> [UInt8] {
        count < 15 ? [kind | UInt8(count)] : [kind | 0x0F] + integer(Int64(count))
    }

    /// Returns the number of bytes of a number: 1, 2, 4 or 8.
    private static func size(of value: UInt64) -> Int {
        value <= 0xFF ? 1 : value <= 0xFFFF ? 2 : value <= 0xFFFF_FFFF ? 4 : 8
    }

    private static func bytes(_ value: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - 1 - $0))) }
    }
}
