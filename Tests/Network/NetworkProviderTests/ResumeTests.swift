import Foundation
import LoopbackServer
import NetworkTestSupport
import SystemCalls
import TestSupport
import Testing
import Threading
import TransportConformance

@testable import NetworkProvider

@Suite("Resumed downloads")
struct ResumeTests {
    private let folder: TemporaryDirectory
    private let clock = InstantClock()
    private let policy = RetryPolicy(maximumAttempts: 4)

    init() throws { folder = try TemporaryDirectory() }

    private var path: String { folder.file("dog.png").path }
    private var partial: String { path + ".partial" }

    /// A server's resource, and how its connections break.
    private struct Resource {
        var body: Data
        var tag: String? = "\"v1\""
        /// The number of bytes of each response that are sent before the connection breaks; the last responses are complete.
        var breaks: [Int] = []
    }

    /// 100,000 bytes of which no two stretches are equal.
    private static func bytes(_ seed: UInt64) -> Data {
        var generator = SeededGenerator(seed: seed)
        return Data((0..<100_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    /// A server that supports Range and If-Range.
    private func server(_ resource: Locked<Resource>) throws -> LoopbackServer {
        try LoopbackServer { request in
            let (body, tag, broken) = resource.withLock { resource in
                (resource.body, resource.tag, resource.breaks.isEmpty ? nil : resource.breaks.removeFirst())
            }
            var headers: [(name: String, value: String)] = []
            if let tag { headers.append(("ETag", tag)) }
            var response = ServedResponse(headers: headers, body: .data(body))
            if let start = request.rangeStart, request.header("If-Range") == tag {
                guard start < body.count else {
                    return ServedResponse(status: 416, headers: headers + [("Content-Range", "bytes */\(body.count)")])
                }
                response.becomeRest(of: body, from: start)
            }
            if let broken { response.fault = .truncated(after: broken) }
            return response
        }
    }

    private func files() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func target(_ server: LoopbackServer) -> Call<Data> {
        Call<Data>(base: server.baseURL, path: "/dog", parameters: ["sig": "s3cret"])
    }

    private func get(_ server: LoopbackServer, attempts: Int = 4, events: HTTPEventHandler? = nil) async throws -> Int {
        let target = target(server)
        let policy = RetryPolicy(maximumAttempts: attempts)
        return try await NetworkProvider()
            .resumeDownload(target, to: path, policy: policy, clock: clock, events: events).status
    }

    @Test("A connection that breaks repeatedly transfers no byte twice")
    func resumes() async throws {
        let body = ResumeTests.bytes(1)
        let resource = Locked(Resource(body: body, breaks: [40_000, 1, 0, 30_000]))
        let server = try server(resource)
        defer { server.stop() }
        let log = EventLog()
        #expect(try await get(server) { log.add($0) } == 200)
        #expect(try Data(contentsOf: URL(filePath: path)) == body)
        #expect(try files() == ["dog.png"])
        #expect(
            server.requests.map { $0.header("Range") } == [
                nil, "bytes=40000-", "bytes=40001-", "bytes=40001-", "bytes=70001-",
            ]
        )
        #expect(server.requests.allSatisfy { $0.header("Accept-Encoding") == "identity" })
        let told = log.all.compactMap { if case .downloaded(let count, let total) = $0 { (count, total) } else { nil } }
        #expect(told.last?.0 == 100_000 && told.allSatisfy { $0.1 == 100_000 })
        #expect(zip(told, told.dropFirst()).allSatisfy { $0.0 < $1.0 })
    }

    @Test("A target that accepts only status 200 can be resumed, and its progress includes the earlier bytes")
    func resumesWhereOnly200IsValid() async throws {
        let body = ResumeTests.bytes(8)
        let resource = Locked(Resource(body: body, breaks: [60_000, 20_000]))
        let server = try server(resource)
        defer { server.stop() }
        var strict = target(server)
        strict.validation = .statuses(200...200)
        let (target, provider, monitor) = (strict, NetworkProvider(), TransferMonitor())
        async let download = provider.resumeDownload(target, to: path, clock: clock, progress: monitor)
        var counts: [Int64] = []
        for await progress in monitor { counts.append(progress.received.bytes) }
        let head = try await download
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=60000-", "bytes=80000-"])
        #expect(head.status == 200 && head.headers["Content-Range"] == nil)
        #expect(head.contentLength == 100_000)
        #expect(counts == counts.sorted() && counts.last == 100_000)
        // A complete part is recognized by status 416, which the target does not see either.
        try FileManager.default.moveItem(atPath: path, toPath: partial)
        try Data(#"{"url":"x"}"#.utf8).write(to: URL(filePath: partial + ".json"))
        let again = try await provider.resumeDownload(target, to: path, clock: clock)
        #expect(again.status == 200 && again.contentLength == 100_000)
        #expect(try Data(contentsOf: URL(filePath: path)) == body)
    }

    @Test("A later process continues an interrupted download, and no secret is stored")
    func acrossProcesses() async throws {
        let body = ResumeTests.bytes(2)
        let resource = Locked(Resource(body: body, breaks: [60_000]))
        let server = try server(resource)
        defer { server.stop() }
        await #expect(throws: NetworkError.self) { try await get(server, attempts: 1) }
        #expect(try files() == ["dog.png.partial", "dog.png.partial.json"])
        #expect(!(try String(contentsOfFile: partial + ".json", encoding: .utf8).contains("s3cret")))
        #expect(try await get(server) == 200)
        #expect(server.requests.last?.header("Range") == "bytes=60000-")
        #expect(server.requests.last?.header("If-Range") == "\"v1\"")
        #expect(try Data(contentsOf: URL(filePath: path)) == body)
        #expect(try files() == ["dog.png"])
    }

    @Test("A resource that has changed is downloaded whole: two versions are never joined")
    func changed() async throws {
        let resource = Locked(Resource(body: ResumeTests.bytes(3), breaks: [60_000]))
        let server = try server(resource)
        defer { server.stop() }
        await #expect(throws: NetworkError.self) { try await get(server, attempts: 1) }
        let new = ResumeTests.bytes(4)
        resource.withLock { $0 = Resource(body: new, tag: "\"v2\"", breaks: [10]) }
        #expect(try await get(server) == 200)
        #expect(try Data(contentsOf: URL(filePath: path)) == new)
        #expect(server.requests.map { $0.header("If-Range") } == [nil, "\"v1\"", "\"v2\""])
        // The bytes of a version without a validator are not continued with those of the version before it.
        let old = resource.withLock { $0 }
        for (version, broken) in [(old, 40_000), (Resource(body: ResumeTests.bytes(5), tag: nil), 50_000)] {
            resource.withLock { ($0, $0.breaks) = (version, [broken]) }
            await #expect(throws: NetworkError.self) { try await get(server, attempts: 1) }
        }
        resource.withLock { $0 = old }
        #expect(try await get(server) == 200)
        #expect(try Data(contentsOf: URL(filePath: path)) == new)
        #expect(server.requests.suffix(3).map { $0.header("Range") } == [nil, "bytes=40000-", nil])
    }

    @Test("Without a strong validator nothing is joined and no file remains", arguments: [nil, "W/\"v1\"", "v1"])
    func weak(_ tag: String?) async throws {
        let body = ResumeTests.bytes(5)
        let resource = Locked(Resource(body: body, tag: tag, breaks: [60_000]))
        let server = try server(resource)
        defer { server.stop() }
        await #expect(throws: NetworkError.self) { try await get(server, attempts: 1) }
        #expect(try files() == [])
        #expect(try await get(server) == 200)
        #expect(server.requests.allSatisfy { $0.header("Range") == nil })
        #expect(try Data(contentsOf: URL(filePath: path)) == body)
    }

    @Test("A complete partial file is recognized by status 416; a damaged record restarts the download")
    func complete() async throws {
        let body = ResumeTests.bytes(6)
        let resource = Locked(Resource(body: body, breaks: [60_000]))
        let server = try server(resource)
        defer { server.stop() }
        await #expect(throws: NetworkError.self) { try await get(server, attempts: 1) }
        // As after a kill between the last byte and the move to its place.
        try body.write(to: URL(filePath: partial))
        let log = EventLog()
        #expect(try await get(server) { log.add($0) } == 200)
        #expect(log.all.contains(.downloaded(100_000, of: 100_000)))
        #expect(try Data(contentsOf: URL(filePath: path)) == body)
        #expect(try files() == ["dog.png"])

        try Data("lies".utf8).write(to: URL(filePath: partial))
        try Data("{".utf8).write(to: URL(filePath: partial + ".json"))
        #expect(try await get(server) == 200)
        #expect(try Data(contentsOf: URL(filePath: path)) == body)

        // More bytes than there are: the record's version is right, the bytes cannot be.
        resource.withLock { $0.breaks = [10] }
        await #expect(throws: NetworkError.self) { try await get(server, attempts: 1) }
        try (body + body).write(to: URL(filePath: partial))
        #expect(try await get(server) == 200)
        #expect(try Data(contentsOf: URL(filePath: path)) == body)
    }

    @Test(
        "A part other than the requested one is discarded",
        arguments: ["bytes 5-9/10", "bytes */10", "pages 1-2/3", nil]
    )
    func wrongPart(_ range: String?) async throws {
        let server = try LoopbackServer { request in
            guard request.header("Range") == nil else {
                return ServedResponse(
                    status: 206,
                    headers: [("ETag", "\"v1\"")] + (range.map { [("Content-Range", $0)] } ?? []),
                    body: .data(Data("wrong".utf8))
                )
            }
            return ServedResponse(
                headers: [("ETag", "\"v1\"")],
                body: .data(Data("0123456789".utf8)),
                fault: .truncated(after: 4)
            )
        }
        defer { server.stop() }
        await #expect(throws: NetworkError.self) { try await get(server) }
        #expect(server.requests.count <= 8)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try files().allSatisfy { $0.hasPrefix("dog.png.partial") })
    }

    @Test("A part from a later offset than the requested one is never joined")
    func laterOffset() async throws {
        let whole = Data("0123456789".utf8)
        let server = try LoopbackServer { request in
            var response = ServedResponse(headers: [("ETag", "\"v1\"")], body: .data(whole))
            switch request.header("Range") {
            case "bytes=4-": response.becomePart("5-9/10", whole[5...])
            case "bytes=9-": response.becomePart("9-9/10", whole[9...])
            default: break
            }
            return response
        }
        defer { server.stop() }
        try whole.prefix(4).write(to: URL(filePath: partial))
        let url = try #require(try? NetworkProvider().redaction.redacted(target(server).asRequest()).url)
        let record = try #require(DownloadRecord(url: url, ["ETag": "\"v1\"", "Content-Length": "10"]))
        try JSONEncoder().encode(record).write(to: URL(filePath: partial + ".json"))
        #expect(try await get(server) == 200)
        #expect(try Data(contentsOf: URL(filePath: path)) == whole)
        #expect(server.requests.map { $0.header("Range") } == ["bytes=4-", nil])
    }

    @Test(
        "Parts of one byte each are joined, however many; one with more bytes than announced begins the download anew"
    )
    func shortParts() async throws {
        let whole = Data("0123456789".utf8)
        let long = Locked(Data("999".utf8))
        let server = try LoopbackServer { request in
            var response = ServedResponse(headers: [("ETag", "\"v1\"")], body: .data(whole))
            guard let start = request.rangeStart else {
                response.fault = .truncated(after: 1)
                return response
            }
            // The length of the whole is known from the first response.
            response.becomePart("\(start)-\(start)/\(start % 2 == 0 ? "10" : "*")", whole[start...start])
            if start == 5 {
                let extra = long.withLock { bytes in
                    defer { bytes = Data() }
                    return bytes
                }
                if !extra.isEmpty { response.body = .data(extra) }
            }
            return response
        }
        defer { server.stop() }
        // Only bytes that no part has had before count as progress.
        #expect(try await get(server, attempts: 9) == 200)
        #expect(try Data(contentsOf: URL(filePath: path)) == whole)
        #expect(server.requests.count == 16, "six, and ten again")
    }

    @Test(
        "A download of unknown length ends with a part that names the length, or with status 416",
        arguments: ["10", "*"]
    )
    func unknownLength(_ total: String) async throws {
        let whole = Data("0123456789".utf8)
        let server = try LoopbackServer { request in
            var response = ServedResponse(headers: [("ETag", "\"v1\"")])
            switch request.header("Range") {
            case "bytes=5-": response.becomePart("5-6/*", whole[5...6])
            case "bytes=7-": response.becomePart("7-9/\(total)", whole[7...])
            case "bytes=10-":
                response.status = 416
                response.headers.append(("Content-Range", "bytes */10"))
            default:
                let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n\r\n"
                response.fault = .raw(Data("\(head)5\r\n01234\r\n".utf8))
            }
            return response
        }
        defer { server.stop() }
        #expect(try await get(server) == 200)
        #expect(try Data(contentsOf: URL(filePath: path)) == whole)
        let ranges = [nil, "bytes=5-", "bytes=7-"] + (total == "*" ? ["bytes=10-"] : [])
        #expect(server.requests.map { $0.header("Range") } == ranges)
    }

    @Test("The bytes are synchronized to the disk before the file is renamed")
    func synchronizesFirst() async throws {
        let calls = Locked<[String]>([])
        let fixed = path
        let seam = PartialFile.Calls(
            synchronize: { descriptor throws(SystemError) in
                calls.withLock { $0.append("synchronize") }
                try POSIX.synchronize(descriptor)
            },
            rename: { from, to throws(SystemError) in
                calls.withLock { $0.append("rename") }
                try POSIX.rename(from, to: to)
            }
        )
        let file = try PartialFile(fixed, calls: seam)
        try await file.write(Data("whole".utf8))
        try await file.commit()
        #expect(calls.withLock { $0 } == ["synchronize", "rename"])
        #expect(try String(contentsOfFile: fixed, encoding: .utf8) == "whole")

        struct Full: Error {}
        let failing = try PartialFile(
            fixed + "2",
            calls: .init(synchronize: { _ throws(SystemError) in
                throw SystemError(code: EIO, call: "fsync")
            })
        )
        try await failing.write(Data("lost".utf8))
        await #expect(throws: AtomicFile.Failure.self) { try await failing.commit() }
        #expect(!FileManager.default.fileExists(atPath: fixed + "2"))
    }

    @Test(
        "A part of another version is recognized by its fields if the server ignores If-Range",
        arguments: ["ETag", "Last-Modified", "length", "nothing"]
    )
    func passesOver(_ told: String) async throws {
        // A part without a validator, of a file of the same length, proves nothing.
        let (old, new) = (ResumeTests.bytes(8), ResumeTests.bytes(9) + Data(told == "length" ? [1] : []))
        let isChanged = Locked(false)
        let server = try LoopbackServer { request in
            let changed = isChanged.withLock { $0 }
            let body = changed ? new : old
            var response = ServedResponse(body: .data(body))
            switch told {
            case "ETag": response.headers = [("ETag", changed ? "\"v2\"" : "\"v1\"")]
            case "Last-Modified":
                let day = changed ? "07" : "06"
                response.headers = [
                    ("Last-Modified", "Sun, \(day) Nov 1994 08:49:37 GMT"), ("Date", "Mon, 14 Nov 1994 08:49:37 GMT"),
                ]
            default: response.headers = changed ? [] : [("ETag", "\"v1\"")]
            }
            if let start = request.rangeStart { response.becomeRest(of: body, from: start) }
            if !changed { response.fault = .truncated(after: 50_000) }
            return response
        }
        defer { server.stop() }
        await #expect(throws: NetworkError.self) { try await get(server, attempts: 1) }
        isChanged.withLock { $0 = true }
        #expect(try await get(server) == 200)
        #expect(try Data(contentsOf: URL(filePath: path)) == new)
        #expect(server.requests.map { $0.header("Range") } == [nil, "bytes=50000-", nil])
    }

    @Test(
        "A body that the server compresses is decompressed, and not continued; a validator that cannot be sent is not stored"
    )
    func unusable() async throws {
        let packed = Gzip.stored(Data("0123456789".utf8))
        let server = try LoopbackServer { request in
            var response = ServedResponse(
                headers: [("ETag", "\"v1\""), ("Content-Encoding", "gzip")],
                body: .data(packed)
            )
            if request.path == "/control" {
                response.headers = [("ETag", "\"v\u{1}\"")]
                response.fault = .truncated(after: 5)
            }
            return response
        }
        defer { server.stop() }
        try await NetworkProvider().resumeDownload(Call<Data>(base: server.baseURL), to: path)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "0123456789")
        for _ in 0..<2 {
            await #expect(throws: NetworkError.self) {
                let target = Call<Data>(base: server.baseURL, path: "/control")
                try await NetworkProvider().resumeDownload(target, to: path, policy: .never)
            }
        }
        #expect(server.requests.allSatisfy { $0.header("Range") == nil } && server.requests.count == 3)
        #expect(try files() == ["dog.png"])
    }

    @Test("Two downloads of one file exclude each other; a cancelled one can be continued")
    func excludes() async throws {
        let body = ResumeTests.bytes(7)
        let first = Locked(true)
        let server = try LoopbackServer { request in
            let isFirst = first.withLock { first in
                defer { first = false }
                return first
            }
            return ServedResponse(
                status: isFirst ? 200 : 206,
                headers: [("ETag", "\"v1\"")] + (isFirst ? [] : [("Content-Range", "bytes 50000-99999/100000")]),
                body: .data(isFirst ? body : Data(body[50_000...])),
                fault: isFirst ? .stalled(after: 50_000) : nil
            )
        }
        defer { server.stop() }
        let held = Task { try await get(server) }
        try await eventually {
            try FileManager.default.fileExists(atPath: partial)
                && Data(contentsOf: URL(filePath: partial)).count == 50_000
        }
        let error = await #expect(throws: NetworkError.self) { try await get(server) }
        guard case .file(path, EWOULDBLOCK) = error?.reason else { throw UnexpectedResult() }
        held.cancel()
        let cancelled = await #expect(throws: NetworkError.self) { try await held.value }
        #expect(cancelled?.isCancellation == true)
        #expect(try await get(server) == 200)
        #expect(try Data(contentsOf: URL(filePath: path)) == body)
    }

    @Test("A process that has inherited the descriptor does not hold the lock")
    func copies() async throws {
        let fixed = path
        var file: PartialFile? = try PartialFile(fixed)
        try await file?.restart(DownloadRecord(url: "u", ["ETag": "\"a\""]))
        let descriptor = try #require(
            (Int32(0)..<4_096).first { descriptor in
                var (held, named) = (stat(), stat())
                return fstat(descriptor, &held) == 0 && stat(partial, &named) == 0 && held.st_ino == named.st_ino
            }
        )
        let copy = dup(descriptor)
        defer { close(copy) }
        withExtendedLifetime(file) {}
        file = nil
        _ = try PartialFile(fixed)
    }

    @Test("A failure leaves the old file; an error response is not written")
    func keepsOld() async throws {
        // The part of an earlier download has an invalid record: neither remains.
        for (name, text) in [("", "old"), (".partial", "ol"), (".partial.json", "{}")] {
            try folder.write(text, to: "dog.png" + name)
        }
        let server = try LoopbackServer { _ in .text("gone", status: 404) }
        defer { server.stop() }
        let error = await #expect(throws: NetworkError.self) { try await get(server) }
        #expect(error?.status == 404 && server.requests.count == 1)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "old")
        #expect(try files() == ["dog.png"])

        let nowhere = folder.file("no/such/folder").path
        let lost = await #expect(throws: NetworkError.self) {
            try await NetworkProvider().resumeDownload(Call<Data>(base: server.baseURL), to: nowhere)
        }
        guard case .file(nowhere, ENOENT) = lost?.reason else { throw UnexpectedResult() }
        #expect(server.requests.count == 1)
    }

    @Test("Content-Range is parsed as in the standard, and only strong validators are used")
    func fields() throws {
        #expect(ContentRange("bytes 0-9/100")?.bytes == 0...9)
        #expect(ContentRange("bytes 0-9/*")?.total == nil)
        #expect(ContentRange("bytes */100")?.total == 100)
        for text in [
            "", "bytes", "bytes 9-0/100", "bytes 0-100/100", "bytes -1-5/9", "bytes 0-1", "items 0-1/2",
            "bytes 0-/9",
        ] { #expect(ContentRange(text) == nil) }
        #expect(
            [("Identity", false), ("identity, gzip", true)].allSatisfy { coding, isEncoded in
                DownloadRecord.isEncoded(["Content-Encoding": coding]) == isEncoded
            }
        )
        let changed = "Sun, 06 Nov 1994 08:49:37 GMT"
        func record(_ headers: HTTPHeaders) -> String? { DownloadRecord(url: "u", headers)?.validator }
        #expect(record(["Last-Modified": changed, "Date": "Sun, 06 Nov 1994 08:49:38 GMT"]) == changed)
        #expect(record(["Last-Modified": changed, "Date": changed]) == nil)
        #expect(record(["Last-Modified": changed]) == nil)
        #expect(record(["ETag": "\"a\"", "Accept-Ranges": "none"]) == nil)
        let part: HTTPHeaders = ["ETag": "\"a\"", "Content-Range": "bytes 0-3/*", "Content-Length": "4"]
        #expect(try #require(DownloadRecord(url: "u", part)).total == nil)
    }
}
