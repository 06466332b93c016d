import Foundation

/// A small file system in memory for one test, mounted where the user may mount.
public final class SmallDisk: Sendable {
    /// Whether there can be one: for a superuser with the right to mount.
    public static let isPossible: Bool = (try? SmallDisk(kilobytes: 64)) != nil

    /// The folder where it is mounted.
    public let folder: TemporaryDirectory
    /// The path of its root.
    public var path: String { folder.path }

    /// Mounts an empty file system of a size.
    public init(kilobytes: Int) throws {
        folder = try TemporaryDirectory("disk")
        try Self.run("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.path])
    }

    deinit { try? Self.run("/usr/bin/umount", ["-l", folder.path]) }

    /// From now on nothing can be written.
    public func makeReadOnly() throws { try Self.run("/usr/bin/mount", ["-o", "remount,ro", folder.path]) }

    /// Fills all free space with a file outside the folders of the test.
    public func takeFreeSpace() throws {
        let path = self.path + "/others"
        if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? file.close() }
        try file.seekToEnd()
        let block = Data(repeating: 1, count: 4_096)
        while (try? file.write(contentsOf: block)) != nil {}
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        try Programs.run(URL(fileURLWithPath: program), arguments)
    }
}
