import EssentialFoundation
import SystemCalls
import Threading

/// The files of the system.
enum Files {
    /// Whether there is a file or folder at a path.
    static func exists(_ path: String) -> Bool { (try? POSIX.status(of: path)) != nil }

    /// Creates a folder and those above it.
    static func makeFolders(_ path: String) throws(GraphError) {
        try naming(path, "the folder cannot be created") {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
    }

    /// Returns the result of `body`; its error becomes one with a path and what has failed.
    private static func naming<Result>(
        _ path: String,
        _ failure: String,
        _ body: () throws -> Result
    ) throws(GraphError) -> Result {
        do { return try body() } catch { throw .file(path: path, message: "\(failure) (\(error))") }
    }

    /// Returns the content of a file.
    ///
    /// - Throws: ``GraphError/file(path:message:)`` with its path.
    static func read(_ path: String) throws(GraphError) -> [UInt8] {
        try naming(path, "it cannot be read") { try POSIX.contents(of: path) }
    }

    /// Writes a file.
    ///
    /// - Throws: ``GraphError/file(path:message:)`` with its path.
    static func write(_ bytes: [UInt8], to path: String) throws(GraphError) {
        try naming(path, "it cannot be written") { try POSIX.write(bytes, toFile: path) }
    }

    /// Replaces the content of a file as a whole: if it cannot be written, as on a full disk, the old content stays. A file that
    /// does not exist is created.
    ///
    /// - Throws: ``GraphError/file(path:message:)`` with its path.
    static func replace(_ path: String, with bytes: [UInt8]) throws(GraphError) {
        // The file behind a symbolic link is replaced, not the link.
        let file = path.resolvingLinks
        guard let status = try? POSIX.status(of: file), status.kind == .regular, let slash = file.lastIndex(of: "/")
        else { return try write(bytes, to: path) }
        let partial = "\(file[...slash]).dependency-graph-\(UUID().uuidString)"
        do throws(SystemError) {
            let descriptor = try POSIX.open(partial, O_WRONLY | O_CREAT | O_EXCL)
            defer { POSIX.close(descriptor) }
            try POSIX.writeAll(bytes, to: descriptor)
            guard fchmod(descriptor, mode_t(status.permissions)) == 0 else { throw SystemError(call: "fchmod") }
            try POSIX.synchronize(descriptor)
            try POSIX.rename(partial, to: file)
        } catch {
            try? POSIX.remove(partial)
            throw GraphError.file(path: path, message: "it cannot be written (\(error))")
        }
    }

    /// The folders of ``withTemporaryFolder(_:)`` that are present.
    static let temporaryFolders = Locked<Set<String>>([])

    /// Runs `body` with the path of a new folder in TMPDIR, which is removed afterwards.
    static func withTemporaryFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.path + "/dependency-graph-\(UUID().uuidString)"
        do throws(SystemError) {
            try temporaryFolders.withLock { folders throws(SystemError) in
                try POSIX.makeFolder(folder)
                folders.insert(folder)
            }
        } catch {
            throw GraphError.file(
                path: folder,
                message: "the folder cannot be created (\(error)); TMPDIR names another place"
            )
        }
        defer {
            try? FileManager.default.removeItem(atPath: folder)
            temporaryFolders.withLock { _ = $0.remove(folder) }
        }
        return try body(folder)
    }
}

extension String {
    /// The text without white space at its ends.
    var trimmed: String {
        var text = Substring(self)
        while text.last?.isWhitespace == true { text.removeLast() }
        while text.first?.isWhitespace == true { text.removeFirst() }
        return String(text)
    }

    /// The path without a final slash and without "./" at its start; that of "./" is ".".
    var droppingTrailingSlash: String {
        var text = self
        while text.hasPrefix("./"), text.count > 2 { text.removeFirst(2) }
        while text.count > 1, text.hasSuffix("/") { text.removeLast() }
        return text
    }

    /// The absolute path without "." and ".." in it.
    var absolutePath: String { URL(filePath: self).standardizedFileURL.path.droppingTrailingSlash }

    /// The absolute path without symbolic links.
    var resolvingLinks: String { URL(filePath: self).resolvingSymlinksInPath().path.droppingTrailingSlash }

    /// The path below a folder, which may be named with or without its symbolic links; `nil` if it is not below it.
    func relative(to folder: String) -> String? {
        [folder, folder.resolvingLinks].first { hasPrefix($0 + "/") }.map { String(dropFirst($0.count + 1)) }
    }
}
