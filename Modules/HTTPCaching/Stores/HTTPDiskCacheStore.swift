#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A store in a folder, a file for each value, which several processes may share.
///
/// Each file carries a checksum and its key: one that is torn, changed, renamed or somebody else's counts as absent.
/// Files appear whole, by a rename, readable by their owner alone. They are not forced to the disk, since a lost answer
/// is fetched again; a removal is, since an answer that has become wrong must not come back. Large bodies are written
/// and read in pieces.
///
/// The files together stay within the limit, those used longest ago leaving first. Several processes look at the folder
/// each for itself, after every sixteenth of the limit that they have written: together they may exceed it by as much
/// for a moment. What else lies in the folder is left alone.
public final class HTTPDiskCacheStore: HTTPCacheStore {
    /// The folder's path.
    public let path: String
    private let folder: CacheFolder
    private let valueLimit: Int

    /// Creates a store; nothing is written before something is kept.
    /// - Parameters:
    ///   - path: the folder, made for its owner alone where it is not there; on Linux best one of the program's own
    ///     under `$XDG_CACHE_HOME`, else under `~/.cache`.
    ///   - byteLimit: the greatest number of bytes of all files; 256 MiB unless told otherwise. A single value may take
    ///     a quarter of it.
    public init(path: String, byteLimit: Int = 256 << 20) {
        self.path = path
        folder = CacheFolder(path, byteLimit: byteLimit)
        valueLimit = max(0, byteLimit) / 4
    }

    /// The bytes of all files, looked up now.
    public var byteCount: Int { folder.byteCount }

    /// The value for a key; nil where there is none, or none that is whole.
    /// - Throws: ``HTTPCacheStoreError`` where the folder or the file cannot be read.
    public func value(for key: String) throws -> Data? {
        guard let found = try opened(key) else { return nil }
        let data = try found.file.bytes(at: CacheFile.headSize(key: key), count: found.length)
        guard data.count == found.length, data.checksum() == found.checksum else {
            try folder.remove(found.file.path)
            return nil
        }
        return data
    }

    /// Keeps a value.
    /// - Throws: ``HTTPCacheStoreError``; an older value of the key stays then.
    public func set(_ value: Data, for key: String) throws {
        let writer = try DiskBodyWriter(folder, key: key, limit: valueLimit)
        try writer.add(value)
        try writer.finish()
    }

    /// Lets a value go, so that not even a loss of power brings it back.
    public func remove(_ key: String) throws { try folder.remove(folder.path(of: key)) }

    /// Lets all values go.
    public func removeAll() throws { try folder.removeAll() }

    /// The value for a key, in pieces; compared with its checksum as a whole first.
    public func body(for key: String) async throws -> (any HTTPCacheBodyReader)? {
        guard let found = try opened(key) else { return nil }
        let reader = DiskBodyReader(
            found.file,
            start: CacheFile.headSize(key: key),
            length: found.length,
            checksum: found.checksum
        )
        guard try await reader.isWhole() else {
            try folder.remove(found.file.path)
            return nil
        }
        return reader
    }

    /// Begins a value in a file beside its place.
    public func makeBody(for key: String) async throws -> any HTTPCacheBodyWriter {
        try DiskBodyWriter(folder, key: key, limit: valueLimit)
    }

    /// The file of a key, where its head is right, marked as used.
    private func opened(_ key: String) throws -> (file: CacheFileHandle, length: Int, checksum: UInt32)? {
        let path = folder.path(of: key)
        guard let (file, status) = try CacheFileHandle.reading(path) else { return nil }
        let head = Array(try file.bytes(at: 0, count: CacheFile.headSize(key: key)))
        guard let (length, checksum) = CacheFile.value(in: head, key: key, fileSize: Int(status.st_size)),
            length <= valueLimit
        else {
            try folder.remove(path)
            return nil
        }
        file.touch()
        return (file, length, checksum)
    }
}
