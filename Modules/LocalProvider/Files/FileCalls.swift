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
