internal import CFileCalls
package import SystemCalls

/// The calls of the operating system.
package struct PosixFileCalls: FileCalls {
    package init() {}

    package func open(_ path: String, _ mode: FileOpening) throws(SystemError) -> Int32 {
        let flags: Int32 =
            switch mode {
            // Without O_NONBLOCK, opening a FIFO would block until another process writes to it.
            case .reading: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
            case .writing: O_RDWR | O_CREAT | O_NOFOLLOW
            case .creating: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW
            case .folder: O_RDONLY | O_DIRECTORY
            }
        return try POSIX.open(path, flags, permissions: 0o600)
    }

    package func close(_ descriptor: Int32) { POSIX.close(descriptor) }

    package func read(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) throws(SystemError) -> Int { try POSIX.read(descriptor, into: buffer, at: offset) }

    package func write(
        _ descriptor: Int32,
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int
    ) throws(SystemError) -> Int { try POSIX.write(descriptor, bytes, at: offset) }

    package func synchronise(_ descriptor: Int32) throws(SystemError) { try POSIX.synchronize(descriptor) }

    package func synchroniseFolder(_ descriptor: Int32) throws(SystemError) { try POSIX.synchronizeFolder(descriptor) }

    package func truncate(_ descriptor: Int32, to size: Int) throws(SystemError) {
        try POSIX.truncate(descriptor, to: size)
    }

    package func status(_ descriptor: Int32) throws(SystemError) -> POSIX.Status {
        try POSIX.status(descriptor).ofContent
    }

    package func outline(of path: String) throws(SystemError) -> POSIX.Status {
        try POSIX.check(path, "stat")
        var result = cfile_outline()
        let code = cfile_outline(path, &result)
        guard code == 0 else { throw SystemError(code: code, call: "stat") }
        return POSIX.Status(
            device: result.device,
            inode: result.inode,
            kind: result.is_regular ? .regular : .other,
            size: Int(result.size)
        )
    }

    package func status(of path: String) throws(SystemError) -> POSIX.Status {
        try POSIX.status(of: path, followsLinks: false).ofContent
    }

    package func rename(_ path: String, to target: String) throws(SystemError) {
        try POSIX.rename(path, to: target)
    }

    package func link(_ path: String, to target: String) throws(SystemError) { try POSIX.link(path, to: target) }

    package func remove(_ path: String) throws(SystemError) { try POSIX.remove(path) }

    package func makeFolder(_ path: String) throws(SystemError) { try POSIX.makeFolder(path) }

    package func list(_ path: String) throws(SystemError) -> [String] { try POSIX.list(path) }

    // MARK: Locks

    // A process that releases the lock and requests it again at once would always be faster than one that has to wake up
    // first. So the lock is requested only by the holder of another one, the place in the queue, on which the waiting
    // process waits, too. Apple platforms have no such second lock: there a waiting process may have to try several times.

    package func tryLock(_ descriptor: Int32) throws(SystemError) -> Bool {
        let code = cfile_lock_queue(descriptor, false)
        guard code != EAGAIN, code != EACCES else { return false }
        guard code == 0 else { throw SystemError(code: code, call: "fcntl") }
        defer { cfile_unlock_queue(descriptor) }
        return try POSIX.tryLock(descriptor)
    }

    package func lock(_ descriptor: Int32) throws(SystemError) {
        try POSIX.uninterrupted { () throws(SystemError) in
            let code = cfile_lock_queue(descriptor, true)
            guard code == 0 else { throw SystemError(code: code, call: "fcntl") }
            defer { cfile_unlock_queue(descriptor) }
            try POSIX.lock(descriptor)
        }
    }

    package func unlock(_ descriptor: Int32) { POSIX.unlock(descriptor) }
}
