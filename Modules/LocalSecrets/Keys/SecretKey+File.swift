import LocalProvider

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension SecretKey {
    private static let mark = Array("PawKey1\n".utf8)

    /// The key of a file; a new key, where there is no file yet.
    ///
    /// The file is made with mode 0600 and appears whole or not at all, for several processes at once, too. Keep it where
    /// the sealed values are not, or a copy of the one is a copy of the other.
    ///
    /// - Parameter path: the file's path; its folder is made, for its owner alone, where it is not there.
    /// - Returns: the key.
    /// - Throws: ``SecretError/keyExposed(path:detail:)`` where others may read it,
    ///   ``SecretError/keyInvalid(path:detail:)`` for anything but a key file, and ``SecretError/store(_:)`` for what the
    ///   system does not allow.
    public static func file(_ path: String) throws(SecretError) -> SecretKey {
        if let key = try existing(path) { return key }
        let folder = path.contains("/") ? String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) : "."
        try SecretError.wrapping { () throws(LocalError) in
            try FileSystem().makeFolders(folder.isEmpty ? "/" : folder)
        }
        try create(path, in: folder.isEmpty ? "/" : folder)
        // Another process may have been quicker: then its key is the one.
        guard let key = try existing(path) else { throw .keyInvalid(path: path, detail: "it was taken away") }
        return key
    }

    /// Reads a key file; `nil` where there is none.
    private static func existing(_ path: String) throws(SecretError) -> SecretKey? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(path, "open")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(path, "fstat") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .keyInvalid(path: path, detail: "it is no regular file") }
        guard status.st_uid == geteuid() else {
            throw .keyExposed(path: path, detail: "it belongs to the user with the number \(status.st_uid)")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(Int(status.st_mode) & 0o777, radix: 8)
            throw .keyExposed(path: path, detail: "its mode is \(mode), so that others than its owner may use it")
        }
        guard Int(status.st_size) == mark.count + byteCount else {
            throw .keyInvalid(path: path, detail: "it has \(status.st_size) bytes instead of \(mark.count + byteCount)")
        }
        var start = [UInt8](repeating: 0, count: mark.count)
        guard pread(descriptor, &start, mark.count, 0) == mark.count, start == mark else {
            throw .keyInvalid(path: path, detail: "it does not begin as one")
        }
        return try SecretKey { memory throws(SecretError) in
            // Straight into the guarded memory: no other copy of it is made.
            guard pread(descriptor, memory, byteCount, off_t(mark.count)) == byteCount else {
                throw failure(path, "read")
            }
        }
    }

    /// Writes a new key under another name and gives it the name, unless something has that already.
    private static func create(_ path: String, in folder: String) throws(SecretError) {
        let key = try random()
        let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(temporary, "open") }
        defer {
            close(descriptor)
            unlink(temporary)
        }
        let isWritten = key.withBytes { bytes in
            mark.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) == $0.count }
                && pwrite(descriptor, bytes, byteCount, off_t(mark.count)) == byteCount
        }
        guard isWritten else { throw failure(temporary, "write") }
        guard fsync(descriptor) == 0 else { throw failure(temporary, "fsync") }
        guard link(temporary, path) == 0 || errno == EEXIST else { throw failure(path, "link") }
        let opened = open(folder, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return }
        fsync(opened)
        close(opened)
    }

    private static func failure(_ path: String, _ operation: String) -> SecretError {
        .store(LocalError(SystemFailure(code: errno, operation: operation), path: path))
    }
}
