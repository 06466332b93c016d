#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Every system call that the stores make on files, so that a test can let each of them fail in turn.
///
/// An implementation does one call at a time, as the system would: a write may be short and any call may be
/// interrupted; ``FileSystem`` above deals with that.
package protocol FileCalls: Sendable {
    /// Opens a file and returns its descriptor.
    func open(_ path: String, _ mode: FileOpening) throws(SystemFailure) -> Int32
    /// Closes a descriptor.
    func close(_ descriptor: Int32)
    /// Reads at a place and returns the count of bytes, 0 at the end.
    func read(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) throws(SystemFailure) -> Int
    /// Writes at a place and returns the count of bytes written.
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemFailure) -> Int
    /// Brings a file's contents to the disk, with as much of its metadata as reading them needs.
    func synchronise(_ descriptor: Int32) throws(SystemFailure)
    /// Brings a folder's entries to the disk.
    func synchroniseFolder(_ descriptor: Int32) throws(SystemFailure)
    /// Cuts a file to a length.
    func truncate(_ descriptor: Int32, to size: Int) throws(SystemFailure)
    /// Tells of an open file.
    func status(_ descriptor: Int32) throws(SystemFailure) -> FileStatus
    /// Tells of a file by its path, of a symbolic link itself rather than of what it points to.
    func outline(of path: String) throws(SystemFailure) -> FileOutline
    /// As ``outline(of:)``, with the time of the last change.
    func status(of path: String) throws(SystemFailure) -> FileStatus
    /// Gives a file another name, replacing what has it.
    func rename(_ path: String, to target: String) throws(SystemFailure)
    /// Gives a file a second name, which must be free.
    func link(_ path: String, to target: String) throws(SystemFailure)
    /// Takes a name away, of a folder too where that is empty.
    func remove(_ path: String) throws(SystemFailure)
    /// Makes a folder that only its owner may enter.
    func makeFolder(_ path: String) throws(SystemFailure)
    /// The names in a folder, without `.` and `..`.
    func list(_ path: String) throws(SystemFailure) -> [String]
    /// Takes the lock of an open file for this descriptor alone; false where another has it.
    func tryLock(_ descriptor: Int32) throws(SystemFailure) -> Bool
    /// Gives the lock back.
    func unlock(_ descriptor: Int32)
}

/// How a file is opened. A symbolic link in the last place of the path is never followed.
package enum FileOpening: Sendable {
    /// For reading; the file must be there.
    case reading
    /// For reading and writing, made with mode 0600 where it is not there.
    case writing
    /// For writing, made with mode 0600; nothing may be there yet.
    case creating
    /// A folder, for synchronising its entries.
    case folder
}

/// What the system tells of a file without its times: which file it is, and how long.
///
/// Times have a price. From version 6.13 on, Linux gives a write a time of its own only where somebody has asked for the
/// file's times since the last one; a `stat` before each write makes each `fdatasync` a fifth dearer on ext4.
package struct FileOutline: Equatable, Sendable {
    /// The device that the file is on; with ``inode`` the file's identity.
    package var device: UInt64
    /// The file's number on its device.
    package var inode: UInt64
    /// The length in bytes.
    package var size: Int
    /// Whether it is a regular file.
    package var isRegular: Bool

    /// Whether both tell of the same file, whatever its contents.
    func isSameFile(as other: FileOutline) -> Bool {
        inode == other.inode && device == other.device
    }
}

/// What the system tells of a file.
package struct FileStatus: Equatable, Sendable {
    /// Which file it is, and how long.
    package var outline: FileOutline
    /// When the contents last changed, in nanoseconds since 1970.
    package var modified: Int64
}

/// A system call that failed, with its `errno`.
package struct SystemFailure: Error, Equatable {
    /// The value of `errno`.
    package let code: Int32
    /// The call's name.
    package let operation: String

    package init(code: Int32, operation: String) {
        self.code = code
        self.operation = operation
    }

    static let noSpace = ENOSPC
    static let overQuota = EDQUOT
    static let fileTooLarge = EFBIG
    static let accessDenied = EACCES
    static let notPermitted = EPERM
    static let readOnly = EROFS
    static let isLink = ELOOP
    static let absent = ENOENT
    static let exists = EEXIST
    static let interrupted = EINTR
    static let notDirectory = ENOTDIR
    static let notEmpty = ENOTEMPTY

    /// Whether the file or its folder is not there. A file where a folder should be is none of that: it is in the way.
    package var isAbsence: Bool { code == ENOENT }

    /// The system's words for an error number.
    static func text(_ code: Int32) -> String {
        // strerror's buffer is shared between threads; strerror_r's is ours. Its two shapes differ by library.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let base = buffer.baseAddress else { return "error \(code)" }
            buffer.initialize(repeating: 0)
            strerror_r(code, base, 256)
            return base[0] == 0 ? "error \(code)" : String(cString: base)
        }
    }
}
