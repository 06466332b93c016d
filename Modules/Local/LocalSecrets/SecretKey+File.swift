import LocalProvider
import SystemCalls

/// Key files: a mark of eight bytes, the key, and the identifier of the key, which shows whether the key is damaged. Files of
/// the first version have another mark and no identifier.
extension SecretKey {
    private static let mark = Array("PawKey2\n".utf8)
    private static let firstMark = Array("PawKey1\n".utf8)
    private static let tagStart = mark.count + byteCount

    /// Returns the key in a file; creates the file with a new key if it does not exist.
    ///
    /// The file is created with mode 0600 and appears complete or not at all; of several processes that create it at the same
    /// time, one does. Do not put it beside the sealed values: who copies the one then copies the other.
    ///
    /// - Parameter path: the path of the file. Its folder is created, for its owner alone, if it does not exist.
    /// - Returns: the key.
    /// - Throws: ``SecretError/keyExposed(path:detail:)`` if others may read it,
    ///   ``SecretError/keyInvalid(path:detail:)`` if it is damaged or not a key file, and ``SecretError/keyFile(_:)`` for
    ///   errors of the system.
    public static func file(_ path: String) throws(SecretError) -> SecretKey { try file(path, FileSystem()) }

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
        // Another process may have created it first.
        guard let key = try existing(path, system) else { throw .keyInvalid(path: path, detail: "it was removed") }
        return key
    }

    /// Reads a key file; returns `nil` if it does not exist.
    private static func existing(_ path: String, _ system: FileSystem) throws(SecretError) -> SecretKey? {
        let opened = try SecretError.wrapping { () throws(LocalError) in try system.open(path, .reading) }
        guard let file = opened else { return nil }
        let size = try checkedSize(file, path)
        let start = try bytes(of: file, mark.count, at: 0)
        guard start == mark || start == firstMark else {
            throw .keyInvalid(path: path, detail: "it does not begin like one")
        }
        let wanted = start == mark ? tagStart + tagCount : tagStart
        guard size == wanted else {
            throw .keyInvalid(path: path, detail: "it has \(size) bytes instead of \(wanted)")
        }
        let key = try SecretKey { memory throws(SecretError) in
            // Directly into the protected memory, without another copy.
            let buffer = UnsafeMutableRawBufferPointer(start: memory, count: byteCount)
            try fill(buffer, file, at: mark.count)
        }
        if start == mark {
            guard try bytes(of: file, tagCount, at: tagStart) == key.tag else {
                throw .keyInvalid(path: path, detail: "it has changed since it was created")
            }
        }
        return key
    }

    /// Returns the size of a file that belongs to the user and that no other user may access.
    private static func checkedSize(_ file: OpenFile, _ path: String) throws(SecretError) -> Int {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else {
            throw .keyFile(LocalError(SystemError(call: "fstat"), path: path))
        }
        guard status.st_uid == geteuid() else {
            throw .keyExposed(path: path, detail: "it belongs to the user with the ID \(status.st_uid)")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(Int(status.st_mode) & 0o777, radix: 8)
            throw .keyExposed(path: path, detail: "its mode is \(mode), so that other users may access it")
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
