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

/// An open file of a cache; closed when it is let go of.
final class CacheFileHandle: Sendable {
    let descriptor: Int32
    let path: String

    private init(_ descriptor: Int32, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Opens what is at a path for reading: nil where there is nothing, or no regular file of this user's own. A link is
    /// not followed, and what blocks is not waited for.
    static func reading(_ path: String) throws(HTTPCacheStoreError) -> (file: CacheFileHandle, status: stat)? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else {
            if [ENOENT, ELOOP, ENOTDIR, ENXIO, EMLINK].contains(errno) { return nil }
            throw .file(path: path, code: errno)
        }
        let file = CacheFileHandle(descriptor, path)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
            return nil
        }
        return (file, status)
    }

    /// Creates a file that must not be there, readable and writable by its owner alone.
    static func creating(_ path: String) throws(HTTPCacheStoreError) -> CacheFileHandle {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .file(path: path, code: errno) }
        return CacheFileHandle(descriptor, path)
    }

    /// Reads up to `count` bytes at an offset; fewer at the end of the file only.
    func bytes(at offset: Int, count: Int) throws(HTTPCacheStoreError) -> Data {
        var data = Data(count: count)
        var filled = 0
        while filled < count {
            let done = filled
            let result = data.withUnsafeMutableBytes { buffer in
                pread(descriptor, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw .file(path: path, code: errno) }
            if result == 0 { return Data(data.prefix(filled)) }
            filled += result
        }
        return data
    }

    /// Writes bytes at an offset.
    func put(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(HTTPCacheStoreError) {
        var done = 0
        while done < bytes.count {
            let result = pwrite(
                descriptor,
                bytes.baseAddress.map { $0 + done },
                bytes.count - done,
                off_t(offset + done)
            )
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw .file(path: path, code: result < 0 ? errno : ENOSPC) }
            done += result
        }
    }

    /// Marks the file as used just now, for the eviction.
    func touch() { futimens(descriptor, nil) }
}
