import LocalProvider

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A key file: a mark of eight bytes, the key, and the key's identifier, by which a damaged key is told from another one.
/// The first kind of file, with another mark, ends behind the key.
extension SecretKey {
    private static let mark = Array("PawKey2\n".utf8)
    private static let firstMark = Array("PawKey1\n".utf8)
    private static let tagStart = mark.count + byteCount

    /// The key of a file; a new key, where there is no file yet.
    ///
    /// The file is made with mode 0600 and appears whole or not at all, for several processes at once, too. Keep it where
    /// the sealed values are not, or a copy of the one is a copy of the other.
    ///
    /// - Parameter path: the file's path; its folder is made, for its owner alone, where it is not there.
    /// - Returns: the key.
    /// - Throws: ``SecretError/keyExposed(path:detail:)`` where others may read it,
    ///   ``SecretError/keyInvalid(path:detail:)`` for a damaged key file and for anything else, and
    ///   ``SecretError/store(_:)`` for what the system does not allow.
    public static func file(_ path: String) throws(SecretError) -> SecretKey {
        try file(path, FileSystem())
    }

    static func file(_ path: String, _ system: FileSystem) throws(SecretError) -> SecretKey {
        if let key = try existing(path, system) { return key }
        let key = try random()
        try SecretError.wrapping { () throws(LocalError) in
            try system.makeFolders(FileSystem.parent(of: path))
            try system.create(path) { file throws(LocalError) in
                try file.write(mark, at: 0)
                try key.withBytes { bytes throws(LocalError) in
                    try file.write(UnsafeRawBufferPointer(start: bytes, count: byteCount), at: mark.count)
                }
                try file.write(key.tag, at: tagStart)
            }
        }
        // Another process may have been quicker: then its key is the one.
        guard let key = try existing(path, system) else { throw .keyInvalid(path: path, detail: "it was taken away") }
        return key
    }

    /// Reads a key file; `nil` where there is none.
    private static func existing(_ path: String, _ system: FileSystem) throws(SecretError) -> SecretKey? {
        let opened = try SecretError.wrapping { () throws(LocalError) in try system.open(path, .reading) }
        guard let file = opened else { return nil }
        let size = try checkedSize(file, path)
        let start = try bytes(of: file, mark.count, at: 0)
        guard start == mark || start == firstMark else {
            throw .keyInvalid(path: path, detail: "it does not begin as one")
        }
        let wanted = start == mark ? tagStart + tagCount : tagStart
        guard size == wanted else {
            throw .keyInvalid(path: path, detail: "it has \(size) bytes instead of \(wanted)")
        }
        let key = try SecretKey { memory throws(SecretError) in
            // Straight into the guarded memory: no other copy of it is made.
            let buffer = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
            try fill(buffer, file, at: mark.count)
        }
        if start == mark {
            guard try bytes(of: file, tagCount, at: tagStart) == key.tag else {
                throw .keyInvalid(path: path, detail: "it has changed since it was made")
            }
        }
        return key
    }

    /// The size of a file that belongs to the user and to nobody else.
    private static func checkedSize(_ file: OpenFile, _ path: String) throws(SecretError) -> Int {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else {
            throw .store(LocalError(SystemFailure(code: errno, operation: "fstat"), path: path))
        }
        guard status.st_uid == geteuid() else {
            throw .keyExposed(path: path, detail: "it belongs to the user with the number \(status.st_uid)")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(Int(status.st_mode) & 0o777, radix: 8)
            throw .keyExposed(path: path, detail: "its mode is \(mode), so that others than its owner may use it")
        }
        return Int(status.st_size)
    }

    private static func bytes(of file: OpenFile, _ count: Int, at offset: Int) throws(SecretError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(SecretError) in try fill(buffer, file, at: offset) }
        }.get()
        return bytes
    }

    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer,
        _ file: OpenFile,
        at offset: Int
    ) throws(SecretError) {
        let count = try SecretError.wrapping { () throws(LocalError) in try file.read(into: buffer, at: offset) }
        guard count == buffer.count else { throw .keyInvalid(path: file.path, detail: "it is too short") }
    }
}
