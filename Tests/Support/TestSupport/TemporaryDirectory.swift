public import Foundation

/// A folder of its own for one test, removed with everything in it when the test lets go of it.
public final class TemporaryDirectory: Sendable {
    /// Where the folder is; an absolute path without symbolic links.
    public let url: URL

    /// The folder's path.
    public var path: String { url.path }

    /// Creates an empty folder under the system's temporary folder.
    public init(_ name: String = "pawkit") throws {
        url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("\(name)-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The location of `name` inside the folder; nothing is created.
    public func file(_ name: String) -> URL {
        url.appendingPathComponent(name)
    }

    /// Writes `text` to `name`, with the folders in between, and returns the location.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> URL {
        let target = file(name)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(text.utf8).write(to: target)
        return target
    }
}
