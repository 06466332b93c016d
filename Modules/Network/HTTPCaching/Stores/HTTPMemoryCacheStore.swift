public import EssentialFoundation
import Threading

/// A store in memory with a limit of bytes; the value that was used longest ago is evicted first.
///
/// Every operation but `removeAll` takes constant time, and can be called from any thread.
public final class HTTPMemoryCacheStore: HTTPCacheStore {
    private struct Contents {
        var values: [String: (value: Data, lastUse: UInt64)] = [:]
        /// The keys in the order of their uses; a use is obsolete after the next one of its key.
        var uses: [(key: String, number: UInt64)] = []
        var firstUse = 0
        var useCount: UInt64 = 0
        var byteCount = 0

        mutating func noteUse(of key: String) {
            // Each further removal of the obsolete ones comes after as many uses: the cost for each remains constant.
            if uses.count > 2 * values.count + 64 {
                uses = uses[firstUse...].filter { values[$0.key]?.lastUse == $0.number }
                firstUse = 0
            }
            useCount += 1
            values[key]?.lastUse = useCount
            uses.append((key, useCount))
        }

        mutating func remove(_ key: String) -> Data? {
            guard let value = values.removeValue(forKey: key)?.value else { return nil }
            byteCount -= value.count + key.utf8.count
            return value
        }

        /// Removes the value that was used longest ago.
        mutating func removeOldest() -> Data? {
            while firstUse < uses.count {
                let (key, number) = uses[firstUse]
                firstUse += 1
                if values[key]?.lastUse == number { return remove(key) }
            }
            return nil
        }
    }

    /// The maximum number of bytes, keys included.
    public let byteLimit: Int
    private let state = Locked(Contents())

    /// Creates an empty store.
    /// - Parameter byteLimit: the maximum number of bytes, keys included; 32 MiB by default. A value may use a quarter
    ///   of it.
    public init(byteLimit: Int = 32 << 20) { self.byteLimit = max(0, byteLimit) }

    /// The number of values.
    public var count: Int { state.withLock { $0.values.count } }

    /// The bytes of all values and keys.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// Returns the value for a key, and marks it as used.
    public func value(for key: String) -> Data? {
        state.withLock { state in
            guard let value = state.values[key]?.value else { return nil }
            state.noteUse(of: key)
            return value
        }
    }

    /// Stores a value; others are evicted for it.
    /// - Throws: ``HTTPCacheStoreError/tooLarge(limit:)``; an older value of the key is removed then.
    public func set(_ value: Data, for key: String) throws {
        let size = value.count + key.utf8.count
        // The bytes are released outside the lock, also if an error is thrown.
        var released: [Data] = []
        try state.withLock { state in
            if let old = state.remove(key) { released.append(old) }
            guard size <= byteLimit / 4 else { throw HTTPCacheStoreError.tooLarge(limit: byteLimit / 4) }
            while state.byteCount + size > byteLimit, let oldest = state.removeOldest() { released.append(oldest) }
            state.values[key] = (value, 0)
            state.byteCount += size
            state.noteUse(of: key)
        }
        withExtendedLifetime(released) {}
    }

    /// Removes a value.
    public func remove(_ key: String) {
        let released = state.withLock { $0.remove(key) }
        withExtendedLifetime(released) {}
    }

    /// Removes all values.
    public func removeAll() {
        let released = state.withLock { state in
            defer { state = Contents() }
            return state
        }
        withExtendedLifetime(released) {}
    }

    /// Collects the pieces, up to a quarter of the limit.
    public func makeBody(for key: String) async throws -> any HTTPCacheBodyWriter {
        CollectingBodyWriter(limit: byteLimit / 4) { try self.set($0, for: key) }
    }
}
