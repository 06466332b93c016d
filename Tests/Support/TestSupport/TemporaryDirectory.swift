public import Foundation

/// A temporary folder of a test, which is removed when the object is deallocated.
public final class TemporaryDirectory: Sendable {
    /// The URL of the folder: an absolute path without symbolic links.
    public let url: URL

    /// The path of the folder.
    public var path: String { url.path }

    /// Creates an empty folder in the temporary folder of the system.
    public init(_ name: String = "pawkit") throws {
        url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appendingPathComponent("\(name)-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Returns the URL of `name` in the folder; no file is created.
    public func file(_ name: String) -> URL {
        url.appendingPathComponent(name)
    }

    /// Writes `text` to the file `name`, creates the folders of its path, and returns its URL.
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
