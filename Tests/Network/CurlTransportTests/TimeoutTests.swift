import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import Testing
import Threading

@testable import CurlTransport

@Suite("Timeouts of CurlTransport", .timeLimit(.minutes(3)))
struct TimeoutTests {
    /// A stream of pieces of 1,000 bytes with a pause before each but the first.
    private func pieces(_ count: Int, every pause: Duration) -> HTTPBody {
        .stream(
            HTTPBodyStream {
                AsyncThrowingStream { continuation in
                    Task {
                        for number in 0..<count {
                            if number > 0 { try await Task.sleep(for: pause) }
                            continuation.yield(Data(count: 1_000))
                        }
                        continuation.finish()
                    }
                }
            }
        )
    }

    @Test(
        "A reader that pauses longer than the idle timeout is not a silent server, while and after the request is sent"
    )
    func pausingReader() async throws {
        let server = try EarlyServer { connection in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2000\r\n\r\n")
            connection.send(String(repeating: "a", count: 1_000))
            usleep(30_000)
            connection.send(String(repeating: "b", count: 1_000))
            connection.readToEnd()
        }
        defer { server.stop() }
        let transport = CurlTransport(configuration: CurlConfiguration(bufferedBytes: 1))
        var request = try HTTPRequest(.post, server.baseURL, body: pieces(8, every: .milliseconds(25)))
        // Longer than the request takes, so that its end cannot hide a reader's pause.
        request.timeouts.idle = .seconds(1)
        for pauses in [false, true] {
            let response = try await transport.send(request)
            if pauses { try await transport.pause(longerThan: request.timeouts.idle) }
            #expect(try await response.body.collect().count == 2_000)
        }
    }

    @Test("The end of the request body does not end the pause of a reader that is far behind")
    func readerBehind() async throws {
        let server = try EarlyServer { connection in
            connection.readHead()
            connection.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1000000\r\n\r\n")
            connection.send(String(repeating: "a", count: 1_000_000))
            connection.readToEnd()
        }
        defer { server.stop() }
        let transport = CurlTransport(configuration: CurlConfiguration(bufferedBytes: 1))
        var request = try HTTPRequest(.post, server.baseURL, body: pieces(8, every: .milliseconds(25)))
        request.timeouts.idle = .seconds(1)
        let response = try await transport.send(request)
        try await transport.pause(longerThan: request.timeouts.idle)
        #expect(try await response.body.collect().count == 1_000_000)
    }

    @Test("A complete response to an upload that the server does not read is no timeout; an incomplete one is")
    func unreadUpload() async throws {
        for (head, body, isComplete) in [
            ("200 OK\r\nContent-Length: 2", "ok", true), ("204 No Content", "", true),
            ("200 OK\r\nContent-Length: 3", "ok", false), ("200 OK\r\nTransfer-Encoding: chunked", "0\r\n", false),
        ] {
            let isOver = DispatchSemaphore(value: 0)
            let server = try EarlyServer { connection in
                connection.readHead()
                connection.send("HTTP/1.1 \(head)\r\n\r\n\(body)")
                isOver.wait()
            }
            defer { server.stop() }
            defer { isOver.signal() }
            var request = try HTTPRequest(.put, server.baseURL, body: .data(Data(count: 16 << 20)))
            request.timeouts.idle = .milliseconds(300)
            let failure = await CurlTransport().failure(request)
            #expect(failure?.code == (isComplete ? nil : .timedOut(.idle)), "\(head)")
        }
    }

    @Test("A request body that pauses longer than the idle timeout does not expire it")
    func pausingUpload() async throws {
        let server = try LoopbackServer { .text("\($0.body.count)") }
        defer { server.stop() }
        var request = try HTTPRequest(.post, server.baseURL, body: pieces(2, every: .seconds(3)))
        request.timeouts.idle = .seconds(2)
        let body = try await CurlTransport().send(request).body.collect()
        #expect(String(decoding: body, as: UTF8.self) == "2000")
    }

    @Test("A server that is silent after a pausing request body expires the idle timeout")
    func silentAfterUpload() async throws {
        let transport = CurlTransport()
        let server = try LoopbackServer { _ in .failing(.noAnswer) }
        defer { server.stop() }
        var request = try HTTPRequest(.post, server.baseURL, body: pieces(2, every: .milliseconds(700)))
        request.timeouts.idle = .milliseconds(200)
        // The order counts, not the clock: the timeout expires after the server has received the whole body, and before the
        // longer one of an exchange that begins then. The transport's thread measures and reports both.
        let ended = Locked<[String]>([])
        func failure(_ request: HTTPRequest, _ name: String) -> Task<HTTPTransportError?, Never> {
            Task {
                await transport.failure(request) { event in
                    if case .failed = event { ended.withLock { $0.append(name) } }
                }
            }
        }
        let upload = failure(request, "upload")
        try await eventually(within: .seconds(30)) { server.requests.count == 1 }
        #expect(server.requests.first?.body.count == 2_000)
        var later = try HTTPRequest(.get, server.baseURL)
        later.timeouts.idle = .seconds(60)
        let other = failure(later, "later")
        #expect(await upload.value?.code == .timedOut(.idle))
        #expect(ended.withLock { $0 } == ["upload"])
        other.cancel()
        #expect(await other.value?.code == .cancelled)
    }

    @Test("A head whose lines arrive slowly, each within the idle timeout, is received; a line that drips is not")
    func tricklingHead() async throws {
        let lines = ["HTTP/1.1 200 OK\r\n"] + (0..<12).map { "X-\($0): y\r\n" } + ["Content-Length: 0\r\n", "\r\n"]
        func steps(_ pieces: [String]) -> [ServedResponse.Step] {
            pieces.flatMap { [.send(Data($0.utf8)), .pause(.milliseconds(250))] }
        }
        let (slow, dripping) = (steps(lines), steps([lines[0]] + Array(repeating: "x", count: 40)))
        let server = try LoopbackServer { .failing(.script($0.path == "/slow" ? slow : dripping)) }
        defer { server.stop() }
        func failure(_ path: String) async throws -> HTTPTransportError? {
            var request = try HTTPRequest(.get, server.baseURL + path)
            request.timeouts.idle = .seconds(3)
            return await CurlTransport().failure(request)
        }
        async let received = failure("/slow")
        let error = try #require(try await failure("/dripping"))
        #expect(try await received == nil)
        #expect(error.code == .timedOut(.idle) && error.detail.contains("no complete line"), "\(error)")
    }

    @Test("Opening a file that blocks ends with the total timeout or a cancellation, and stops no other task")
    func blockedFile() async throws {
        let (gate, opened, threads) = (DispatchSemaphore(value: 0), Locked(0), ThreadCache())
        let openFile: CurlUpload.OpenFile = { path in
            // With the limit, calls that occupy all threads for tasks fail the test instead of stopping it.
            _ = gate.wait(timeout: .now() + 60)
            opened.withLock { $0 += 1 }
            return try RegularFile(path: path)
        }
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        var request = try HTTPRequest(.put, "http://127.0.0.1:9/", body: .file(path: "/dev/null"))
        request.timeouts.total = .milliseconds(200)
        let codes = await withTaskGroup(of: HTTPTransportError.Code?.self) { group in
            for _ in 0..<count {
                group.addTask { [request] in
                    do throws(HTTPTransportError) {
                        _ = try await CurlUpload.open(request, openFile: openFile, threads: threads)
                        return nil
                    } catch {
                        return error.code
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(codes == Array(repeating: .timedOut(.total), count: count))
        request.timeouts.total = nil
        let task = Task { [request] in try await CurlUpload.open(request, openFile: openFile, threads: threads) }
        task.cancel()
        let error = await #expect(throws: HTTPTransportError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        // All of that happened while every call was still blocked.
        #expect(opened.withLock { $0 } == 0)
        for _ in 0...count { gate.signal() }
    }

    @Test("Requests that wait for another one's connection to a silent server fail by the connect timeout, all at once")
    func silentHandshake() async throws {
        let server = try EarlyServer { $0.readToEnd() }
        defer { server.stop() }
        // One after the other, the attempts would take six seconds.
        let failures = try await within(.seconds(5)) { try await failuresOverTLS(server, count: 3) }
        #expect(failures.map { $0?.code } == Array(repeating: .timedOut(.connect), count: 3))
        for detail in ["", ", while it waited for the connection of another request"] {
            #expect(failures.contains { $0?.detail == "no connection within 2 seconds" + detail }, "\(failures)")
        }
    }

    @Test("Requests that wait for another one's connection to a server that refuses each are not timed out meanwhile")
    func refusedHandshakes() async throws {
        let server = try EarlyServer { connection in
            usleep(500_000)
            connection.send("no TLS\r\n")
        }
        defer { server.stop() }
        // One after the other, the attempts take three seconds.
        let failures = try await failuresOverTLS(server, count: 6)
        #expect(failures.map { $0?.code } == Array(repeating: .tls, count: 6), "\(failures)")
    }

    /// Returns the failures of concurrent requests over TLS with a connect timeout of two seconds.
    private func failuresOverTLS(_ server: EarlyServer, count: Int) async throws -> [HTTPTransportError?] {
        var request = try HTTPRequest(.get, server.baseURL.replacingOccurrences(of: "http:", with: "https:"))
        request.timeouts.connect = .seconds(2)
        let transport = CurlTransport()
        return await withTaskGroup(of: HTTPTransportError?.self) { [request] group in
            for _ in 0..<count { group.addTask { await transport.failure(request) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test("A stream of length 0 that does not end is bounded by the total timeout")
    func endlessEmptyStream() async throws {
        let stream = HTTPBodyStream(length: 0) { AsyncThrowingStream<Data, any Error> { _ in } }
        var request = try HTTPRequest(.post, "http://127.0.0.1:9/", body: .stream(stream))
        request.timeouts.total = .milliseconds(200)
        #expect(await CurlTransport().failure(request)?.code == .timedOut(.total))
    }
}
