import Foundation
import LoopbackServer
import NetworkProvider
import NetworkTestSupport
import NetworkTesting
import TestSupport
import Testing
import Threading
import TransportConformance

@Suite("Progress")
struct ProgressTests {
    /// Everything a reader sees until the sequence ends.
    private func read(_ monitor: TransferMonitor) async -> [TransferProgress] {
        var seen: [TransferProgress] = []
        for await progress in monitor { seen.append(progress) }
        return seen
    }

    @Test("The progress of a download increases up to the total, and ends with the call")
    func download() async throws {
        let server = try LoopbackServer { _ in ServedResponse(body: .repeated(7, count: 4 << 20)) }
        defer { server.stop() }
        let folder = try TemporaryDirectory()
        let path = folder.file("film").path
        let monitor = TransferMonitor()
        async let seen = read(monitor)
        async let second = read(monitor)
        let head = try await NetworkProvider().download(Call<Data>(base: server.baseURL), to: path, progress: monitor)
        #expect(head.status == 200)
        for all in await [seen, second] {
            #expect(all.last?.received == .init(bytes: 4 << 20, expected: 4 << 20))
            #expect(all.last?.fraction == 1 && all.allSatisfy { $0.sent.bytes == 0 })
            #expect(zip(all, all.dropFirst()).allSatisfy { $0.received.bytes < $1.received.bytes })
        }
        #expect(monitor.isFinished && monitor.current.fraction == 1)
        // Who comes late still sees the end.
        #expect(await read(monitor) == [monitor.current])
    }

    @Test("A slow reader does not delay the transfer, and receives the last progress")
    func latest() async throws {
        let server = try LoopbackServer { _ in ServedResponse(body: .repeated(7, count: 8 << 20)) }
        defer { server.stop() }
        let monitor = TransferMonitor()
        var reader = monitor.makeAsyncIterator()
        let target = Call<Data>(base: server.baseURL)
        #expect(try await NetworkProvider().request(target, progress: monitor).count == 8 << 20)
        #expect(await reader.next()?.received.bytes == 8 << 20)
        #expect(await reader.next() == nil)
    }

    @Test("The progress of an upload precedes that of its response")
    func upload() async throws {
        let server = try LoopbackServer { request in .text("\(request.body.count)") }
        defer { server.stop() }
        let pieces = HTTPBodyStream(Array(repeating: Data(repeating: 1, count: 65_536), count: 48), length: 3 << 20)
        let monitor = TransferMonitor()
        async let seen = read(monitor)
        let target = Call<String>(base: server.baseURL, httpMethod: .put, task: .uploadStream(pieces))
        #expect(try await NetworkProvider().response(target, progress: monitor).value == "\(3 << 20)")
        let all = await seen
        #expect(all.last?.sent.fraction == 1 && all.last?.received.bytes == 7)
        #expect(all.allSatisfy { $0.sent.expected == 3 << 20 })
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.sent.bytes <= $1.sent.bytes })
    }

    @Test(
        "The progress of a stream ends with its body: read, cancelled or released",
        arguments: ["read", "cancel", "drop"]
    )
    func stream(_ end: String) async throws {
        let server = try LoopbackServer { _ in ServedResponse(body: .repeated(7, count: 1 << 20)) }
        defer { server.stop() }
        let monitor = TransferMonitor()
        var response: HTTPResponse? = try await NetworkProvider()
            .stream(Call<Data>(base: server.baseURL), progress: monitor)
        #expect(!monitor.isFinished)
        switch end {
        case "read": #expect(try await response?.body.collect().count == 1 << 20)
        case "cancel": response?.body.cancel()
        default: response = nil
        }
        let last = await read(monitor).last
        if end == "read" { #expect(last?.fraction == 1) }
        #expect(monitor.isFinished)
        withExtendedLifetime(response) {}
    }

    @Test("A failed call ends the progress")
    func failures() async throws {
        let stub = StubTransport().on(.get, "/", .failure(.connectionLost))
        let provider = NetworkProvider(transport: stub)
        for base in ["http://h", "no url\n"] {
            for call in 0..<4 {
                let monitor = TransferMonitor()
                let target = Call<Data>(base: base)
                await #expect(throws: NetworkError.self) {
                    switch call {
                    case 0: _ = try await provider.request(target, progress: monitor)
                    case 1: _ = try await provider.stream(target, progress: monitor)
                    case 2: try await provider.download(target, to: "/none/x", progress: monitor)
                    default: try await provider.resumeDownload(target, to: "/none/x", progress: monitor)
                    }
                }
                #expect(await read(monitor).isEmpty && monitor.isFinished)
            }
        }
    }

    @Test("Cancelling a reader of the progress does not cancel the transfer")
    func cancelledReader() async throws {
        let monitor = TransferMonitor()
        let reading = Task { await read(monitor) }
        reading.cancel()
        #expect(await reading.value.isEmpty && !monitor.isFinished)
        let stub = StubTransport().on(.get, "/", .data(Data("멍".utf8)))
        _ = try await NetworkProvider(transport: stub).request(Call<Data>(base: "http://h"), progress: monitor)
        #expect(monitor.current.received == .init(bytes: 3, expected: 3))
    }

    @Test("Without a length there is no fraction; a retry begins again")
    func unknown() async throws {
        let tries = Locked(0)
        let server = try LoopbackServer { request in
            tries.increment() == 1
                ? ServedResponse(status: 503, body: .data(request.body))
                : ServedResponse(body: .data(request.body), framing: .chunked(size: 2))
        }
        defer { server.stop() }
        let monitor = TransferMonitor()
        let retry = RetryPlugin(RetryPolicy(baseDelay: .zero))
        let target = Call<Data>(base: server.baseURL, httpMethod: .put, task: .raw(Data("five!".utf8)))
        _ = try await NetworkProvider(plugins: [retry]).request(target, progress: monitor)
        #expect(monitor.current.sent == .init(bytes: 5, expected: 5))
        #expect(monitor.current.received == .init(bytes: 5, expected: nil))
        #expect(monitor.current.fraction == nil && tries.withLock { $0 } == 2)
    }
}
