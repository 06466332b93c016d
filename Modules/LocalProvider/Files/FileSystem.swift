/// Whole operations on files over ``FileCalls``: interrupted calls go on, short writes are finished, and errors name
/// the path.
package struct FileSystem: Sendable {
    /// The calls beneath.
    let calls: any FileCalls

    package init(_ calls: any FileCalls = PosixFileCalls()) {
        self.calls = calls
    }

    /// Makes a call again as long as signals interrupt it.
    func uninterrupted<Result>(
        _ path: String,
        _ call: () throws(SystemFailure) -> Result
    ) throws(LocalError) -> Result {
        while true {
            do throws(SystemFailure) {
                return try call()
            } catch {
                if error.code == SystemFailure.interrupted { continue }
                throw LocalError(error, path: path)
            }
        }
    }

    /// As ``uninterrupted(_:_:)``, with `nil` where the file is not there.
    func present<Result>(
        _ path: String,
        _ call: () throws(SystemFailure) -> Result
    ) throws(LocalError) -> Result? {
        while true {
            do throws(SystemFailure) {
                return try call()
            } catch {
                if error.code == SystemFailure.interrupted { continue }
                if error.isAbsence { return nil }
                throw LocalError(error, path: path)
            }
        }
    }

    /// Opens a file; `nil` where it is not there.
    package func open(_ path: String, _ mode: FileOpening) throws(LocalError) -> OpenFile? {
        let descriptor = try present(path) { () throws(SystemFailure) in try calls.open(path, mode) }
        guard let descriptor else { return nil }
        let file = OpenFile(descriptor: descriptor, path: path, system: self)
        if mode != .folder {
            guard try file.status().outline.isRegular else {
                throw .notPermitted(path: path, errno: SystemFailure.notPermitted)
            }
        }
        return file
    }

    /// Tells of a file without its times; `nil` where it is not there.
    func outline(of path: String) throws(LocalError) -> FileOutline? {
        try present(path) { () throws(SystemFailure) in try calls.outline(of: path) }
    }

    /// Tells of a file; `nil` where it is not there.
    func status(of path: String) throws(LocalError) -> FileStatus? {
        try present(path) { () throws(SystemFailure) in try calls.status(of: path) }
    }

    /// Reads a file whole; `nil` where it is not there.
    func contents(of path: String) throws(LocalError) -> [UInt8]? {
        try open(path, .reading)?.contents()
    }

    /// Takes a file away; false where it was not there.
    @discardableResult
    func remove(_ path: String) throws(LocalError) -> Bool {
        try present(path) { () throws(SystemFailure) in try calls.remove(path) } != nil
    }

    /// The names in a folder; none where it is not there.
    func list(_ path: String) throws(LocalError) -> [String] {
        try present(path) { () throws(SystemFailure) in try calls.list(path) } ?? []
    }

    /// Gives a file another name.
    func rename(_ path: String, to target: String) throws(LocalError) {
        try uninterrupted(path) { () throws(SystemFailure) in try calls.rename(path, to: target) }
    }

    /// Brings a folder's entries to the disk.
    package func synchroniseFolder(_ path: String) throws(LocalError) {
        guard let folder = try open(path, .folder) else {
            throw .io(path: path, operation: "open", errno: SystemFailure.absent)
        }
        try uninterrupted(path) { () throws(SystemFailure) in try calls.synchroniseFolder(folder.descriptor) }
    }

    /// Makes a folder and those above it, for their owner alone, and brings their entries to the disk.
    package func makeFolders(_ path: String) throws(LocalError) {
        try makeFoldersOnly(path)
        // All of them: whoever made those that were there may not have lived to do it. Best effort, since the folders above
        // may be readable by others only.
        var path = path
        while path != "/", path != "." {
            path = Self.parent(of: path)
            try? synchroniseFolder(path)
        }
    }

    private func makeFoldersOnly(_ path: String) throws(LocalError) {
        let parent = Self.parent(of: path)
        if try present(path, { () throws(SystemFailure) in try makeFolder(path) }) == nil {
            // The root and the working folder are always there: nothing above them could help.
            guard parent != path, parent != "." else {
                throw .io(path: path, operation: "mkdir", errno: SystemFailure.absent)
            }
            try makeFoldersOnly(parent)
            // Not again and again: there are folders, /proc for one, in which nothing can be made.
            try uninterrupted(path) { () throws(SystemFailure) in try makeFolder(path) }
        }
    }

    /// Makes one folder; all is well where it is there already.
    private func makeFolder(_ path: String) throws(SystemFailure) {
        do throws(SystemFailure) {
            try calls.makeFolder(path)
        } catch {
            guard error.code == SystemFailure.exists else { throw error }
        }
    }

    /// The path of the folder that holds `path`.
    package static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of a path.
    static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}
