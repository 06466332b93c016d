import Foundation
import LoopbackServer
import SystemCalls
import TestSupport
import Testing
import Threading

@testable import HTTPCaching
@testable import NetworkProvider

@Suite("Cache: the store on disk")
struct CacheDiskTests {
    @Test("A disk that does not respond stops no other task", .timeLimit(.minutes(1)))
    func stalledDisk() async throws {
        let (gate, entered) = (DispatchSemaphore(value: 0), Locked(0))
        let folder = CacheFolder("/nowhere", byteLimit: 1)
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        let tasks = (0..<count).map { _ in
            Task {
                try await folder.blocking {
                    entered.withLock { $0 += 1 }
                    // With the limit, a call on a thread for tasks fails the test instead of stopping it.
                    _ = gate.wait(timeout: .now() + 60)
                }
            }
        }
        try await eventually(within: .seconds(30)) { entered.withLock { $0 } == count }
        for _ in tasks { gate.signal() }
        for task in tasks { try await task.value }
    }

    private static func file(_ folder: TemporaryDirectory) throws -> String {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return folder.path + "/" + (try #require(names.first { $0.hasSuffix(".entry") }))
    }

    @Test("Values are read unchanged, by another store, too, from files for their owner only")
    func diskKeeps() async throws {
        let folder = try TemporaryDirectory()
        let path = folder.path + "/a/b"
        let keys = ["k", "record-1", "../../x", "강아지", String(repeating: "x", count: 500), "", "UPPER", "upper"]
        for (number, key) in keys.enumerated() {
            try await HTTPDiskCacheStore(path: path).set(Data("\(number)".utf8), for: key)
        }
        let store = HTTPDiskCacheStore(path: path)
        for (number, key) in keys.enumerated() { #expect(try await store.value(for: key) == Data("\(number)".utf8)) }
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            var status = stat()
            #expect(stat(path + "/" + name, &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600)
        }
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o700)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["a"])
        try await store.remove("k")
        try await store.remove("never")
        #expect(try await store.value(for: "k") == nil)
        try await store.removeAll()
        #expect(store.byteCount == 0)
        try await store.set(Data(), for: "empty")
        #expect(try await store.value(for: "empty") == Data())
    }

    @Test("Every truncation and every flipped bit of a file is a miss, for the whole value and for its pieces")
    func diskDamage() async throws {
        let folder = try TemporaryDirectory()
        let store = HTTPDiskCacheStore(path: folder.path)
        try await store.set(Data("woof".utf8), for: "dog")
        let file = try Self.file(folder)
        let whole = try Data(contentsOf: URL(filePath: file))
        var damaged: [Data] = (0..<whole.count).map { whole.prefix($0) } + [whole + [0]]
        for bit in 0..<whole.count * 8 {
            var flipped = whole
            flipped[bit / 8] ^= 1 << UInt8(bit % 8)
            damaged.append(flipped)
        }
        for (number, bytes) in damaged.enumerated() {
            try bytes.write(to: URL(filePath: file))
            if number % 2 == 0 {
                #expect(try await store.value(for: "dog") == nil)
            } else {
                #expect(try await store.body(for: "dog") == nil)
            }
            #expect(!FileManager.default.fileExists(atPath: file))
        }
        // Another's name is no way to be read.
        try whole.write(to: URL(filePath: folder.path + "/cat.entry"))
        #expect(try await store.value(for: "cat") == nil)
        try whole.write(to: URL(filePath: file))
        #expect(try await store.value(for: "dog") == Data("woof".utf8))
    }

    @Test("After any truncation or flipped bit of its file, a response is correct or a miss")
    func exchangeDamage() async throws {
        let folder = try TemporaryDirectory()
        let bench = try CacheBench(store: HTTPDiskCacheStore(path: folder.path)) { _, _ in
            .cached("right", ("Cache-Control", "max-age=60"))
        }
        try await bench.get()
        let file = try Self.file(folder)
        let whole = try Data(contentsOf: URL(filePath: file))
        for place in stride(from: 0, to: whole.count, by: isLongRun ? 1 : 7) {
            var flipped = whole
            flipped[place] ^= 1 << UInt8(place % 8)
            for bytes in [flipped, whole.prefix(place)] {
                try Data(bytes).write(to: URL(filePath: file))
                let got = try await bench.get()
                #expect(got.text == "right" && got.source == .miss)
            }
        }
        #expect(try await bench.get().source == .hit)
    }

    @Test("A long body that is damaged on disk is requested again; one damaged while it is read fails")
    func longBodyDamage() async throws {
        let folder = try TemporaryDirectory()
        let bench = try CacheBench(store: HTTPDiskCacheStore(path: folder.path)) { _, _ in
            ServedResponse(headers: [("Cache-Control", "max-age=60")], body: .repeated(65, count: 300_000))
        }
        try await bench.get()
        func body() throws -> URL {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            return folder.file(try #require(names.first { $0.hasPrefix("body-") && $0.hasSuffix(".entry") }))
        }
        func change(at offset: UInt64) throws {
            let handle = try FileHandle(forWritingTo: try body())
            try handle.seek(toOffset: offset)
            try handle.write(contentsOf: Data([66]))
            try handle.close()
        }
        #expect(try await bench.get().source == .hit)
        try change(at: 250_000)
        #expect(try await bench.get().source == .miss)
        #expect(try await bench.get().source == .hit)
        try FileManager.default.removeItem(at: try body())
        #expect(try await bench.get().source == .miss)
        // Behind the reader's back.
        let target = CachedCall(base: bench.server.baseURL)
        for isCut in [false, true] {
            let response = try await bench.provider.stream(target)
            #expect(response.head.cacheStatus?.source == .hit)
            var iterator = response.body.makeAsyncIterator()
            _ = try await iterator.next()
            if isCut { #expect(truncate(try body().path, 100_000) == 0) } else { try change(at: 290_000) }
            let error = await #expect(throws: HTTPTransportError.self) {
                while try await iterator.next() != nil {}
            }
            #expect(error?.code == .bodyTruncated)
            #expect(try await bench.get().source == .miss)
        }
        #expect(bench.cache.statistics.storeFailures == 2)
        try await bench.get(method: .post)
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.hasPrefix("body-") })
    }

    @Test("Links, FIFOs, folders, unreadable files and other users' files in the folder are harmless")
    func diskObstacles() async throws {
        let folder = try TemporaryDirectory()
        let cache = folder.path + "/cache"
        let store = HTTPDiskCacheStore(path: cache, byteLimit: 10_000)
        try await store.set(Data("1".utf8), for: "link")
        let secret = try folder.write("precious", to: "secret")
        let entry = cache + "/link.entry"
        try FileManager.default.moveItem(atPath: entry, toPath: folder.path + "/moved")
        // A link to a file of the right shape is not followed, and writing replaces the link, not what it leads to.
        #expect(symlink(folder.path + "/moved", entry) == 0)
        #expect(try await store.value(for: "link") == nil)
        #expect(unlink(entry) == 0 && symlink(secret.path, entry) == 0)
        try await store.set(Data("2".utf8), for: "link")
        #expect(try await store.value(for: "link") == Data("2".utf8))
        #expect(try String(contentsOf: secret, encoding: .utf8) == "precious")

        #expect(mkfifo(cache + "/pipe.entry", 0o600) == 0)
        #expect(try await store.value(for: "pipe") == nil)
        try await store.set(Data("3".utf8), for: "pipe")
        #expect(try await store.value(for: "pipe") == Data("3".utf8))

        #expect(mkdir(cache + "/folder.entry", 0o700) == 0)
        #expect(try await store.value(for: "folder") == nil)
        try await store.set(Data("4".utf8), for: "folder")
        #expect(try await store.value(for: "folder") == Data("4".utf8))
        try FileManager.default.removeItem(atPath: cache + "/folder.entry")
        try FileManager.default.createDirectory(atPath: cache + "/folder.entry/full", withIntermediateDirectories: true)
        await #expect(throws: HTTPCacheStoreError.self) { try await store.set(Data("5".utf8), for: "folder") }

        // A file of any size without our head is not taken into memory.
        try Data().write(to: URL(filePath: cache + "/huge.entry"))
        #expect(truncate(cache + "/huge.entry", 1 << 40) == 0)
        #expect(try await store.value(for: "huge") == nil)

        try folder.write("a stranger's", to: "cache/notes.txt")
        try await store.removeAll()
        #expect(FileManager.default.fileExists(atPath: cache + "/notes.txt"))
        let left = try FileManager.default.contentsOfDirectory(atPath: cache).filter { $0.hasSuffix(".part") }
        #expect(left.isEmpty)
    }

    @Test("A removed folder is created again; a folder without write permission stores nothing")
    func diskFolder() async throws {
        let folder = try TemporaryDirectory()
        let bench = try CacheBench(store: HTTPDiskCacheStore(path: folder.path + "/cache")) { request, _ in
            .cached("x", ("Cache-Control", "max-age=60"))
        }
        try await bench.get()
        try FileManager.default.removeItem(atPath: folder.path + "/cache")
        #expect(try await bench.get().source == .miss)
        #expect(try await bench.get().source == .hit)
        #expect(bench.cache.statistics.storeFailures == 0)
        // A file where the folder should be: the same for every user, root included.
        try FileManager.default.removeItem(atPath: folder.path + "/cache")
        try folder.write("in the way", to: "cache")
        for method in [HTTPMethod.get, .get, .post] {
            let got = try await bench.get("/", method: method)
            #expect(got.text == "x" && got.source != .hit)
        }
        #expect(bench.cache.statistics.storeFailures > 0)
        #expect(bench.cache.statistics.lastFailure?.contains("errno") == true)
        #expect(try String(contentsOf: folder.file("cache"), encoding: .utf8) == "in the way")
    }

    @Test("The files always stay within the limit, and the least recently used ones are evicted")
    func diskLimit() async throws {
        let folder = try TemporaryDirectory()
        let limit = 100_000
        let store = HTTPDiskCacheStore(path: folder.path, byteLimit: limit)
        var least = limit
        for number in 0..<40 {
            try await store.set(Data(repeating: 1, count: 9_000), for: "k\(number)")
            #expect(store.byteCount <= limit)
            least = number < 20 ? limit : min(least, store.byteCount)
            // Used again and again, the first one stays.
            #expect(try await store.value(for: "k0") != nil, "\(number)")
        }
        #expect(try await store.value(for: "k39") != nil)
        #expect(try await store.value(for: "k1") == nil)
        #expect(store.byteCount > limit / 2)
        // Not every write evicts: a tenth is free then.
        #expect(least <= limit * 9 / 10)
        // Another process writes, too.
        let other = HTTPDiskCacheStore(path: folder.path, byteLimit: limit)
        for number in 0..<40 {
            try await (number % 2 == 0 ? store : other).set(Data(count: 2_000), for: "s\(number)")
            #expect(store.byteCount <= limit + limit / 8)
        }
        await #expect(throws: HTTPCacheStoreError.tooLarge(limit: limit / 4)) {
            try await store.set(Data(count: limit / 4 + 1), for: "large")
        }
        let writer = try await store.makeBody(for: "body")
        for _ in 0..<5 { try await writer.write(Data(count: 5_000)) }
        await #expect(throws: HTTPCacheStoreError.tooLarge(limit: limit / 4)) {
            try await writer.write(Data(count: 5_000))
        }
        #expect(store.byteCount <= limit)
    }

    @Test("Partial files of a process that ended are removed after an hour")
    func diskLeftovers() async throws {
        let folder = try TemporaryDirectory()
        try folder.write("half", to: "old.part")
        try folder.write("half", to: "new.part")
        let old = Date(timeIntervalSinceNow: -4_000)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: folder.file("old.part").path)
        let store = HTTPDiskCacheStore(path: folder.path)
        try await store.set(Data(), for: "k")
        #expect(!FileManager.default.fileExists(atPath: folder.file("old.part").path))
        #expect(FileManager.default.fileExists(atPath: folder.file("new.part").path))
    }

    @Test("A full disk fails the store, not the request")
    func fullDisk() async throws {
        let store = FullStore()
        let bench = try CacheBench(store: store) { request, _ in
            let count = request.path == "/short" ? 10 : 100_000
            return ServedResponse(headers: [("Cache-Control", "max-age=60")], body: .repeated(65, count: count))
        }
        for _ in 0..<2 {
            let got = try await bench.get()
            #expect(got.source == .miss && got.text == String(repeating: "A", count: 100_000))
        }
        #expect(store.memory.count == 0)
        for source in [HTTPCacheStatus.Source.miss, .hit] { #expect(try await bench.get("/short").source == source) }
        store.isFull.withLock { $0 = true }
        bench.clock.move(1)
        // What it could not replace is not used any more.
        for policy in [HTTPCachePolicy.reload, .inherited] {
            #expect(try await bench.get("/short", policy: policy).source == .miss)
        }
        #expect(bench.cache.statistics.storeFailures >= 4)
        #expect(bench.cache.statistics.stores == 1)
    }

    /// A store on a disk with no room: writing goes well for a while, and fails then.
    private struct FullStore: HTTPCacheStore {
        struct Full: Error {}
        final class Writer: HTTPCacheBodyWriter {
            let left = Locked(50_000)

            func write(_ piece: Data) async throws {
                try left.withLock { left in
                    left -= piece.count
                    if left < 0 { throw Full() }
                }
            }

            func commit() async throws { throw Full() }
        }

        let memory = HTTPMemoryCacheStore()
        let isFull = Locked(false)

        func value(for key: String) -> Data? { memory.value(for: key) }
        func set(_ value: Data, for key: String) throws {
            if isFull.withLock({ $0 }) { throw Full() }
            try memory.set(value, for: key)
        }
        func remove(_ key: String) { memory.remove(key) }
        func removeAll() {}
        func makeBody(for key: String) async throws -> any HTTPCacheBodyWriter { Writer() }
    }
}
