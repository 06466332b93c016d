internal import CFileOutline

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The calls of the system itself.
package struct PosixFileCalls: FileCalls {
    package init() {}

    package func open(_ path: String, _ mode: FileOpening) throws(SystemFailure) -> Int32 {
        let flags: Int32 =
            switch mode {
            // Without O_NONBLOCK a pipe in the way would wait for somebody to write.
            case .reading: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
            case .writing: O_RDWR | O_CREAT | O_NOFOLLOW
            case .creating: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
            case .folder: O_RDONLY | O_DIRECTORY
            }
        #if canImport(Darwin)
            let descriptor = Darwin.open(path, flags | O_CLOEXEC, 0o600)
        #elseif canImport(Glibc)
            let descriptor = Glibc.open(path, flags | O_CLOEXEC, 0o600)
        #else
            let descriptor = Musl.open(path, flags | O_CLOEXEC, 0o600)
        #endif
        guard descriptor >= 0 else { throw SystemFailure(code: errno, operation: "open") }
        return descriptor
    }

    package func close(_ descriptor: Int32) {
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #elseif canImport(Glibc)
            _ = Glibc.close(descriptor)
        #else
            _ = Musl.close(descriptor)
        #endif
    }

    package func read(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) throws(SystemFailure) -> Int {
        let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        guard count >= 0 else { throw SystemFailure(code: errno, operation: "read") }
        return count
    }

    package func write(
        _ descriptor: Int32,
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int
    ) throws(SystemFailure) -> Int {
        let count = pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
        guard count >= 0 else { throw SystemFailure(code: errno, operation: "write") }
        return count
    }

    package func synchronise(_ descriptor: Int32) throws(SystemFailure) {
        #if canImport(Darwin)
            // fsync on Apple platforms stops at the drive's cache.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
            let result = fsync(descriptor)
        #else
            let result = fdatasync(descriptor)
        #endif
        guard result == 0 else { throw SystemFailure(code: errno, operation: "fdatasync") }
    }

    package func synchroniseFolder(_ descriptor: Int32) throws(SystemFailure) {
        guard fsync(descriptor) == 0 else {
            // Some file systems cannot synchronise folders, and need not.
            if errno == EINVAL { return }
            throw SystemFailure(code: errno, operation: "fsync")
        }
    }

    package func truncate(_ descriptor: Int32, to size: Int) throws(SystemFailure) {
        guard ftruncate(descriptor, off_t(size)) == 0 else { throw SystemFailure(code: errno, operation: "ftruncate") }
    }

    package func status(_ descriptor: Int32) throws(SystemFailure) -> FileStatus {
        var result = stat()
        guard fstat(descriptor, &result) == 0 else { throw SystemFailure(code: errno, operation: "fstat") }
        return Self.status(result)
    }

    package func outline(of path: String) throws(SystemFailure) -> FileOutline {
        var result = cfile_outline()
        let code = cfile_outline(path, &result)
        guard code == 0 else { throw SystemFailure(code: code, operation: "stat") }
        return FileOutline(
            device: result.device,
            inode: result.inode,
            size: Int(result.size),
            isRegular: result.is_regular
        )
    }

    package func status(of path: String) throws(SystemFailure) -> FileStatus {
        var result = stat()
        guard lstat(path, &result) == 0 else { throw SystemFailure(code: errno, operation: "stat") }
        return Self.status(result)
    }

    package func rename(_ path: String, to target: String) throws(SystemFailure) {
        #if canImport(Darwin)
            let result = Darwin.rename(path, target)
        #elseif canImport(Glibc)
            let result = Glibc.rename(path, target)
        #else
            let result = Musl.rename(path, target)
        #endif
        guard result == 0 else { throw SystemFailure(code: errno, operation: "rename") }
    }

    package func link(_ path: String, to target: String) throws(SystemFailure) {
        #if canImport(Darwin)
            let result = Darwin.link(path, target)
        #elseif canImport(Glibc)
            let result = Glibc.link(path, target)
        #else
            let result = Musl.link(path, target)
        #endif
        guard result == 0 else { throw SystemFailure(code: errno, operation: "link") }
    }

    package func remove(_ path: String) throws(SystemFailure) {
        guard unlink(path) != 0 else { return }
        let failure = SystemFailure(code: errno, operation: "unlink")
        guard failure.code == EISDIR || failure.code == EPERM else { throw failure }
        // A folder, which Linux and POSIX tell by different errors; anything else stays what it was.
        guard rmdir(path) != 0 else { return }
        throw errno == ENOTDIR ? failure : SystemFailure(code: errno, operation: "rmdir")
    }

    package func makeFolder(_ path: String) throws(SystemFailure) {
        guard mkdir(path, 0o700) == 0 else { throw SystemFailure(code: errno, operation: "mkdir") }
    }

    package func list(_ path: String) throws(SystemFailure) -> [String] {
        guard let folder = opendir(path) else { throw SystemFailure(code: errno, operation: "opendir") }
        defer { closedir(folder) }
        var names: [String] = []
        errno = 0
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw SystemFailure(code: errno, operation: "readdir") }
        return names
    }

    package func tryLock(_ descriptor: Int32) throws(SystemFailure) -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return true }
        if errno == EWOULDBLOCK { return false }
        throw SystemFailure(code: errno, operation: "flock")
    }

    package func unlock(_ descriptor: Int32) {
        _ = flock(descriptor, LOCK_UN)
    }

    private static func status(_ result: stat) -> FileStatus {
        #if canImport(Darwin)
            let modified = result.st_mtimespec
        #else
            let modified = result.st_mtim
        #endif
        return FileStatus(
            outline: FileOutline(
                device: UInt64(truncatingIfNeeded: result.st_dev),
                inode: UInt64(truncatingIfNeeded: result.st_ino),
                size: Int(result.st_size),
                isRegular: result.st_mode & S_IFMT == S_IFREG
            ),
            modified: Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec)
        )
    }
}
