package import SystemCalls

/// Every system call that the stores make on files, so that a test can make each of them fail.
///
/// An implementation repeats a call that a signal interrupts. A read or write may transfer fewer bytes than requested:
/// ``OpenFile`` transfers the rest.
package protocol FileCalls: Sendable {
    /// Opens a file and returns its descriptor.
    func open(_ path: String, _ mode: FileOpening) throws(SystemError) -> Int32
    /// Closes a descriptor.
    func close(_ descriptor: Int32)
    /// Reads at an offset and returns the number of bytes, 0 at the end.
    func read(
        _ descriptor: Int32,
        into buffer: UnsafeMutableRawBufferPointer,
        at offset: Int
    ) throws(SystemError) -> Int
    /// Writes at an offset and returns the number of bytes written.
    func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, at offset: Int) throws(SystemError) -> Int
    /// Makes the content of a file durable, and the metadata necessary to read it.
    func synchronise(_ descriptor: Int32) throws(SystemError)
    /// Makes the entries of a folder durable.
    func synchroniseFolder(_ descriptor: Int32) throws(SystemError)
    /// Truncates a file.
    func truncate(_ descriptor: Int32, to size: Int) throws(SystemError)
    /// Returns the status of the content of an open file.
    func status(_ descriptor: Int32) throws(SystemError) -> POSIX.Status
    /// Returns the identity, kind and size of the file at a path, or of a symbolic link itself, without its times.
    ///
    /// Requesting times has a price. Since version 6.13, a write on Linux has its own timestamp only if the times of the file
    /// were requested since the last one; a `stat` before each write makes each `fdatasync` a fifth slower on ext4.
    func outline(of path: String) throws(SystemError) -> POSIX.Status
    /// Returns the status of the content of the file at a path, or of a symbolic link itself.
    func status(of path: String) throws(SystemError) -> POSIX.Status
    /// Renames a file, replacing the file at the target.
    func rename(_ path: String, to target: String) throws(SystemError)
    /// Creates a hard link, whose path must not exist.
    func link(_ path: String, to target: String) throws(SystemError)
    /// Removes a file or an empty folder.
    func remove(_ path: String) throws(SystemError)
    /// Creates a folder that only its owner may access.
    func makeFolder(_ path: String) throws(SystemError)
    /// Returns the names in a folder, without `.` and `..`.
    func list(_ path: String) throws(SystemError) -> [String]
    /// Locks an open file for this descriptor alone; returns false if another holds the lock or waits for it.
    func tryLock(_ descriptor: Int32) throws(SystemError) -> Bool
    /// Waits for the lock of an open file. Those that wait get it before those that request it later.
    func lock(_ descriptor: Int32) throws(SystemError)
    /// Releases the lock.
    func unlock(_ descriptor: Int32)
}

/// How a file is opened. A symbolic link in the last component of the path is never followed.
package enum FileOpening: Sendable {
    /// For reading; the file must exist.
    case reading
    /// For reading and writing; created with mode 0600 if it does not exist.
    case writing
    /// For writing; created with mode 0600, and nothing may exist at the path.
    case creating
    /// A folder, for synchronising its entries.
    case folder
}

/// The error numbers that the stores distinguish.
extension SystemError {
    static let noSpace = ENOSPC
    static let overQuota = EDQUOT
    static let fileTooLarge = EFBIG
    static let accessDenied = EACCES
    static let notPermitted = EPERM
    static let readOnly = EROFS
    static let isLink = ELOOP
    static let absent = ENOENT
    static let exists = EEXIST
    static let notDirectory = ENOTDIR
    static let notEmpty = ENOTEMPTY

    /// Whether the file or its folder does not exist. A file in place of a folder (`ENOTDIR`) is another error.
    package var isAbsence: Bool { code == ENOENT }
}
