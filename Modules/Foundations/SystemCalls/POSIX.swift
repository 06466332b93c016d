/// System calls on files that throw ``SystemError`` and are repeated when a signal interrupts them.
///
/// All descriptors that are made here are closed in programs that are started later (`O_CLOEXEC`).
package enum POSIX {
    /// Opens a file.
    ///
    /// Pass `O_NONBLOCK` for a path that comes from outside: opening a FIFO without it blocks the thread until another
    /// process opens the other end.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - flags: the flags of `open(2)`; `O_CLOEXEC` is added.
    ///   - permissions: the permissions of a file that is created.
    /// - Returns: the descriptor; the caller closes it.
    /// - Throws: the error of the call.
    package static func open(_ path: String, _ flags: Int32, permissions: UInt16 = 0o600) throws(SystemError) -> Int32 {
        Int32(try repeating("open", path) { Int(systemOpen(path, flags | O_CLOEXEC, mode_t(permissions))) })
    }

    /// Closes a descriptor. Errors are ignored: the descriptor is released on every outcome.
    package static func close(_ descriptor: Int32) { systemClose(descriptor) }

    /// Reads from the current position.
    ///
    /// - Returns: the number of bytes read; 0 at the end of the file.
    package static func read(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        try repeating("read") { systemRead(descriptor, buffer.baseAddress, buffer.count) }
    }

    /// Reads from a position of a file.
    ///
    /// - Returns: the number of bytes read; 0 at the end of the file.
    package static func read(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) throws(SystemError) -> Int {
        try repeating("pread") { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    /// Writes at the current position.
    ///
    /// - Returns: the number of bytes written, which may be less than the number passed.
    package static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int {
        try repeating("write") { systemWrite(descriptor, bytes.baseAddress, bytes.count) }
    }

    /// Writes at a position of a file.
    ///
    /// - Returns: the number of bytes written, which may be less than the number passed.
    package static func write(
        _ descriptor: Int32,
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int
    ) throws(SystemError) -> Int {
        try repeating("pwrite") { pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset)) }
    }

    /// Makes the written content of a file durable, with the drive's cache on Apple platforms.
    package static func synchronize(_ descriptor: Int32) throws(SystemError) {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
            try repeating("fsync") { Int(fsync(descriptor)) }
        #else
            try repeating("fdatasync") { Int(fdatasync(descriptor)) }
        #endif
    }

    /// Makes the entries of an open folder durable; file systems that cannot synchronise folders need not.
    package static func synchronizeFolder(_ descriptor: Int32) throws(SystemError) {
        do throws(SystemError) {
            try repeating("fsync") { Int(fsync(descriptor)) }
        } catch  where error.code == EINVAL {
        }
    }

    /// Sets the size of a file.
    package static func truncate(_ descriptor: Int32, to size: Int) throws(SystemError) {
        try repeating("ftruncate") { Int(ftruncate(descriptor, off_t(size))) }
    }

    /// Renames a file, replacing what is at the new path.
    package static func rename(_ path: String, to newPath: String) throws(SystemError) {
        try repeating("rename", path, newPath) { Int(systemRename(path, newPath)) }
    }

    /// Creates a hard link to a file.
    package static func link(_ path: String, to newPath: String) throws(SystemError) {
        try repeating("link", path, newPath) { Int(systemLink(path, newPath)) }
    }

    /// Removes a file or an empty folder.
    package static func remove(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try repeating("unlink", path) { Int(unlink(path)) }
        } catch {
            // The error for a folder differs between Linux and POSIX.
            guard error.code == EISDIR || error.code == EPERM else { throw error }
            do throws(SystemError) {
                try repeating("rmdir") { Int(rmdir(path)) }
            } catch let folder {
                throw folder.code == ENOTDIR ? error : folder
            }
        }
    }

    /// Creates a folder for its owner alone.
    package static func makeFolder(_ path: String) throws(SystemError) {
        try repeating("mkdir", path) { Int(mkdir(path, 0o700)) }
    }

    /// Creates a folder and its parents, for their owner alone. Those that exist stay.
    package static func makeFolders(_ path: String) throws(FolderError) {
        guard (try? status(of: path)) == nil else { return }
        var created = path.hasPrefix("/") ? "" : "."
        for name in path.split(separator: "/") {
            created += "/" + name
            do throws(SystemError) {
                try makeFolder(created)
            } catch {
                guard error.code == EEXIST else { throw FolderError(path: created, code: error.code) }
            }
        }
    }

    /// The folder that ``makeFolders(_:)`` could not create, and the value of `errno`.
    package struct FolderError: Error {
        package let path: String
        package let code: Int32
    }

    /// Returns the names in a folder, without `.` and `..`, in no order.
    package static func list(_ path: String) throws(SystemError) -> [String] {
        try check(path, "opendir")
        guard let folder = opendir(path) else { throw SystemError(call: "opendir") }
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
        guard errno == 0 else { throw SystemError(call: "readdir") }
        return names
    }

    /// Locks an open file for this process alone (`flock`).
    ///
    /// - Returns: `false` if another open file description holds the lock.
    package static func tryLock(_ descriptor: Int32) throws(SystemError) -> Bool {
        do throws(SystemError) {
            try repeating("flock") { Int(flock(descriptor, LOCK_EX | LOCK_NB)) }
            return true
        } catch {
            if error.code == EWOULDBLOCK { return false }
            throw error
        }
    }

    /// Locks an open file or folder for this process alone (`flock`), after waiting for another process.
    package static func lock(_ descriptor: Int32) throws(SystemError) {
        try repeating("flock") { Int(flock(descriptor, LOCK_EX)) }
    }

    /// Unlocks an open file.
    package static func unlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }

    /// Returns whether a signal is ignored, as in a process that nohup has started. Waiting for it would receive it
    /// nevertheless.
    package static func isIgnored(_ number: Int32) -> Bool {
        let handler = signal(number, SIG_IGN)
        signal(number, handler)
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Repeats a call until no signal interrupts it.
    package static func uninterrupted<Result>(_ call: () throws(SystemError) -> Result) throws(SystemError) -> Result {
        while true {
            do throws(SystemError) {
                return try call()
            } catch  where error.code == EINTR {
            }
        }
    }

    /// Throws `EINVAL` for a path with a NUL, where it would end for the system, as that of another file.
    package static func check(_ path: String, _ call: String) throws(SystemError) {
        if path.utf8.contains(0) { throw SystemError(code: EINVAL, call: call) }
    }

    /// Repeats a function of the C library until no signal interrupts it.
    @discardableResult
    static func repeating(_ call: String, _ paths: String..., body: () -> Int) throws(SystemError) -> Int {
        for path in paths { try check(path, call) }
        return try uninterrupted { () throws(SystemError) in
            let result = body()
            if result < 0 { throw SystemError(call: call) }
            return result
        }
    }
}

// The system's functions under names that the methods above do not hide.

private func systemOpen(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { open(path, flags, mode) }
private func systemClose(_ descriptor: Int32) { _ = close(descriptor) }
private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
private func systemRename(_ path: String, _ newPath: String) -> Int32 { rename(path, newPath) }
private func systemLink(_ path: String, _ newPath: String) -> Int32 { link(path, newPath) }
