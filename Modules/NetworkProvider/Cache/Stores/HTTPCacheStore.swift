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
