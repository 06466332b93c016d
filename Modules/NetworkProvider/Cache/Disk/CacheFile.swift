import Checksums

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The bytes of a stored value on the disk; numbers are little-endian:
///
///     0   8   "PawCach1"
///     8   4   CRC-32C of all that follows up to the value
///     12  8   length of the value
///     20  4   CRC-32C of the value
///     24  2   length of the key
///     26  ..  the key, so that a file under another's name is none
///     ..  ..  the value, up to the end of the file
enum CacheFile {
    private static let magic = Array("PawCach1".utf8)
    private static let fixedSize = 26

    /// The bytes before the value.
    static func headSize(key: String) -> Int { fixedSize + key.utf8.count }

    /// The bytes before a value of a length and a checksum.
    static func head(key: String, length: Int, checksum: UInt32) -> [UInt8] {
        var covered: [UInt8] = []
        withUnsafeBytes(of: UInt64(length).littleEndian) { covered += $0 }
        withUnsafeBytes(of: checksum.littleEndian) { covered += $0 }
        withUnsafeBytes(of: UInt16(truncatingIfNeeded: key.utf8.count).littleEndian) { covered += $0 }
        covered += key.utf8
        var head = magic
        withUnsafeBytes(of: CRC32C.checksum(of: covered).littleEndian) { head += $0 }
        return head + covered
    }

    /// The length and checksum of the value in a file whose first bytes these are; nil for any other file.
    static func value(in head: [UInt8], key: String, fileSize: Int) -> (length: Int, checksum: UInt32)? {
        guard head.count == headSize(key: key), head.starts(with: magic) else { return nil }
        let checksum = head.withUnsafeBytes {
            UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: 20, as: UInt32.self))
        }
        let length = fileSize - head.count
        guard length >= 0, self.head(key: key, length: length, checksum: checksum) == head else { return nil }
        return (length, checksum)
    }
}

extension Data {
    /// The checksum of these bytes, or of earlier ones and these.
    func checksum(after previous: UInt32 = 0) -> UInt32 {
        withUnsafeBytes { CRC32C.checksum(of: $0, after: previous) }
    }
}
