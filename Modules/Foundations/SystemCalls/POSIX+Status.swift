extension POSIX {
    /// The kind of a file.
    package enum FileKind: Hashable, Sendable {
        case regular, folder, link, fifo, other
    }

    /// The status of a file, as `stat(2)` returns it.
    package struct Status: Hashable, Sendable {
        package let device: UInt64
        package let inode: UInt64
        package let kind: FileKind
        /// The size in bytes.
        package let size: Int
        /// The user ID of the owner.
        package let owner: UInt32
        /// The permissions and the set-ID bits: the lowest twelve bits of the mode.
        package let permissions: UInt16
        /// The number of names of the file.
        package let links: Int
        /// The time of the last change of the content, in nanoseconds since 1970.
        package let modified: Int64
        /// The time of the last access, in nanoseconds since 1970.
        package let accessed: Int64

        init(_ status: stat) {
            #if canImport(Darwin)
                let (modified, accessed) = (status.st_mtimespec, status.st_atimespec)
            #else
                let (modified, accessed) = (status.st_mtim, status.st_atim)
            #endif
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(truncatingIfNeeded: status.st_ino)
            kind =
                switch status.st_mode & S_IFMT {
                case S_IFREG: .regular
                case S_IFDIR: .folder
                case S_IFLNK: .link
                case S_IFIFO: .fifo
                default: .other
                }
            size = Int(status.st_size)
            owner = UInt32(status.st_uid)
            permissions = UInt16(status.st_mode & 0o7777)
            links = Int(status.st_nlink)
            self.modified = Self.nanoseconds(modified)
            self.accessed = Self.nanoseconds(accessed)
        }

        /// Creates a status with some of the properties; the others have default values.
        package init(device: UInt64, inode: UInt64, kind: FileKind, size: Int, modified: Int64 = 0) {
            (self.device, self.inode, self.kind, self.size, self.modified) = (device, inode, kind, size, modified)
            (owner, permissions, links, accessed) = (0, 0, 1, 0)
        }

        /// The status without the properties that can change while the content stays.
        package var ofContent: Status {
            Status(device: device, inode: inode, kind: kind, size: size, modified: modified)
        }

        /// Returns whether both are of the same file, whatever its content.
        package func isSameFile(as other: Status) -> Bool { inode == other.inode && device == other.device }

        private static func nanoseconds(_ time: timespec) -> Int64 {
            Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        }
    }

    /// Returns the status of an open file.
    package static func status(_ descriptor: Int32) throws(SystemError) -> Status {
        var result = stat()
        guard fstat(descriptor, &result) == 0 else { throw SystemError(call: "fstat") }
        return Status(result)
    }

    /// Returns the status of the file at a path.
    ///
    /// - Parameters:
    ///   - path: the path.
    ///   - followsLinks: whether the status is that of a symbolic link's target.
    /// - Returns: the status.
    /// - Throws: the error of the call; its code is `ENOENT` if there is no file.
    package static func status(of path: String, followsLinks: Bool = true) throws(SystemError) -> Status {
        try check(path, followsLinks ? "stat" : "lstat")
        var result = stat()
        let code = followsLinks ? stat(path, &result) : lstat(path, &result)
        guard code == 0 else { throw SystemError(call: followsLinks ? "stat" : "lstat") }
        return Status(result)
    }
}
