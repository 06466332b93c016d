import Foundation
import LoopbackServer
import NetworkTestSupport
import TestSupport
import Testing
import Threading
import TransportConformance

@testable import HTTPCaching
@testable import NetworkProvider

@Suite("Cache: bodies")
struct CacheBodyTests {
    /// The entries of a folder.
    private static func files(_ folder: TemporaryDirectory) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
    }

    private static func call(_ bench: CacheBench, _ path: String, policy: HTTPCachePolicy = .inherited) -> CachedCall {
        CachedCall(base: bench.server.baseURL, path: path, cachePolicy: policy)
    }

    @Test("request, stream and download store and use cached responses, in memory and on disk")
    func everyWay() async throws {
        for isOnDisk in [false, true] {
            let folder = try TemporaryDirectory()
            let store: any HTTPCacheStore =
                isOnDisk ? HTTPDiskCacheStore(path: folder.path + "/cache") : HTTPMemoryCacheStore()
            for length in [0, 1, 32_768, 32_769, 300_000] {
                let bench = try CacheBench(store: store) { _, _ in
                    ServedResponse(headers: [("Cache-Control", "max-age=60")], body: .repeated(7, count: length))
                }
                let body = Data(repeating: 7, count: length)
                let place = folder.file("download").path
                let ways: [@Sendable (String) async throws -> (Data, HTTPCacheStatus?)] = [
                    { path in
                        let response = try await bench.provider.response(Self.call(bench, path))
                        return (response.value, response.cacheStatus)
                    },
                    { path in
                        let response = try await bench.provider.stream(Self.call(bench, path))
                        var whole = Data()
                        for try await piece in response.body { whole += piece }
                        return (whole, response.head.cacheStatus)
                    },
                    { path in
                        let head = try await bench.provider.download(Self.call(bench, path), to: place)
                        return (try Data(contentsOf: URL(filePath: place)), head.cacheStatus)
                    },
                ]
                for (number, first) in ways.enumerated() {
                    let miss = try await first("/\(number)")
                    #expect(miss.0 == body && miss.1?.source == .miss)
                    for second in ways {
                        let hit = try await second("/\(number)")
                        #expect(hit.0 == body && hit.1?.source == .hit, "\(isOnDisk) \(length) \(number)")
                    }
                }
                #expect(bench.count == ways.count)
                #expect(bench.cache.statistics.storeFailures == 0)
            }
        }
    }

    @Test("A truncated, reset, oversized or released body is not stored, and leaves no file")
    func incomplete() async throws {
        let folder = try TemporaryDirectory()
        let store = HTTPDiskCacheStore(path: folder.path)
        let bench = try CacheBench(store: store) { request, _ in
            let body = ServedResponse.Body.repeated(1, count: 200_000)
            let fault: ServedResponse.Fault? =
                switch request.path {
                case "/cut": .truncated(after: 100_000)
                case "/reset": .reset(after: 100_000)
                case "/chunks": .brokenChunks
                case "/stalled": .stalled(after: 100_000)
                default: nil
                }
            return ServedResponse(headers: [("Cache-Control", "max-age=60")], body: body, fault: fault)
        }
        for path in ["/cut", "/reset", "/chunks"] {
            await #expect(throws: (any Error).self) { try await bench.get(path) }
        }
        // Read in part, then released; cancelled while it waits; over the target's limit.
        for try await _ in try await bench.provider.stream(Self.call(bench, "/part")).body { break }
        let stalled = try await bench.provider.stream(Self.call(bench, "/stalled"))
        let received = Locked(0)
        let waiting = Task { for try await piece in stalled.body { received.withLock { $0 += piece.count } } }
        try await eventually { received.withLock { $0 } == 100_000 }
        waiting.cancel()
        await #expect(throws: HTTPTransportError.self) { try await waiting.value }
        let small = Call<Data>(base: bench.server.baseURL, path: "/limit", maximumBodyBytes: 100_000)
        await #expect(throws: NetworkError.self) { try await bench.provider.request(small) }
        try await eventually { try Self.files(folder).isEmpty }
        #expect(bench.cache.statistics.stores == 0)
        for path in ["/part", "/limit"] { #expect(try await bench.get(path).source == .miss) }
    }

    @Test("A slow reader slows a stream down, while it is stored and when it comes from the cache")
    func backPressure() async throws {
        let folder = try TemporaryDirectory()
        let store = HTTPDiskCacheStore(path: folder.path, byteLimit: 1 << 30)
        let length = 4 << 20
        let bench = try CacheBench(store: store) { _, _ in
            ServedResponse(headers: [("Cache-Control", "max-age=60")], body: .repeated(3, count: length))
        }
        var count = 0
        var iterator = try await bench.provider.stream(Self.call(bench, "/")).body.makeAsyncIterator()
        while count < 1 << 20, let piece = try await iterator.next() { count += piece.count }
        // The reader stops: only the bytes that were read are written.
        #expect(store.byteCount >= count && store.byteCount <= count + 1_024)
        while let piece = try await iterator.next() { count += piece.count }
        #expect(count == length)
        let hit = try await bench.provider.stream(Self.call(bench, "/"))
        #expect(hit.head.cacheStatus?.source == .hit)
        var most = 0
        for try await piece in hit.body { most = max(most, piece.count) }
        #expect(most <= 65_536)
    }

    @Test("A compressed body is stored decompressed, and compressed for requests without decompression")
    func packed() async throws {
        let plain = Data("강아지 강아지 강아지".utf8)
        // gzip of nothing, with the plain text as one stored block.
        let bench = try CacheBench { request, _ in
            guard request.header("Accept-Encoding")?.contains("gzip") == true else {
                return .cached("plain", ("Cache-Control", "max-age=60"), ("Vary", "Accept-Encoding"))
            }
            let fields = [("Cache-Control", "max-age=60"), ("Vary", "Accept-Encoding"), ("Content-Encoding", "gzip")]
            return ServedResponse(headers: fields, body: .data(Gzip.stored(plain)))
        }
        for source in [HTTPCacheStatus.Source.miss, .hit] {
            let got = try await bench.get()
            #expect(got.source == source && got.text == "강아지 강아지 강아지")
        }
        let folder = try TemporaryDirectory()
        let place = folder.file("a").path
        // A resumable download asks for the bytes as they are.
        try await bench.provider.resumeDownload(Self.call(bench, "/"), to: place)
        #expect(try Data(contentsOf: URL(filePath: place)) == Data("plain".utf8))
        #expect(bench.count == 2)
    }

    @Test("The progress of a cached response is reported to its end")
    func progress() async throws {
        let folder = try TemporaryDirectory()
        let bench = try CacheBench(store: HTTPDiskCacheStore(path: folder.path)) { request, _ in
            let count = request.path == "/long" ? 100_000 : 10
            return ServedResponse(headers: [("Cache-Control", "max-age=60")], body: .repeated(1, count: count))
        }
        for (path, length) in [("/short", 10), ("/long", 100_000)] {
            try await bench.get(path)
            let log = EventLog()
            _ = try await bench.provider.response(Self.call(bench, path)) { log.add($0) }
            #expect(log.all.contains(.downloaded(Int64(length), of: Int64(length))))
            guard case .finished? = log.all.last else { throw UnexpectedResult() }
            let head = CachedCall(base: bench.server.baseURL, path: path, httpMethod: .head)
            let events = EventLog()
            #expect(try await bench.provider.response(head) { events.add($0) }.cacheStatus?.source == .hit)
            guard case .finished? = events.all.last else { throw UnexpectedResult() }
        }
    }

    /// A store in memory whose large values a test removes.
    private struct DictionaryStore: HTTPCacheStore {
        let values = Locked<[String: Data]>([:])

        func value(for key: String) -> Data? { values.withLock { $0[key] } }
        func set(_ value: Data, for key: String) { values.withLock { $0[key] = value } }
        func remove(_ key: String) { values.withLock { $0[key] = nil } }
        func removeAll() { values.withLock { $0 = [:] } }
    }

    @Test("A response whose body the store has lost is removed, also if no other response takes its place")
    func lostBody() async throws {
        let store = DictionaryStore()
        let isOut = Locked(false)
        let bench = try CacheBench(store: store) { _, _ in
            if isOut.withLock({ $0 }) { return .cached("later", ("Cache-Control", "no-store"), status: 503) }
            return .cached(String(repeating: "a", count: 200_000), ("Cache-Control", "max-age=60"))
        }
        #expect(try await bench.get().source == .miss)
        try await eventually { store.values.withLock { $0.count } == 2 }
        store.values.withLock { values in values = values.filter { $0.value.count < 100_000 } }
        isOut.withLock { $0 = true }
        #expect(try await bench.get().status == 503)
        #expect(store.values.withLock { $0.isEmpty })
    }
}
