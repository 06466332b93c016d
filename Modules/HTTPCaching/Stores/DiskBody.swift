import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Writes a value to a file beside its place and moves it there when it is whole.
///
/// It is not brought to the disk first: what a loss of power tears fails its checksum, and is fetched anew.
final class DiskBodyWriter: HTTPCacheBodyWriter {
    private struct State {
        var length = 0
        var checksum: UInt32 = 0
        var isDone = false
    }

    private let folder: CacheFolder
    private let key: String
    private let limit: Int
    private let file: CacheFileHandle
    private let state = Locked(State())

    init(_ folder: CacheFolder, key: String, limit: Int) throws(HTTPCacheStoreError) {
        self.folder = folder
        self.key = key
        self.limit = limit
        try folder.take(CacheFile.headSize(key: key))
        do {
            file = try folder.makePartial()
        } catch {
            folder.give(back: CacheFile.headSize(key: key))
            throw error
        }
    }

    deinit {
        let (length, isDone) = state.withLock { ($0.length, $0.isDone) }
        guard !isDone else { return }
        unlink(file.path)
        folder.give(back: length + CacheFile.headSize(key: key))
    }

    func write(_ piece: Data) async throws { try add(piece) }

    func commit() async throws { try finish() }

    /// Adds bytes.
    func add(_ piece: Data) throws(HTTPCacheStoreError) {
        let length = state.withLock { $0.length }
        guard length + piece.count <= limit else { throw .tooLarge(limit: limit) }
        try folder.take(piece.count)
        state.withLock { state in
            state.checksum = piece.checksum(after: state.checksum)
            state.length += piece.count
        }
        var failure: HTTPCacheStoreError?
        piece.withUnsafeBytes { bytes in
            do throws(HTTPCacheStoreError) {
                try file.put(bytes, at: CacheFile.headSize(key: key) + length)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Writes the head and moves the file to its place.
    func finish() throws(HTTPCacheStoreError) {
        let (length, checksum) = state.withLock { ($0.length, $0.checksum) }
        let head = CacheFile.head(key: key, length: length, checksum: checksum)
        var failure: HTTPCacheStoreError?
        head.withUnsafeBytes { bytes in
            do throws(HTTPCacheStoreError) { try file.put(bytes, at: 0) } catch { failure = error }
        }
        if let failure { throw failure }
        try folder.place(file.path, at: folder.path(of: key))
        state.withLock { $0.isDone = true }
    }
}

/// Reads a value from its file in pieces of 64 KiB.
///
/// The whole was compared with its checksum before the first piece is given; it is compared again while it is read, for
/// somebody might change the file meanwhile.
final class DiskBodyReader: HTTPCacheBodyReader {
    static let pieceSize = 65_536

    private let file: CacheFileHandle
    private let start: Int
    private let length: Int
    private let checksum: UInt32
    private let state = Locked((offset: 0, checksum: UInt32(0)))

    init(_ file: CacheFileHandle, start: Int, length: Int, checksum: UInt32) {
        self.file = file
        self.start = start
        self.length = length
        self.checksum = checksum
    }

    func next() async throws -> Data? {
        let (offset, before) = state.withLock { $0 }
        guard offset < length else { return nil }
        let count = min(DiskBodyReader.pieceSize, length - offset)
        let piece = try file.bytes(at: start + offset, count: count)
        guard piece.count == count else { throw HTTPCacheStoreError.damaged }
        let after = piece.checksum(after: before)
        if offset + count == length, after != checksum { throw HTTPCacheStoreError.damaged }
        state.withLock { $0 = (offset + count, after) }
        return piece
    }

    /// Whether the bytes are those that were written.
    func isWhole() async throws -> Bool {
        var sum: UInt32 = 0
        var offset = 0
        while offset < length {
            let count = min(DiskBodyReader.pieceSize, length - offset)
            let piece = try file.bytes(at: start + offset, count: count)
            guard piece.count == count else { return false }
            sum = piece.checksum(after: sum)
            offset += count
            // A long file is no reason to keep others from the thread.
            if offset % (16 * DiskBodyReader.pieceSize) == 0 { await Task.yield() }
        }
        return sum == checksum
    }
}
