/// What the system tells of a file.
package struct FileStatus: Equatable, Sendable {
    /// The device and the file's number on it: together the file's identity.
    package var device: UInt64
    /// The file's number.
    package var inode: UInt64
    /// The length in bytes.
    package var size: Int
    /// When the contents last changed, in nanoseconds since 1970.
    package var modified: Int64
    /// Whether it is a regular file.
    package var isRegular: Bool

    package init(device: UInt64, inode: UInt64, size: Int, modified: Int64, isRegular: Bool) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
        self.isRegular = isRegular
    }

    /// Whether both tell of the same file, whatever its contents.
    func isSameFile(as other: FileStatus) -> Bool {
        inode == other.inode && device == other.device
    }
}
