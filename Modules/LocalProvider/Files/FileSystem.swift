#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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

extension FileSystem {
    /// Gives a file another name as well, replacing what has it; where there can be no second name, makes a copy.
    ///
    /// - Parameters:
    ///   - path: the file; nothing happens where it is not there.
    ///   - target: the other name.
    /// - Throws: ``LocalError``; then `target` is what it was.
    func duplicate(_ path: String, as target: String) throws(LocalError) {
        let name = target + ".tmp"
        // Renaming between two names of one file does nothing: begin and end without the temporary name.
        try remove(name)
        let isLinked: Void? = try? uninterrupted(path) { () throws(SystemFailure) in try calls.link(path, to: name) }
        if isLinked == nil {
            guard try copy(path, to: name) else { return }
        }
        do {
            try rename(name, to: target)
        } catch {
            _ = try? remove(name)
            throw error
        }
        try remove(name)
    }

    /// Copies a file and brings the copy to the disk; false where it is not there.
    private func copy(_ path: String, to target: String) throws(LocalError) -> Bool {
        guard let bytes = try contents(of: path), let copy = try open(target, .creating) else { return false }
        do {
            try copy.write(bytes, at: 0)
            try copy.synchronise()
        } catch {
            _ = try? remove(target)
            throw error
        }
        return true
    }
}

extension FileSystem {
    /// Makes a file with mode 0600 that appears whole or not at all; nothing happens where there is one already. Of several
    /// processes that do so at once, one makes it.
    ///
    /// - Parameters:
    ///   - path: the file, in a folder that is there.
    ///   - write: writes its contents.
    /// - Throws: what `write` throws, and ``LocalError``.
    package func create(_ path: String, _ write: (OpenFile) throws(LocalError) -> Void) throws(LocalError) {
        let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).tmp"
        guard let file = try open(temporary, .creating) else {
            throw .io(path: temporary, operation: "open", errno: SystemFailure.absent)
        }
        do {
            try write(file)
            try file.synchronise()
            try name(temporary, path)
        } catch {
            _ = try? remove(temporary)
            throw error
        }
        try remove(temporary)
        try synchroniseFolder(Self.parent(of: path))
    }

    /// Gives a file a name that nothing else has; where something has it, that stays.
    private func name(_ file: String, _ path: String) throws(LocalError) {
        do throws(SystemFailure) {
            return try calls.link(file, to: path)
        } catch {
            if error.code == SystemFailure.exists { return }
        }
        // No second names here, or none now: a lock has to keep the others off.
        let lock = FileLock(path: path + ".lock", patience: .seconds(5), system: self)
        try lock.take()
        defer { lock.release() }
        if try outline(of: path) == nil { try rename(file, to: path) }
    }
}
