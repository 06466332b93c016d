import Checksums
import EssentialFoundation
import SystemCalls

/// The format of a stored value on disk; numbers are little-endian:
///
///     0   8   "PawCach1"
///     8   4   CRC-32C of everything between here and the value
///     12  8   length of the value
///     20  4   CRC-32C of the value
///     24  2   length of the key
///     26  ..  the key, so that a file under the name of another key is invalid
///     ..  ..  the value, to the end of the file
enum CacheFile {
    private static let magic = Array("PawCach1".utf8)
    private static let fixedSize = 26

    /// The number of bytes before the value.
    static func headSize(key: String) -> Int { fixedSize + key.utf8.count }

    /// Returns the bytes before a value of a length and a checksum.
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

    /// Returns the length and the checksum of the value in a file that begins with these bytes; nil if they are invalid.
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
    /// Returns the checksum of these bytes, or of earlier ones and these.
    func checksum(after previous: UInt32 = 0) -> UInt32 {
        withUnsafeBytes { CRC32C.checksum(of: $0, after: previous) }
    }
}

/// An open file of a cache; closed when it is released.
final class CacheFileHandle: Sendable {
    let descriptor: Int32
    let path: String

    private init(_ descriptor: Int32, _ path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { POSIX.close(descriptor) }

    /// Opens the regular file of this user at a path; nil if it does not exist. A symbolic link is not followed, and a FIFO
    /// is not waited for.
    static func reading(_ path: String) throws(HTTPCacheStoreError) -> (file: CacheFileHandle, size: Int)? {
        do throws(SystemError) {
            let file = CacheFileHandle(try POSIX.open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK), path)
            let status = try POSIX.status(file.descriptor)
            guard status.kind == .regular, status.owner == UInt32(geteuid()) else { return nil }
            return (file, status.size)
        } catch {
            if [ENOENT, ELOOP, ENOTDIR, ENXIO, EMLINK].contains(error.code) { return nil }
            throw .file(path: path, code: error.code)
        }
    }

    /// Creates a new file, readable and writable by its owner only.
    static func creating(_ path: String) throws(HTTPCacheStoreError) -> CacheFileHandle {
        do throws(SystemError) {
            return CacheFileHandle(try POSIX.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW), path)
        } catch {
            throw .file(path: path, code: error.code)
        }
    }

    /// Reads up to `count` bytes at an offset; fewer only at the end of the file.
    func bytes(at offset: Int, count: Int) throws(HTTPCacheStoreError) -> Data {
        var data = Data(count: count)
        let result: Result<Int, SystemError> = data.withUnsafeMutableBytes { buffer in
            do throws(SystemError) { return .success(try POSIX.readAll(descriptor, into: buffer, at: offset)) } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let filled): return filled == count ? data : Data(data.prefix(filled))
        case .failure(let error): throw .file(path: path, code: error.code)
        }
    }

    /// Writes bytes at an offset.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(HTTPCacheStoreError) {
        do throws(SystemError) {
            try POSIX.writeAll(bytes, to: descriptor, at: offset)
        } catch {
            throw .file(path: path, code: error.code)
        }
    }

    /// Sets the file's time of use, which the eviction reads.
    func touch() { futimens(descriptor, nil) }
}
