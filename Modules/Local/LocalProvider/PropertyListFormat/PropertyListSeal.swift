import Checksums
import TextEscaping

/// The checksum of a property list, where other readers do not look: in the five unused bytes of the binary format's
/// trailer, or in a comment behind the XML.
enum PropertyListSeal {
    /// The result of checking a file.
    enum Finding: Equatable {
        /// The checksum is right; the bytes without it.
        case whole([UInt8])
        /// There is no checksum: another program wrote the file, or the line was deleted.
        case unsealed
        /// The checksum is wrong.
        case broken
    }

    private static let trailerSize = 32
    private static let mark = UInt8(ascii: "P")
    private static let opening = "<!-- checksum crc32c "
    private static let closing = " of all above; after editing by hand, delete this line -->\n"

    /// Adds the checksum.
    static func sealed(_ bytes: [UInt8]) -> [UInt8] {
        let checksum = CRC32C.checksum(of: bytes)
        var sealed = bytes
        guard isBinary(bytes) else {
            sealed += (opening + Hexadecimal.string(of: checksum, digits: 8) + closing).utf8
            return sealed
        }
        let trailer = bytes.count - trailerSize
        sealed[trailer] = mark
        for index in 0..<4 {
            sealed[trailer + 1 + index] = UInt8(truncatingIfNeeded: checksum >> (24 - 8 * UInt32(index)))
        }
        return sealed
    }

    /// Checks the checksum.
    static func check(_ bytes: [UInt8]) -> Finding {
        isBinary(bytes) ? checkBinary(bytes) : checkXML(bytes)
    }

    private static func checkBinary(_ bytes: [UInt8]) -> Finding {
        let trailer = bytes.count - trailerSize
        guard bytes[trailer] == mark else { return .unsealed }
        let stored = bytes[trailer + 1..<trailer + 5].reduce(0) { $0 << 8 | UInt32($1) }
        var plain = bytes
        for index in 0..<5 { plain[trailer + index] = 0 }
        return CRC32C.checksum(of: plain) == stored ? .whole(plain) : .broken
    }

    private static func checkXML(_ bytes: [UInt8]) -> Finding {
        let length = opening.utf8.count + 8 + closing.utf8.count
        let start = bytes.count - length
        guard start > 0, bytes[start...].starts(with: opening.utf8),
            bytes.suffix(closing.utf8.count).elementsEqual(closing.utf8)
        else { return .unsealed }
        let digits = bytes[start + opening.utf8.count..<start + opening.utf8.count + 8]
        guard let stored = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
            CRC32C.checksum(of: bytes, in: 0..<start) == stored
        else { return .broken }
        return .whole(Array(bytes[..<start]))
    }

    private static func isBinary(_ bytes: [UInt8]) -> Bool {
        bytes.count > trailerSize + 8 && bytes.starts(with: BinaryPropertyListReader.magic)
    }
}
