import Locking
import NetworkProvider

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where an ``HTTPCache`` keeps its bytes: values by key, and nothing else.
///
/// A store may lose any value at any time, and must give a value whole, as it was set, or not at all. Keys are short
/// texts of digits, small letters and `-`, and hold no secret; values hold answers and deserve to be kept from others.
/// What a store throws counts as a miss, and never fails a request.
///
/// ``HTTPMemoryCacheStore`` and ``HTTPDiskCacheStore`` are ready to use. Any other store that keeps bytes by key can be
/// met by a few lines, such as a cache in memory of one's own:
///
/// ```swift
/// struct SharedMemoryStore: HTTPCacheStore {
///     let cache: MemoryCache<String, Data>
///
///     func value(for key: String) -> Data? { cache.value(for: key) }
///     func set(_ value: Data, for key: String) { cache.set(value, for: key, cost: value.count) }
///     func remove(_ key: String) { cache.removeValue(for: key) }
///     func removeAll() { cache.removeAll() }
/// }
/// ```
///
/// A store that can stream also has ``body(for:)`` and ``makeBody(for:)``; by default large bodies go through memory.
public protocol HTTPCacheStore: Sendable {
    /// The value for a key; nil where there is none.
    func value(for key: String) async throws -> Data?

    /// Keeps a value, in the place of an older one.
    func set(_ value: Data, for key: String) async throws

    /// Lets a value go, so that it never comes back; nothing where there is none.
    func remove(_ key: String) async throws

    /// Lets all values go.
    func removeAll() async throws

    /// The value for a key, piece by piece; nil where there is none.
    func body(for key: String) async throws -> (any HTTPCacheBodyReader)?

    /// Begins a value that is written piece by piece, and is there once it is committed.
    func makeBody(for key: String) async throws -> any HTTPCacheBodyWriter
}

extension HTTPCacheStore {
    /// The whole value as one piece.
    public func body(for key: String) async throws -> (any HTTPCacheBodyReader)? {
        try await value(for: key).map { WholeBodyReader($0) }
    }

    /// Gathers the pieces in memory, up to 16 MiB, and sets them as one value.
    public func makeBody(for key: String) async throws -> any HTTPCacheBodyWriter {
        GatheringBodyWriter(limit: 16 << 20) { try await set($0, for: key) }
    }
}

/// Reads a stored value piece by piece. One reader at a time; the value stays readable when the store lets go of it.
public protocol HTTPCacheBodyReader: Sendable {
    /// The next piece, never empty; nil at the end.
    /// - Throws: where the bytes are not those that were written.
    func next() async throws -> Data?
}

/// Writes a value piece by piece. One that is let go of without ``commit()`` leaves nothing behind.
public protocol HTTPCacheBodyWriter: Sendable {
    /// Adds a piece.
    func write(_ piece: Data) async throws

    /// Makes the value readable under its key, whole, in the place of an older one.
    func commit() async throws
}

/// Why a store could not keep or give a value. A cache counts these and goes on without it.
public enum HTTPCacheStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The value is longer than the store takes, in bytes.
    case tooLarge(limit: Int)
    /// A call on a file or folder failed, with the system's error number.
    case file(path: String, code: Int32)
    /// The bytes are not those that were written; what gave them is gone.
    case damaged

    /// What failed, and what to do.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "the value is longer than \(limit) bytes; raise the store's limit"
        case .file(let path, let code):
            "\(path) cannot be used: \(SystemText.of(code)); look at its permissions and the room on the disk"
        case .damaged: "the stored bytes are damaged; they are fetched anew next time"
        }
    }
}

/// A value in memory as one piece.
final class WholeBodyReader: HTTPCacheBodyReader {
    private let rest: Locked<Data>

    init(_ data: Data) { rest = Locked(data) }

    func next() async throws -> Data? {
        rest.withLock { rest in
            defer { rest = Data() }
            return rest.isEmpty ? nil : rest
        }
    }
}

/// Gathers a value in memory and hands it over whole.
final class GatheringBodyWriter: HTTPCacheBodyWriter {
    private let gathered = Locked(Data())
    private let limit: Int
    private let finish: @Sendable (Data) async throws -> Void

    /// - Parameters:
    ///   - limit: the greatest number of bytes.
    ///   - finish: takes the whole value.
    init(limit: Int, finish: @escaping @Sendable (Data) async throws -> Void) {
        self.limit = limit
        self.finish = finish
    }

    func write(_ piece: Data) async throws {
        let limit = limit
        try gathered.withLock { data in
            guard data.count + piece.count <= limit else { throw HTTPCacheStoreError.tooLarge(limit: limit) }
            data.append(piece)
        }
    }

    func commit() async throws { try await finish(gathered.withLock { $0 }) }
}
