public import EssentialFoundation
import NetworkProvider
import SystemCalls
import Threading

/// Stores the bytes of an ``HTTPCache``: values by key.
///
/// A store may lose any value at any time, and must return a value complete or not at all. Keys are short strings of
/// digits, small letters and `-`, and contain no secret; values contain responses, which other users should not read.
/// An error of a store counts as a miss, and never fails a request.
///
/// ``HTTPMemoryCacheStore`` and ``HTTPDiskCacheStore`` are included. Any other store of bytes by key needs a few
/// lines, for example a custom cache in memory:
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
/// A store that can stream also implements ``body(for:)`` and ``makeBody(for:)``; by default large bodies pass through
/// memory.
public protocol HTTPCacheStore: Sendable {
    /// Returns the value for a key; nil if the key has no value.
    func value(for key: String) async throws -> Data?

    /// Stores a value, in place of an older one.
    func set(_ value: Data, for key: String) async throws

    /// Removes a value durably; does nothing for a missing key.
    func remove(_ key: String) async throws

    /// Removes all values.
    func removeAll() async throws

    /// Returns the value for a key in pieces; nil if the key has no value.
    func body(for key: String) async throws -> (any HTTPCacheBodyReader)?

    /// Begins a value that is written in pieces, and can be read after its commit.
    func makeBody(for key: String) async throws -> any HTTPCacheBodyWriter
}

extension HTTPCacheStore {
    /// Returns the whole value as one piece.
    public func body(for key: String) async throws -> (any HTTPCacheBodyReader)? {
        try await value(for: key).map { WholeBodyReader($0) }
    }

    /// Collects the pieces in memory, up to 16 MiB, and stores them as one value.
    public func makeBody(for key: String) async throws -> any HTTPCacheBodyWriter {
        CollectingBodyWriter(limit: 16 << 20) { try await set($0, for: key) }
    }
}

/// Reads a stored value in pieces, for one reader. The value remains readable when the store removes it.
public protocol HTTPCacheBodyReader: Sendable {
    /// Returns the next piece, never empty; nil at the end.
    /// - Throws: an error if the bytes are not those that were written.
    func next() async throws -> Data?
}

/// Writes a value in pieces. A writer that is released without ``commit()`` removes its bytes.
public protocol HTTPCacheBodyWriter: Sendable {
    /// Appends a piece.
    func write(_ piece: Data) async throws

    /// Makes the complete value readable under its key, in place of an older one.
    func commit() async throws
}

/// Why a store could not store or return a value. A cache counts these errors and continues without the value.
public enum HTTPCacheStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The value is larger than the store's limit, in bytes.
    case tooLarge(limit: Int)
    /// A system call on a file or a folder failed, with the system's error number.
    case file(path: String, code: Int32)
    /// The bytes are not those that were written; the value was removed.
    case damaged

    /// The failure, and what to do.
    public var description: String {
        switch self {
        case .tooLarge(let limit): "the value is larger than \(limit) bytes; raise the store's limit"
        case .file(let path, let code):
            "\(path) cannot be used: \(SystemError.text(code)); check its permissions and the free space of the disk"
        case .damaged: "the stored bytes are damaged; the next request fetches them again"
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

/// Collects a value in memory.
final class CollectingBodyWriter: HTTPCacheBodyWriter {
    private let gathered = Locked(Data())
    private let limit: Int
    private let finish: @Sendable (Data) async throws -> Void

    /// - Parameters:
    ///   - limit: the maximum number of bytes.
    ///   - finish: receives the whole value.
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
