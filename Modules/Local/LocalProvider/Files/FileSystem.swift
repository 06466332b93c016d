import SystemCalls

/// Operations on files over ``FileCalls``, with errors that name the path.
package struct FileSystem: Sendable {
    /// The system calls.
    let calls: any FileCalls

    package init(_ calls: any FileCalls = PosixFileCalls()) { self.calls = calls }

    /// Makes system calls whose errors name the path.
    func located<Result>(_ path: String, _ calls: () throws(SystemError) -> Result) throws(LocalError) -> Result {
        do throws(SystemError) { return try calls() } catch { throw LocalError(error, path: path) }
    }

    /// Makes a system call; returns `nil` if the file does not exist.
    func ifExists<Result>(_ path: String, _ call: () throws(SystemError) -> Result) throws(LocalError) -> Result? {
        try located(path) { () throws(SystemError) in
            do throws(SystemError) { return try call() } catch  where error.isAbsence { return nil }
        }
    }

    /// Opens a file; returns `nil` if it does not exist.
    package func open(_ path: String, _ mode: FileOpening) throws(LocalError) -> OpenFile? {
        let descriptor = try ifExists(path) { () throws(SystemError) in try calls.open(path, mode) }
        guard let descriptor else { return nil }
        let file = OpenFile(descriptor: descriptor, path: path, system: self)
        if mode != .folder {
            guard try file.status().kind == .regular else {
                throw .notPermitted(path: path, errno: SystemError.notPermitted)
            }
        }
        return file
    }

    /// Returns the identity and size of a file, or `nil` if it does not exist.
    func outline(of path: String) throws(LocalError) -> POSIX.Status? {
        try ifExists(path) { () throws(SystemError) in try calls.outline(of: path) }
    }

    /// Returns the status of a file, or `nil` if it does not exist.
    func status(of path: String) throws(LocalError) -> POSIX.Status? {
        try ifExists(path) { () throws(SystemError) in try calls.status(of: path) }
    }

    /// Returns the content of a file, or `nil` if it does not exist.
    func contents(of path: String) throws(LocalError) -> [UInt8]? { try open(path, .reading)?.contents() }

    /// Removes a file; returns false if it does not exist.
    @discardableResult
    func remove(_ path: String) throws(LocalError) -> Bool {
        try ifExists(path) { () throws(SystemError) in try calls.remove(path) } != nil
    }

    /// Returns the names in a folder; an empty array if it does not exist.
    func list(_ path: String) throws(LocalError) -> [String] {
        try ifExists(path) { () throws(SystemError) in try calls.list(path) } ?? []
    }

    /// Renames a file.
    func rename(_ path: String, to target: String) throws(LocalError) {
        try located(path) { () throws(SystemError) in try calls.rename(path, to: target) }
    }

    /// Makes the entries of a folder durable.
    package func synchroniseFolder(_ path: String) throws(LocalError) {
        guard let folder = try open(path, .folder) else {
            throw .io(path: path, operation: "open", errno: SystemError.absent)
        }
        try located(path) { () throws(SystemError) in try calls.synchroniseFolder(folder.descriptor) }
    }

    /// Creates a folder and its parents, accessible to their owner alone, and makes their entries durable.
    package func makeFolders(_ path: String) throws(LocalError) {
        try makeFoldersOnly(path)
        // All parents: the process that created the existing ones may have ended before it did so. Best effort, since the
        // folders above may not be readable.
        var path = path
        while path != "/", path != "." {
            path = Self.parent(of: path)
            try? synchroniseFolder(path)
        }
    }

    private func makeFoldersOnly(_ path: String) throws(LocalError) {
        let parent = Self.parent(of: path)
        if try ifExists(path, { () throws(SystemError) in try makeFolder(path) }) == nil {
            // The root and the working folder always exist.
            guard parent != path, parent != "." else {
                throw .io(path: path, operation: "mkdir", errno: SystemError.absent)
            }
            try makeFoldersOnly(parent)
            // Not repeated: in some folders, such as /proc, nothing can be created.
            try located(path) { () throws(SystemError) in try makeFolder(path) }
        }
    }

    /// Creates one folder; does nothing if it exists.
    private func makeFolder(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try calls.makeFolder(path)
        } catch {
            guard error.code == SystemError.exists else { throw error }
        }
    }

    /// Returns the path of the folder that contains `path`.
    package static func parent(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Returns the last component of a path.
    static func name(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(path[path.utf8.index(after: slash)...])
    }
}

extension FileSystem {
    /// Creates a hard link to a file, replacing the file at the target; makes a copy if links are not supported.
    ///
    /// - Parameters:
    ///   - path: the file; nothing happens if it does not exist.
    ///   - target: the path of the link.
    /// - Throws: ``LocalError``; `target` is then unchanged.
    func duplicate(_ path: String, as target: String) throws(LocalError) {
        let name = target + ".tmp"
        // Renaming between two names of one file does nothing: the temporary name is removed before and after.
        try remove(name)
        let isLinked: Void? = try? located(path) { () throws(SystemError) in try calls.link(path, to: name) }
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

    /// Makes a durable copy of a file; returns false if it does not exist.
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
    /// Creates a file with mode 0600 that appears complete or not at all; does nothing if it exists. Of several processes
    /// that do so at the same time, one creates it.
    ///
    /// - Parameters:
    ///   - path: the path of the file, in an existing folder.
    ///   - write: writes its content.
    /// - Throws: the errors of `write`, and ``LocalError``.
    package func create(_ path: String, _ write: (OpenFile) throws(LocalError) -> Void) throws(LocalError) {
        let temporary = "\(path).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).tmp"
        guard let file = try open(temporary, .creating) else {
            throw .io(path: temporary, operation: "open", errno: SystemError.absent)
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

    /// Links a file to a path; does nothing if a file exists there.
    private func name(_ file: String, _ path: String) throws(LocalError) {
        do throws(SystemError) {
            return try calls.link(file, to: path)
        } catch {
            if error.code == SystemError.exists { return }
            guard [EPERM, ENOTSUP, ENOSYS, EMLINK].contains(error.code) else {
                throw LocalError(error, path: path)
            }
        }
        // Links are not supported here: a lock excludes the other processes.
        let lock = FileLock(path: path + ".lock", timeLimit: .seconds(5), system: self)
        try lock.acquire()
        defer { lock.release() }
        if try outline(of: path) == nil { try rename(file, to: path) }
    }
}
