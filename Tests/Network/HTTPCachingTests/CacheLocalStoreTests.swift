import Foundation
import HTTPCaching
import LocalProvider
import LoopbackServer
import NetworkProvider
import TestSupport
import Testing

/// A custom cache in memory as a store.
struct SharedMemoryStore: HTTPCacheStore {
    let cache: MemoryCache<String, Data>

    func value(for key: String) -> Data? { cache.value(for: key) }
    func set(_ value: Data, for key: String) { cache.set(value, for: key, cost: value.count) }
    func remove(_ key: String) { cache.removeValue(for: key) }
    func removeAll() { cache.removeAll() }
}

/// Any store of a `LocalProvider` as a store.
struct LocalCacheStore: HTTPCacheStore {
    let local: LocalProvider
    let kind: LocalStoreKind

    func value(for key: String) throws -> Data? {
        let key = LocalKey(key, of: Data.self, in: kind)
        return try local.contains(key) ? try local.read(key) : nil
    }

    func set(_ value: Data, for key: String) throws { try local.set(LocalKey(key, of: Data.self, in: kind), to: value) }
    func remove(_ key: String) throws {
        let key = LocalKey(key, of: Data.self, in: kind)
        if try local.contains(key) { try local.delete(key) }
    }
    func removeAll() throws { try local.removeAll(in: kind) }
}

@Suite("Cache: stores of other modules")
struct CacheLocalStoreTests {
    @Test(
        "A cache stores short and long responses in any of LocalProvider's stores",
        arguments: LocalStoreKind.standard
    )
    func joins(kind: LocalStoreKind) async throws {
        let folder = try TemporaryDirectory()
        let local = LocalProvider(location: FileStoreLocation(directory: folder.path))
        try await check(LocalCacheStore(local: local, kind: kind))
        withExtendedLifetime(folder) {}
    }

    @Test("A cache stores short and long responses in a MemoryCache")
    func joinsMemory() async throws {
        let memory = MemoryCache<String, Data>(.init(costLimit: 1 << 20))
        try await check(SharedMemoryStore(cache: memory))
        #expect(memory.count == 3)
    }

    private func check(_ store: some HTTPCacheStore) async throws {
        let bench = try CacheBench(store: store) { request, _ in
            let text = String(repeating: request.path, count: request.path == "/long" ? 20_000 : 1)
            return .cached(text, ("Cache-Control", "max-age=60"), ("ETag", "\"1\""))
        }
        for path in ["/short", "/long"] {
            let first = try await bench.get(path)
            let second = try await bench.get(path)
            #expect(first.source == .miss && second.source == .hit)
            #expect(first.text == second.text)
        }
        #expect(bench.cache.statistics.storeFailures == 0)
        try await bench.get("/long", method: .delete)
        #expect(try await bench.get("/long").source == .miss)
        #expect(try await bench.get("/short").source == .hit)
        try await bench.cache.removeAll()
        #expect(try await bench.get("/short").source == .miss)
        try await bench.get("/long")
        #expect(bench.cache.statistics.lastFailure == nil)
    }
}
