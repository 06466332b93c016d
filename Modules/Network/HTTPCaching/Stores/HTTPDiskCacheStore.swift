public import EssentialFoundation

/// A store in a folder, with a file for each value, that several processes may share.
///
/// Each file contains a checksum and its key: a file that is torn, changed, renamed or of another user counts as absent.
/// Files appear complete, by a rename, and are readable by their owner only. They are not synchronized to the disk, since a
/// lost response is requested again; removals are, since an invalid response must not reappear. Large bodies are written
/// and read in pieces.
///
/// The files together stay within the limit; the values that were used longest ago are evicted first. Each process scans
/// the folder after every sixteenth of the limit that it has written, so that several processes may exceed the limit by as
/// much for a moment. Other files in the folder are not changed.
///
/// A process does not know which requests another one has sent: a response that one process is receiving while another
/// invalidates its URL, for instance by a PUT, is stored when it is complete, and returned while it is fresh.
public final class HTTPDiskCacheStore: HTTPCacheStore {
    /// The folder's path.
    public let path: String
    private let folder: CacheFolder
    private let valueLimit: Int

    /// Creates a store; nothing is written before the first value is stored.
    /// - Parameters:
    ///   - path: the folder; it is created for its owner only if it does not exist. On Linux, best use a folder of the
    ///     program under `$XDG_CACHE_HOME`, or under `~/.cache`.
    ///   - byteLimit: the maximum size of all files, in bytes; 256 MiB by default. A value may use a quarter of it.
    public init(path: String, byteLimit: Int = 256 << 20) {
        self.path = path
        folder = CacheFolder(path, byteLimit: byteLimit)
        valueLimit = max(0, byteLimit) / 4
    }

    /// The bytes of all files, by a scan of the folder.
    public var byteCount: Int { folder.byteCount }

    /// Returns the value for a key; nil if there is no valid one.
    /// - Throws: ``HTTPCacheStoreError`` if the folder or the file cannot be read.
    public func value(for key: String) async throws -> Data? {
        guard let entry = try await opened(key) else { return nil }
        let data = try await folder.blocking {
            try entry.file.bytes(at: CacheFile.headSize(key: key), count: entry.length)
        }
        guard data.count == entry.length, data.checksum() == entry.checksum else {
            try await folder.remove(entry.file.path)
            return nil
        }
        return data
    }

    /// Stores a value.
    /// - Throws: ``HTTPCacheStoreError``; an older value of the key remains then.
    public func set(_ value: Data, for key: String) async throws {
        let writer = try await DiskBodyWriter(folder, key: key, limit: valueLimit)
        try await writer.write(value)
        try await writer.commit()
    }

    /// Removes a value durably: it does not reappear after a loss of power.
    public func remove(_ key: String) async throws { try await folder.remove(folder.path(of: key)) }

    /// Removes all values.
    public func removeAll() async throws { try await folder.removeAll() }

    /// Returns the value for a key in pieces, after comparing the whole with its checksum.
    public func body(for key: String) async throws -> (any HTTPCacheBodyReader)? {
        guard let entry = try await opened(key) else { return nil }
        let reader = DiskBodyReader(
            folder,
            entry.file,
            start: CacheFile.headSize(key: key),
            length: entry.length,
            checksum: entry.checksum
        )
        guard try await reader.isWhole() else {
            try await folder.remove(entry.file.path)
            return nil
        }
        return reader
    }

    /// Begins a value in a partial file.
    public func makeBody(for key: String) async throws -> any HTTPCacheBodyWriter {
        try await DiskBodyWriter(folder, key: key, limit: valueLimit)
    }

    /// Opens the file of a key and marks it as used; removes a file with an invalid head.
    private func opened(_ key: String) async throws -> (file: CacheFileHandle, length: Int, checksum: UInt32)? {
        let path = folder.path(of: key)
        let found = try await folder.blocking { () -> (file: CacheFileHandle, size: Int, head: [UInt8])? in
            guard let (file, size) = try CacheFileHandle.reading(path) else { return nil }
            file.touch()
            return (file, size, Array(try file.bytes(at: 0, count: CacheFile.headSize(key: key))))
        }
        guard let (file, size, head) = found else { return nil }
        guard let (length, checksum) = CacheFile.value(in: head, key: key, fileSize: size), length <= valueLimit else {
            try await folder.remove(path)
            return nil
        }
        return (file, length, checksum)
    }
}
