import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
