import SystemCalls

@testable import LocalProvider

extension SimulatedDisk.State {
    /// The folder that holds the last name of a path, and that name.
    func parent(of path: String) throws(SystemError) -> (folder: Int, name: String) {
        var names = path.split(separator: "/").map(String.init)
        guard let last = names.popLast() else { throw SystemError(code: EINVAL, call: "path") }
        var folder = 0
        for name in names {
            guard let next = folders[folder]?.entries[name] else {
                throw SystemError(code: ENOENT, call: "path")
            }
            guard folders[next] != nil else { throw SystemError(code: ENOTDIR, call: "path") }
            folder = next
        }
        return (folder, last)
    }

    /// The file or folder at a path.
    func number(of path: String) throws(SystemError) -> Int {
        if path == "/" { return 0 }
        let (folder, name) = try parent(of: path)
        guard let number = folders[folder]?.entries[name] else { throw SystemError(code: ENOENT, call: "path") }
        return number
    }

    /// The file or folder that a descriptor is of.
    func number(of descriptor: Int32) throws(SystemError) -> Int {
        guard let number = opened[descriptor] else { throw SystemError(code: EBADF, call: "descriptor") }
        return number
    }

    mutating func take() -> Int {
        defer { next += 1 }
        return next
    }

    mutating func open(_ path: String, _ mode: FileOpening) throws(SystemError) -> Int32 {
        let present: Int?
        do throws(SystemError) {
            present = try self.number(of: path)
        } catch {
            guard error.code == ENOENT, mode == .writing || mode == .creating else { throw error }
            present = nil
        }
        if mode == .creating, present != nil { throw SystemError(code: EEXIST, call: "open") }
        let number = if let present { present } else { try make(path) }
        if mode == .folder, folders[number] == nil { throw SystemError(code: ENOTDIR, call: "open") }
        let descriptor = Int32(take())
        opened[descriptor] = number
        return descriptor
    }

    /// Creates an empty file.
    private mutating func make(_ path: String) throws(SystemError) -> Int {
        let number = take()
        try name(number, path)
        files[number] = SimulatedDisk.File()
        return number
    }

    mutating func rename(_ path: String, to target: String) throws(SystemError) {
        let number = try number(of: path)
        let (from, to) = (try parent(of: path), try parent(of: target))
        // Two names of one file: nothing happens.
        guard folders[to.folder]?.entries[to.name] != number else { return }
        if from.folder == to.folder {
            folders[to.folder]?.change { ($0[to.name], $0[from.name]) = (number, nil) }
        } else {
            folders[to.folder]?.change { $0[to.name] = number }
            folders[from.folder]?.change { $0[from.name] = nil }
        }
    }

    /// Adds a name, which must not exist, to a file or folder.
    mutating func name(_ number: Int, _ path: String) throws(SystemError) {
        let (folder, name) = try parent(of: path)
        guard folders[folder]?.entries[name] == nil else { throw SystemError(code: EEXIST, call: "link") }
        folders[folder]?.change { $0[name] = number }
    }

    func status(of number: Int) -> POSIX.Status {
        let file = files[number]
        return POSIX.Status(
            device: 1,
            inode: UInt64(number),
            kind: file == nil ? .folder : .regular,
            size: file?.bytes.count ?? 0,
            modified: file?.modified ?? 0
        )
    }

    mutating func write(_ bytes: ArraySlice<UInt8>, to number: Int, at offset: Int) {
        guard var file = files.removeValue(forKey: number) else { return }
        let end = offset + bytes.count
        if file.bytes.count < end { file.bytes += [UInt8](repeating: 0, count: end - file.bytes.count) }
        file.bytes.replaceSubrange(offset..<end, with: bytes)
        time += 1
        file.modified = time
        files[number] = file
    }
}
