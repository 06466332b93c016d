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

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Returns the URL of `name` in the folder; no file is created.
    public func file(_ name: String) -> URL { url.appendingPathComponent(name) }

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

    /// Writes a script that can be run, and the folders above it.
    ///
    /// Another process writes it: the system does not start a program that is open for writing, and a process that another test
    /// starts at the same time would inherit the descriptor of this one.
    @discardableResult
    public func writeProgram(_ script: String, to name: String, isExecutable: Bool = true) throws -> URL {
        let target = file(name)
        let copy = #"mkdir -p "$(dirname "$2")" && printf %s "$1" >"$2" && chmod "$3" "$2""#
        let mode = isExecutable ? "755" : "644"
        try Programs.run(URL(fileURLWithPath: "/bin/sh"), ["-c", copy, "sh", script, target.path, mode])
        return target
    }
}
