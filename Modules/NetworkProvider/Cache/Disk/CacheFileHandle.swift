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
