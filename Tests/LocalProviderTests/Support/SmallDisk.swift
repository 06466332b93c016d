import Foundation
import TestSupport

/// A small file system of a test's own, in memory, mounted where the user may mount.
final class SmallDisk: Sendable {
    /// Whether there can be one: for a superuser with the right to mount.
    static let isPossible: Bool = (try? SmallDisk(kilobytes: 64)) != nil

    let folder: TemporaryDirectory
    var path: String { folder.path }

    init(kilobytes: Int) throws {
        folder = try TemporaryDirectory("disk")
        try Self.run("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", folder.path])
    }

    deinit {
        try? Self.run("/usr/bin/umount", ["-l", folder.path])
    }

    /// From now on nothing can be written.
    func makeReadOnly() throws {
        try Self.run("/usr/bin/mount", ["-o", "remount,ro", folder.path])
    }

    private static func run(_ program: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
    }
}
