import Foundation
import SystemCalls
import TestSupport
import Testing

@testable import LoopbackServer

@Suite("LoopbackServer", .timeLimit(.minutes(5)))
struct LoopbackServerTests {
    @Test("One connection is used for several requests, each recorded with its parts")
    func keepsAlive() throws {
        let server = try LoopbackServer { request in .text("\(request.method) \(request.path) \(request.body.count)") }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.send("GET /%EA%B0%95?a=1&a=2+3 HTTP/1.1\r\nHost: x\r\nX-Two: 1\r\nx-two: 2\r\n\r\n")
        #expect(client.read(until: "GET /강 0").hasPrefix("HTTP/1.1 200 OK\r\n"))
        client.send("POST /b HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc")
        #expect(client.read(until: "POST /b 3").contains("Content-Length: 9\r\n"))
        client.send("PUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        #expect(client.read(until: "PUT /c 5").contains("200 OK"))

        client.send("\r\nGET /d HTTP/1.1\r\nConnection: foo, Close\r\n\r\nGET /e HTTP/1.1\r\n\r\n")
        #expect(client.read().hasSuffix("GET /d 0"), "the connection is closed")

        let requests = server.requests
        #expect(requests.map(\.connection) == [0, 0, 0, 0])
        #expect(requests[0].queryItems.map(\.value) == ["1", "2 3"])
        #expect(requests[0].header("X-TWO") == "1")
        #expect(requests[2].body == Data("abcde".utf8))

        for (target, origin) in [("/f", "/f"), ("HTTP://a.example:1/f?b=c://d", "/f?b=c://d"), ("http://a?b", "/?b")] {
            let old = RawClient(port: server.port)
            old.send("GET \(target) HTTP/1.0\r\n\r\n")
            #expect(old.read().hasSuffix("GET \(origin.prefix { $0 != "?" }) 0") && old.isClosed)
            #expect(server.requests.last?.target == origin)
        }
    }

    @Test(
        "A malformed request line is refused",
        arguments: ["GET / FOO", "GET / HTTP/2.0", "GET /", "GET  HTTP/1.1", " / HTTP/1.1", "GET / b HTTP/1.1", "\r\n"]
    )
    func requestLine(line: String) throws {
        let server = try LoopbackServer { _ in .text("end") }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.send("\(line)\r\nHost: x\r\n\r\n")
        #expect(client.read().hasPrefix("HTTP/1.1 400 ") && client.isClosed && server.requests.isEmpty)
    }

    @Test(
        "A request whose end is not certain is refused and ends the connection, so that its body is no second request",
        arguments: [
            ("Content-Length: 36 \t", 200), ("Content-Length: 36\r\nContent-Length: 36", 200),
            ("Content-Length: -5", 400), ("Content-Length: +36", 400), ("Content-Length: abc", 400),
            ("Content-Length:", 400), ("Content-Length 36", 400),
            ("Content-Length: 99999999999999999999", 400), ("Content-Length : 36", 400), (" Content-Length: 36", 400),
            ("Content-Length: 36\r\nContent-Length: 0", 400), ("Transfer-Encoding: gzip", 400),
            ("Transfer-Encoding: chunked\r\nContent-Length: 36", 400), ("Transfer-Encoding: chunked \r\nx: y", 400),
        ]
    )
    func framing(fields: String, status: Int) throws {
        let server = try LoopbackServer { _ in .text("end") }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.send("POST / HTTP/1.1\r\n\(fields)\r\n\r\nGET /second HTTP/1.1\r\nHost: hidden\r\n\r\n")
        let answer = client.read(until: status == 200 ? "end" : nil)
        #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && answer.hasSuffix(status == 200 ? "end" : "\r\n\r\n"))
        #expect(server.requests.map(\.path) == (status == 200 ? ["/"] : []))
    }

    @Test(
        "A chunk has a size of hexadecimal digits, and no more bytes than that",
        arguments: [
            ("-5\r\nabcde\r\n0", 400), ("+5\r\nabcde\r\n0", 400), ("\r\n0", 400), ("5\r\nabcdefg\r\n0", 400),
            ("fffffffffffffffff\r\n0", 400), ("5 ;name=value\r\nabcde\r\nA\r\n0123456789\r\n0", 200),
        ]
    )
    func chunks(body: String, status: Int) throws {
        let server = try LoopbackServer { .text("\($0.body.count)") }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.send("POST / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n\(body)\r\n\r\n")
        #expect(client.read(until: status == 200 ? "15" : nil).hasPrefix("HTTP/1.1 \(status) "))
    }

    @Test("A request beyond the limits is refused, also while its client sends, and one that takes too long ended")
    func limits() throws {
        var limits = RequestLimits(head: 200, body: 10, time: .seconds(60))
        let server = try LoopbackServer(limits: limits) { .text("whole \($0.body.count)") }
        defer { server.stop() }
        limits.time = .milliseconds(300)
        let hasty = try LoopbackServer(limits: limits) { _ in .text("whole") }
        defer { hasty.stop() }
        let long = String(repeating: "x", count: 1 << 20)
        let cases = [
            ("Content-Length: 10\r\nConnection: close\r\n\r\n0123456789", "200"),
            ("Content-Length: 1048576\r\nExpect: 100-continue\r\n\r\n\(long)", "413"),
            ("Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n6\r\n012345\r\n0\r\n\r\n", "413"),
            ("Transfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n\(long)", "431"), ("x: \(long)", "431"),
            (String(repeating: "x: y\r\n", count: 40), "431"),
        ]
        for (text, status) in cases {
            let client = RawClient(port: server.port)
            client.send("POST / HTTP/1.1\r\n\(text)")
            #expect(client.read().hasPrefix("HTTP/1.1 \(status) "), "\(text.prefix(40))")
        }
        for text in ["", "POST / HTTP/1.1\r\nContent-Length: 10\r\n\r\n012"] {
            let client = RawClient(port: hasty.port)
            client.send(text)
            let start = ContinuousClock.now
            #expect(client.read().isEmpty && client.isClosed, "\(text)")
            #expect(ContinuousClock.now - start < .seconds(4), "\(text)")
        }
    }

    @Test("A connection that cannot be accepted costs no processor time until it can be")
    func failedAccept() async throws {
        // Readable, and no socket: each call of accept fails.
        let (listener, waker) = (Pipe(), Pipe())
        try listener.fileHandleForWriting.write(contentsOf: Data([0]))
        let acceptor = Acceptor(
            listener: listener.fileHandleForReading.fileDescriptor,
            wakeReader: waker.fileHandleForReading.fileDescriptor,
            handling: .immediate { _ in ServedResponse() },
            limits: RequestLimits()
        )
        async let used: Duration = withCheckedContinuation { continuation in
            Thread.detachNewThread {
                acceptor.run()
                var time = timespec()
                clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
                continuation.resume(returning: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
            }
        }
        try await Task.sleep(for: .milliseconds(500))
        try waker.fileHandleForWriting.write(contentsOf: Data([0]))
        #expect(await used < .milliseconds(50))
    }

    @Test("The landing page's server responds, and closes the connection as configured")
    func landingPage() throws {
        let server = try LoopbackServer { request in
            request.path == "/broken"
                ? .failing(.truncated(after: 3), body: Data("whole".utf8))
                : .json(#"{"ok":true}"#)
        }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(client.read(until: "}").hasSuffix(#"{"ok":true}"#))
        client.send("GET /broken HTTP/1.1\r\n\r\n")
        let answer = client.read()
        #expect(answer.hasSuffix("\r\n\r\nwho") && answer.contains("Content-Length: 5"))
    }

    @Test("The examples of the documentation are compiled by these tests")
    func documentation() throws {
        #expect(try DocumentedExamples(of: "LoopbackServer", count: 1).missing == [])
    }

    @Test("A script performs its steps in order")
    func scripts() throws {
        let server = try LoopbackServer { _ in
            let flood = ServedResponse.Step.flood(Data("ab".utf8), atMost: 10)
            return .failing(.script([.send(Data("first ".utf8)), .pause(.milliseconds(5)), flood]))
        }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(client.read() == "first ababababab")
    }

    @Test("Faults behave as documented")
    func misbehaves() throws {
        let server = try LoopbackServer { request in
            let body = Data("0123456789".utf8)
            return switch request.path {
            case "/declared": .failing(.declaredLength(99), body: body)
            case "/chunks": .failing(.brokenChunks, body: body)
            case "/truncated": .failing(.truncated(after: 4), body: body)
            case "/negative": .failing(.truncated(after: -1), body: body)
            case "/less": ServedResponse(body: .repeated(65, count: -5), closes: true)
            case "/closed": .failing(.closed)
            case "/headers": .failing(.endlessHeaders)
            default: .failing(.raw(Data("nonsense".utf8)))
            }
        }
        defer { server.stop() }
        func answer(_ path: String) -> String {
            let client = RawClient(port: server.port)
            client.send("GET \(path) HTTP/1.1\r\n\r\n")
            return client.read()
        }
        #expect(answer("/declared").hasSuffix("Content-Length: 99\r\n\r\n0123456789"))
        #expect(answer("/chunks").hasSuffix("5\r\n01234\r\nnot a size\r\n\r\n"))
        #expect(answer("/truncated").hasSuffix("Content-Length: 10\r\n\r\n0123"))
        #expect(answer("/negative").hasSuffix("Content-Length: 10\r\n\r\n"))
        #expect(answer("/less").hasSuffix("Content-Length: 0\r\n\r\n"))
        #expect(answer("/closed").isEmpty)
        #expect(answer("/headers").utf8.count > 4 << 20)
        #expect(answer("/raw") == "nonsense")
    }

    @Test(
        "A client that disconnects is detected while the server does not respond",
        arguments: [ServedResponse(fault: .noAnswer), ServedResponse(delay: .seconds(600))]
    )
    func noticesPeer(response: ServedResponse) async throws {
        let server = try LoopbackServer { _ in response }
        defer { server.stop() }
        do {
            let client = RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\n\r\n")
            try await eventually { server.requests.count == 1 }
            #expect(server.connections[0].peerClosed == nil)
        }
        try await eventually(within: .seconds(5)) { server.connections[0].peerClosed != nil }
    }

    @Test("A client that has finished sending receives the whole response, also after a delay")
    func finishedSending() throws {
        let server = try LoopbackServer { request in
            ServedResponse(
                body: .repeated(65, count: request.path == "/big" ? 30 << 20 : 5),
                delay: request.path == "/big" ? .zero : .milliseconds(200)
            )
        }
        defer { server.stop() }
        for (path, count) in [("/big", 30 << 20), ("/late", 5)] {
            let client = RawClient(port: server.port)
            client.send("GET \(path) HTTP/1.1\r\n\r\n")
            client.finishSending()
            let (answer, head) = (client.read(limit: .max), "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
            #expect(answer.hasPrefix(head) && answer.utf8.count == head.utf8.count + count, "\(path)")
        }
    }

    @Test("A call of stop() during another one returns when the threads have ended, too")
    func stopsTwice() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer(immediateHandler: { _ in
            gate.wait()
            return ServedResponse()
        })
        defer { gate.signal() }
        let client = RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\n\r\n")
        try await eventually { server.requests.count == 1 }
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let stop: @Sendable () -> Void = {
            server.stop()
            end.yield(server.connections[0].isClosed)
        }
        Thread.detachNewThread(stop)
        #expect(client.read().isEmpty && client.isClosed, "the first call waits for the handler")
        Thread.detachNewThread(stop)
        // Enough for a call that does not wait.
        try await Task.sleep(for: .milliseconds(100))
        gate.signal()
        #expect(await ends.prefix(2).reduce(into: []) { $0.append($1) } == [true, true])
    }

    @Test("Stopping ends handlers, delays and idle connections")
    func stops() async throws {
        let server = try LoopbackServer(limits: RequestLimits(time: .seconds(Int64.max))) { request in
            if request.path == "/handler" { try? await Task.sleep(for: .seconds(600)) }
            if request.path == "/delay" { return ServedResponse(delay: .seconds(Int64.max)) }
            return .failing(.noAnswer)
        }
        let clients = ["/handler", "/delay", "/silent"].map { path in
            let client = RawClient(port: server.port)
            client.send("GET \(path) HTTP/1.1\r\n\r\n")
            return client
        }
        try await eventually { server.requests.count == 3 }
        server.stop()
        #expect(server.connections.map(\.isClosed) == [true, true, true])
        #expect(clients.map { $0.read() } == ["", "", ""])
    }
}
