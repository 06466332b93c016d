/// Recognises the bytes that ``BinaryPropertyListWriter`` writes, in one pass and without building a tree.
///
/// Their objects have no gaps and are in the order of their numbers, the outermost first; each is referenced once, by
/// an earlier one, except strings. Such bytes are safe for the decoder of the toolchain.
struct BinaryPropertyListForm {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let offsetSize: Int
    private let referenceSize: Int
    private let count: Int
    private let tableStart: Int
    private var budget: Int
    /// The depth of each object; 0 if it was not referenced yet.
    private var depths: [UInt8]

    /// Returns whether the bytes have that form, with an array or a dictionary outermost.
    static func has(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBufferPointer { bytes in
            guard var form = BinaryPropertyListForm(bytes) else { return false }
            return form.isWhole()
        }
    }

    private init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        let trailer = bytes.count - 32
        guard trailer > 9, bytes.starts(with: "bplist00".utf8), bytes[trailer..<trailer + 6].allSatisfy({ $0 == 0 })
        else { return nil }
        self.bytes = bytes
        (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), Int(bytes[trailer + 7]))
        guard [1, 2, 4, 8].contains(offsetSize), [1, 2, 4, 8].contains(referenceSize),
            let count = Self.number(bytes, trailer + 8, 8), let start = Self.number(bytes, trailer + 24, 8),
            Self.number(bytes, trailer + 16, 8) == 0, (1...trailer).contains(count), (9..<trailer).contains(start),
            start + count * offsetSize == trailer
        else { return nil }
        (self.count, tableStart) = (count, start)
        budget = BinaryPropertyListReader.budget(for: bytes.count)
        depths = [UInt8](repeating: 0, count: count)
        depths[0] = 1
    }

    private mutating func isWhole() -> Bool {
        guard bytes[8] >> 4 == 0xA || bytes[8] >> 4 == 0xD else { return false }
        var place = 8
        for object in 0..<count {
            guard offset(of: object) == place, place < tableStart, let contents = contents(place),
                isSound(object, place, contents)
            else { return false }
            place = contents.upperBound
        }
        return place == tableStart
    }

    private mutating func isSound(_ object: Int, _ place: Int, _ contents: Range<Int>) -> Bool {
        switch bytes[place] {
        case 0xA0...0xAF: return refersWell(object, contents)
        case 0xD0...0xDF:
            let keys = contents.lowerBound..<contents.lowerBound + contents.count / 2
            for key in stride(from: keys.lowerBound, to: keys.upperBound, by: referenceSize) {
                guard let key = reference(key), isText(key) else { return false }
            }
            return refersWell(object, contents)
        case 0x50...0x5F: return bytes[contents].allSatisfy { $0 < 0x80 }
        case 0x60...0x6F: return isUTF16(contents)
        // 16 bytes are for integers that 8 cannot hold.
        case 0x14: return Self.number(bytes, contents.lowerBound, 8) == 0
        default: return true
        }
    }

    private mutating func refersWell(_ object: Int, _ contents: Range<Int>) -> Bool {
        let depth = depths[object] + 1
        guard depths[object] > 0, Int(depth) <= PropertyListProblem.depthLimit else { return false }
        for place in stride(from: contents.lowerBound, to: contents.upperBound, by: referenceSize) {
            guard let target = reference(place) else { return false }
            if isText(target) {
                guard let text = offset(of: target).flatMap(self.contents) else { return false }
                budget -= text.count + BinaryPropertyListReader.valueSize
            } else {
                guard target > object, depths[target] == 0 else { return false }
                depths[target] = depth
                budget -= BinaryPropertyListReader.valueSize
            }
        }
        return budget > 0
    }

    private func isUTF16(_ contents: Range<Int>) -> Bool {
        var isAfterHigh = false
        for place in stride(from: contents.lowerBound, to: contents.upperBound, by: 2) {
            // Surrogates come in pairs only.
            switch bytes[place] {
            case 0xD8...0xDB where !isAfterHigh: isAfterHigh = true
            case 0xDC...0xDF where isAfterHigh: isAfterHigh = false
            case 0xD8...0xDF: return false
            default: if isAfterHigh { return false }
            }
        }
        return !isAfterHigh
    }

    // MARK: Numbers

    /// Returns the range of an object's contents; `nil` if it is too large, and for kinds that are never written.
    private func contents(_ place: Int) -> Range<Int>? {
        var (start, size) = (place + 1, 0)
        let (kind, low) = (bytes[place] >> 4, Int(bytes[place] & 0x0F))
        switch bytes[place] {
        case 0x08, 0x09: size = 0
        case 0x10...0x14: size = 1 << low
        case 0x23, 0x33: size = 8
        case 0x40...0x6F, 0xA0...0xAF, 0xD0...0xDF:
            size = low
            if low == 0x0F {
                guard start < tableStart, (0x10...0x13).contains(bytes[start]),
                    let long = Self.number(bytes, start + 1, 1 << Int(bytes[start] & 3)), long <= tableStart
                else { return nil }
                start += 1 + 1 << Int(bytes[start] & 3)
                size = long
            }
            switch kind {
            case 0x6: size *= 2
            case 0xA: size *= referenceSize
            case 0xD: size *= 2 * referenceSize
            default: break
            }
        default: return nil
        }
        return start + size <= tableStart ? start..<start + size : nil
    }

    private func isText(_ object: Int) -> Bool {
        guard let place = offset(of: object), (8..<tableStart).contains(place) else { return false }
        return bytes[place] >> 4 == 5 || bytes[place] >> 4 == 6
    }

    private func offset(of object: Int) -> Int? {
        Self.number(bytes, tableStart + object * offsetSize, offsetSize)
    }

    private func reference(_ place: Int) -> Int? {
        Self.number(bytes, place, referenceSize).flatMap { $0 < count ? $0 : nil }
    }

    /// Returns a big-endian number; `nil` if it is outside the bytes, or too large.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ size: Int) -> Int? {
        guard start + size <= bytes.count else { return nil }
        var value: UInt64 = 0
        for place in start..<start + size { value = value << 8 | UInt64(bytes[place]) }
        return value > UInt64(Int32.max) ? nil : Int(value)
    }
}
