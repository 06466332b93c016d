#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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
