import SystemCalls
import Threading

/// The processes of the machine.
enum RunningProcess {
    /// The ID of this process.
    static var current: Int32 { getpid() }

    /// Whether a process is running.
    static func exists(_ id: Int32) -> Bool { id > 0 && (kill(id, 0) == 0 || errno == EPERM) }

    /// The arguments of the command line without the program, `nil` for those that are not UTF-8.
    static var arguments: [String?] {
        (1..<max(1, Int(CommandLine.argc))).map { index in
            CommandLine.unsafeArgv[index].flatMap { String(validatingCString: $0) }
        }
    }
}

/// The locks of the running programs of a folder: each holds one byte of a file, at the place of its process ID.
///
/// The system releases the lock when the process ends, however it ends. The ID alone does not distinguish a program from a process
/// that has got the same ID since, for example after a start of the machine.
final class ProcessLocks: Sendable {
    private let path: String
    /// The file; closing it would release the lock.
    private let file = Locked<Int32?>(nil)

    /// Creates the locks of a file, which is made by ``acquire()``.
    init(path: String) { self.path = path }

    deinit { if let file = file.withLock({ $0 }) { POSIX.close(file) } }

    /// Acquires the lock of this process. Where that is not possible, ``isHeld(by:)`` asks for the ID.
    func acquire() {
        file.withLock { file in
            if file == nil { file = try? POSIX.open(path, O_RDWR | O_CREAT) }
            if let file { _ = Self.call(F_SETLK, file, RunningProcess.current) }
        }
    }

    /// Whether another process holds the lock of an ID.
    func isHeld(by id: Int32) -> Bool {
        guard let file = file.withLock({ $0 }), let lock = Self.call(F_GETLK, file, id) else {
            return RunningProcess.exists(id)
        }
        return lock.l_type != Int16(F_UNLCK)
    }

    private static func call(_ operation: Int32, _ file: Int32, _ id: Int32) -> flock? {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        (lock.l_start, lock.l_len) = (off_t(id), 1)
        return fcntl(file, operation, &lock) == 0 ? lock : nil
    }
}
