import Checksums
import TextEscaping

/// The checksum of a property list, where other readers do not look: in the five unused bytes of the binary format's
/// trailer, or in a comment behind the XML.
enum PropertyListSeal {
    /// The result of checking a file.
    enum Finding: Equatable {
        /// The checksum is right; the bytes without it.
        case whole([UInt8])
        /// There is no checksum: another program wrote the file, or the line was deleted. All bytes.
        case unsealed([UInt8])
        /// The checksum is wrong.
        case broken
    }

    private static let trailerSize = 32
    private static let mark = UInt8(ascii: "P")
    private static let opening = "<!-- checksum crc32c "
    private static let closing = " of all above; after editing by hand, delete this line -->\n"

    /// Adds the checksum.
    static func sealed(_ bytes: consuming [UInt8]) -> [UInt8] {
        let checksum = CRC32C.checksum(of: bytes)
        guard isBinary(bytes) else {
            bytes += (opening + Hexadecimal.string(of: checksum, digits: 8) + closing).utf8
            return bytes
        }
        let trailer = bytes.count - trailerSize
        bytes[trailer] = mark
        for index in 0..<4 {
            bytes[trailer + 1 + index] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * UInt32(index)))
        }
        return bytes
    }

    /// Checks the checksum.
    static func check(_ bytes: consuming [UInt8]) -> Finding {
        if isBinary(bytes) { return checkBinary(bytes) }
        return checkXML(bytes)
    }

    private static func checkBinary(_ bytes: consuming [UInt8]) -> Finding {
        let trailer = bytes.count - trailerSize
        guard bytes[trailer] == mark else { return .unsealed(bytes) }
        let stored = bytes[trailer + 1..<trailer + 5].reduce(0) { $0 << 8 | UInt32($1) }
        for index in 0..<5 { bytes[trailer + index] = 0 }
        guard CRC32C.checksum(of: bytes) == stored else { return .broken }
        return .whole(bytes)
    }

    private static func checkXML(_ bytes: consuming [UInt8]) -> Finding {
        let length = opening.utf8.count + 8 + closing.utf8.count
        let start = bytes.count - length
        let digitsStart = start + opening.utf8.count
        guard start > 0, bytes[start...].starts(with: opening.utf8),
            bytes[(digitsStart + 8)...].elementsEqual(closing.utf8)
        else { return .unsealed(bytes) }
        let digits = bytes[digitsStart..<digitsStart + 8]
        guard let stored = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
            CRC32C.checksum(of: bytes, in: 0..<start) == stored
        else { return .broken }
        bytes.removeLast(length)
        return .whole(bytes)
    }

    private static func isBinary(_ bytes: [UInt8]) -> Bool {
        bytes.count > trailerSize + 8 && bytes.starts(with: BinaryPropertyListReader.magic)
    }
}
