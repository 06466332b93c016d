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
