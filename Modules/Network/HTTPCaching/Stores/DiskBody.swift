import EssentialFoundation
import SystemCalls
import Threading

/// Writes a value to a partial file and moves it to its path when it is complete.
///
/// The file is not synchronized to the disk: a value that is torn by a loss of power fails its checksum, and is requested
/// again.
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

    init(_ folder: CacheFolder, key: String, limit: Int) async throws {
        self.folder = folder
        self.key = key
        self.limit = limit
        try await folder.reserve(CacheFile.headSize(key: key))
        do {
            file = try await folder.blocking { try folder.makePartial() }
        } catch {
            folder.release(CacheFile.headSize(key: key))
            throw error
        }
    }

    deinit {
        let (length, isDone) = state.withLock { ($0.length, $0.isDone) }
        guard !isDone else { return }
        unlink(file.path)
        folder.release(length + CacheFile.headSize(key: key))
    }

    /// Appends bytes.
    func write(_ piece: Data) async throws {
        let length = state.withLock { $0.length }
        guard length + piece.count <= limit else { throw HTTPCacheStoreError.tooLarge(limit: limit) }
        try await folder.reserve(piece.count)
        state.withLock { state in
            state.checksum = piece.checksum(after: state.checksum)
            state.length += piece.count
        }
        try await folder.blocking { [self] in try write(piece, at: CacheFile.headSize(key: key) + length) }
    }

    /// Writes the head and moves the file to its path.
    func commit() async throws {
        let (length, checksum) = state.withLock { ($0.length, $0.checksum) }
        try await folder.blocking { [self] in
            try write(Data(CacheFile.head(key: key, length: length, checksum: checksum)), at: 0)
            try folder.install(file.path, at: folder.path(of: key))
        }
        state.withLock { $0.isDone = true }
    }

    private func write(_ bytes: Data, at offset: Int) throws(HTTPCacheStoreError) {
        let failure = bytes.withUnsafeBytes { buffer -> HTTPCacheStoreError? in
            do throws(HTTPCacheStoreError) {
                try file.write(buffer, at: offset)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}

/// Reads a value from its file in pieces of 64 KiB.
///
/// The whole value is compared with its checksum before the first piece is returned, and again while it is read, since
/// another process may change the file.
final class DiskBodyReader: HTTPCacheBodyReader {
    static let pieceSize = 65_536

    private let folder: CacheFolder
    private let file: CacheFileHandle
    private let start: Int
    private let length: Int
    private let checksum: UInt32
    private let state = Locked((offset: 0, checksum: UInt32(0)))

    init(_ folder: CacheFolder, _ file: CacheFileHandle, start: Int, length: Int, checksum: UInt32) {
        self.folder = folder
        self.file = file
        self.start = start
        self.length = length
        self.checksum = checksum
    }

    func next() async throws -> Data? {
        let (offset, before) = state.withLock { $0 }
        guard offset < length else { return nil }
        let count = min(DiskBodyReader.pieceSize, length - offset)
        let piece = try await folder.blocking { [file, start] in try file.bytes(at: start + offset, count: count) }
        guard piece.count == count else { throw HTTPCacheStoreError.damaged }
        let after = piece.checksum(after: before)
        if offset + count == length, after != checksum { throw HTTPCacheStoreError.damaged }
        state.withLock { $0 = (offset + count, after) }
        return piece
    }

    /// Returns whether the bytes are those that were written.
    func isWhole() async throws -> Bool { try await folder.blocking { [self] in try isWholeBlocking() } }

    private func isWholeBlocking() throws(HTTPCacheStoreError) -> Bool {
        var sum: UInt32 = 0
        var offset = 0
        while offset < length {
            let count = min(DiskBodyReader.pieceSize, length - offset)
            let piece = try file.bytes(at: start + offset, count: count)
            guard piece.count == count else { return false }
            sum = piece.checksum(after: sum)
            offset += count
        }
        return sum == checksum
    }
}
