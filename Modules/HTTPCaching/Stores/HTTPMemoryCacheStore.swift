import Threading

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A store in memory with a limit of bytes; the value that was used longest ago is evicted first.
///
/// Every operation but `removeAll` takes constant time, and can be called from any thread.
public final class HTTPMemoryCacheStore: HTTPCacheStore {
    fileprivate struct Entry {
        var key: String
        var value: Data
        var newer: Int
        var older: Int
    }

    fileprivate struct Contents {
        var places: [String: Int] = [:]
        var entries: [Entry] = []
        var free: [Int] = []
        var newest = -1
        var oldest = -1
        var byteCount = 0
    }

    /// The maximum number of bytes, keys included.
    public let byteLimit: Int
    private let state = Locked(Contents())

    /// Creates an empty store.
    /// - Parameter byteLimit: the maximum number of bytes, keys included; 32 MiB by default. A value may use a quarter
    ///   of it.
    public init(byteLimit: Int = 32 << 20) { self.byteLimit = max(0, byteLimit) }

    /// The number of values.
    public var count: Int { state.withLock { $0.places.count } }

    /// The bytes of all values and keys.
    public var byteCount: Int { state.withLock { $0.byteCount } }

    /// Returns the value for a key, and marks it as used.
    public func value(for key: String) -> Data? {
        state.withLock { state in
            guard let place = state.places[key] else { return nil }
            state.unlink(place)
            state.linkNewest(place)
            return state.entries[place].value
        }
    }

    /// Stores a value; others are evicted for it.
    /// - Throws: ``HTTPCacheStoreError/tooLarge(limit:)``; an older value of the key is removed then.
    public func set(_ value: Data, for key: String) throws {
        let size = value.count + key.utf8.count
        let released = try state.withLock { state -> [Data] in
            var released: [Data] = []
            if let place = state.places[key] { released.append(state.remove(place)) }
            guard size <= byteLimit / 4 else { throw HTTPCacheStoreError.tooLarge(limit: byteLimit / 4) }
            while state.byteCount + size > byteLimit, state.oldest >= 0 { released.append(state.remove(state.oldest)) }
            state.insert(key, value, size)
            return released
        }
        // The bytes are released outside the lock.
        withExtendedLifetime(released) {}
    }

    /// Removes a value.
    public func remove(_ key: String) {
        let released = state.withLock { state in state.places[key].map { state.remove($0) } }
        withExtendedLifetime(released) {}
    }

    /// Removes all values.
    public func removeAll() {
        let released = state.withLock { state in
            defer { state = Contents() }
            return state.entries
        }
        withExtendedLifetime(released) {}
    }

    /// Collects the pieces, up to a quarter of the limit.
    public func makeBody(for key: String) async throws -> any HTTPCacheBodyWriter {
        CollectingBodyWriter(limit: byteLimit / 4) { try self.set($0, for: key) }
    }
}

extension HTTPMemoryCacheStore.Contents {
    mutating func unlink(_ place: Int) {
        let (newer, older) = (entries[place].newer, entries[place].older)
        if newer >= 0 { entries[newer].older = older } else { newest = older }
        if older >= 0 { entries[older].newer = newer } else { oldest = newer }
    }

    mutating func linkNewest(_ place: Int) {
        entries[place].newer = -1
        entries[place].older = newest
        if newest >= 0 { entries[newest].newer = place } else { oldest = place }
        newest = place
    }

    mutating func remove(_ place: Int) -> Data {
        unlink(place)
        let entry = entries[place]
        places.removeValue(forKey: entry.key)
        byteCount -= entry.value.count + entry.key.utf8.count
        entries[place] = HTTPMemoryCacheStore.Entry(key: "", value: Data(), newer: -1, older: -1)
        free.append(place)
        return entry.value
    }

    mutating func insert(_ key: String, _ value: Data, _ size: Int) {
        let entry = HTTPMemoryCacheStore.Entry(key: key, value: value, newer: -1, older: -1)
        let place: Int
        if let reused = free.popLast() {
            place = reused
            entries[place] = entry
        } else {
            place = entries.count
            entries.append(entry)
        }
        places[key] = place
        linkNewest(place)
        byteCount += size
    }
}
