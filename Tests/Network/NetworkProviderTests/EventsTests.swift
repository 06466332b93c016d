import Foundation
import HTTPCaching
import LoopbackServer
import NetworkTestSupport
import TestSupport
import Testing

@testable import NetworkProvider

@Suite("Server-sent events and lines")
struct EventsTests {
    private let clock = InstantClock()

    private var policy: EventPolicy { EventPolicy(maximumFailures: 3, clock: clock, random: { 0 }) }

    /// The events of a text given in pieces of one size.
    private func parse(_ text: String, by size: Int) throws -> [ServerSentEvent] {
        var parser = EventParser(limit: 1_000)
        let bytes = Array(text.utf8)
        return try stride(from: 0, to: bytes.count, by: size).flatMap {
            try parser.events(in: bytes[$0..<min($0 + size, bytes.count)])
        }
    }

    @Test("The stream is parsed the same however its bytes are divided", arguments: [1, 2, 3, 7, 1_000])
    func grammar(_ size: Int) throws {
        // The examples of WHATWG HTML, section 9.2.6, and its finer rules.
        let stream =
            "\u{feff}: test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\r\n\r\n"
            + "data: YHOO\rdata: +2\rdata: 10\r\rdata\n\ndata\ndata\n\nevent: add\ndata: 강아지\n\n"
            + "event: lost\n\nid: 9\u{0}\nid: 7\nretry: 12x\nodd: field\n\ndata: seven\n\ndata: unfinished\n"
        #expect(
            try parse(stream, by: size) == [
                ServerSentEvent(data: "first event", id: "1"), ServerSentEvent(data: "second event"),
                ServerSentEvent(data: " third event"), ServerSentEvent(data: "YHOO\n+2\n10"),
                ServerSentEvent(data: ""), ServerSentEvent(data: "\n"),
                ServerSentEvent(type: "add", data: "강아지"), ServerSentEvent(data: "seven", id: "7"),
            ]
        )
        #expect(throws: EventParser.Overflow.self) {
            try parse("data: " + String(repeating: "x", count: 1_001), by: size)
        }
        #expect(throws: EventParser.Overflow.self) {
            try parse(String(repeating: "data: 0123456789\n", count: 100), by: size)
        }
    }

    @Test("An ID without data is the last ID, and one whose block has not ended is not")
    func lastID() throws {
        var parser = EventParser(limit: 1_000)
        #expect(try parser.events(in: Array("id: 7\n\nid: 8\n".utf8)[...]).isEmpty)
        #expect(parser.lastID == "7")
    }

    private static func stream(_ text: String, status: Int = 200) -> ServedResponse {
        .text(text, status: status, contentType: "text/event-stream; charset=utf-8")
    }

    @Test("After a break the next connection sends the last event's ID, after the server's delay")
    func reconnects() async throws {
        let served = EventLog()
        let server = try LoopbackServer { request in
            served.add(request.header("Last-Event-ID") ?? "start")
            switch served.lines.count {
            case 1:
                var first = EventsTests.stream("retry: 7000\nid: a\ndata: 1\n\nid: b\ndata: 2\n\nid: c\ndata: lost")
                // libcurl itself would replace a cached connection that breaks without a response.
                first.closes = true
                return first
            case 2: return ServedResponse(fault: .closed)
            case 3: return EventsTests.stream("busy", status: 503)
            case 4:
                return ServedResponse(
                    headers: [("Content-Type", "text/event-stream")],
                    body: .data(Data("id: d\ndata: 3\n\nid: e\ndata: cut off".utf8)),
                    fault: .truncated(after: 20)
                )
            case 5: return EventsTests.stream("data: 4\n\n")
            default: return ServedResponse(status: 204)
            }
        }
        defer { server.stop() }
        var seen: [ServerSentEvent] = []
        for try await event in NetworkProvider().events(Call<Data>(base: server.baseURL), policy: policy) {
            seen.append(event)
        }
        #expect(seen.map(\.data) == ["1", "2", "3", "4"])
        #expect(seen.map(\.id) == ["a", "b", "d", "d"])
        #expect(served.lines == ["start", "b", "b", "b", "d", "d"])
        #expect(clock.sleeps == [.seconds(7), .seconds(14), .seconds(28), .seconds(7), .seconds(7)])
        #expect(server.requests.allSatisfy { $0.header("Accept") == "text/event-stream" })
        #expect(server.requests.allSatisfy { $0.header("Accept-Encoding") == "identity" })
    }

    @Test("An event stream is not cached, whatever the cache's policy is")
    func passesTheCache() async throws {
        let server = try LoopbackServer { request in
            request.header("Last-Event-ID") == nil
                ? EventsTests.stream("id: a\ndata: 1\n\n") : ServedResponse(status: 204)
        }
        defer { server.stop() }
        for policy in HTTPCachePolicy.allCases {
            var options = HTTPCache.Options()
            options.policy = policy
            let cache = HTTPCache(store: HTTPMemoryCacheStore(), options: options)
            let events = NetworkProvider(cache: cache).events(Call<Data>(base: server.baseURL), policy: self.policy)
            var seen: [String] = []
            for try await event in events { seen.append(event.data) }
            #expect(seen == ["1"], "\(policy)")
            #expect(cache.statistics == HTTPCacheStatistics(), "\(policy)")
        }
        #expect(server.requests.count == 2 * HTTPCachePolicy.allCases.count)
    }

    @Test("Another media type, and too many failures in a row, fail the stream")
    func fails() async throws {
        let two = "data: 1\n\ndata: 2\n\n"
        let server = try LoopbackServer { request in
            switch request.path {
            case "/html": .text("<html>", contentType: "text/html")
            case "/gone": .text("gone", status: 404)
            case "/unauthorized": .json(#"{"error":"the token has ended","token":"s3cret"}"#, status: 401)
            case "/down": .text("down", status: 503)
            case "/idle": EventsTests.stream("")
            case "/data": EventsTests.stream(two + String(repeating: "data: 0123456789\n", count: 100))
            default: EventsTests.stream(two + "data: " + String(repeating: "x", count: 2_000))
            }
        }
        defer { server.stop() }
        var policy = policy
        policy.maximumEventBytes = 1_000
        func failure(_ path: String) async -> NetworkError? {
            var events = NetworkProvider().events(Call<Data>(base: server.baseURL, path: path), policy: policy)
                .makeAsyncIterator()
            do throws(NetworkError) {
                // Those before an event that is too large, although they come together.
                for data in ["/data", "/line"].contains(path) ? ["1", "2"] : [] {
                    #expect(try await events.next()?.data == data)
                }
                let event = try await events.next()
                #expect(event == nil)
                return nil
            } catch {
                #expect(await (try? events.next()) == .some(nil))
                return error
            }
        }
        #expect(await failure("/html")?.description.contains("text/html, not text/event-stream") == true)
        #expect(await failure("/gone")?.status == 404)
        #expect(await failure("/gone")?.target == "Call<Data>")
        let unauthorized = await failure("/unauthorized")
        #expect(unauthorized?.response?.text == #"{"error":"the token has ended","token":"<redacted>"}"#)
        #expect(await failure("/html")?.response?.text == "<html>")
        let down = await failure("/down")
        #expect(down?.status == 503 && down?.response?.text == "down")
        #expect(server.requests.filter { $0.path == "/down" }.count == 4)
        for path in ["/data", "/line"] {
            let long = await failure(path)
            guard case .bodyTooLarge(1_000) = long?.reason else { throw UnexpectedResult() }
            #expect(long?.description.contains("raise EventPolicy.maximumEventBytes") == true)
        }
        // A server that ends each connection in order and sends nothing has failed as well.
        #expect(await failure("/idle")?.description.contains("ended the event stream 4 times in a row") == true)
        #expect(server.requests.filter { $0.path == "/idle" }.count == 4)
        policy.maximumFailures = 0
        #expect(await failure("/idle") == nil)
    }

    @Test("Comments alone show that the server is alive, however often it ends the connection")
    func heartbeats() async throws {
        let served = EventLog()
        let server = try LoopbackServer { _ in
            served.add("")
            switch served.lines.count {
            case ..<12: return EventsTests.stream(": ping\n\n")
            case 12: return EventsTests.stream("data: at last\n\n")
            default: return ServedResponse(status: 204)
            }
        }
        defer { server.stop() }
        var seen: [String] = []
        for try await event in NetworkProvider().events(Call<Data>(base: server.baseURL), policy: policy) {
            seen.append(event.data)
        }
        #expect(seen == ["at last"])
        #expect(clock.sleeps == Array(repeating: .seconds(3), count: 12))
    }

    @Test("Events arrive when they are sent, and cancelling the reader closes the socket")
    func live() async throws {
        let text = "data: first\n\n"
        let server = try LoopbackServer { _ in
            ServedResponse(
                headers: [("Content-Type", "text/event-stream")],
                body: .data(Data((text + "data: never\n\n").utf8)),
                fault: .stalled(after: text.utf8.count)
            )
        }
        defer { server.stop() }
        let log = EventLog()
        let base = server.baseURL
        let task = Task {
            for try await event in NetworkProvider().events(Call<Data>(base: base)) { log.add(event.data) }
        }
        try await eventually { log.lines == ["first"] }
        task.cancel()
        let error = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(error?.isCancellation == true)
        try await eventually(within: .seconds(5)) { server.connections[0].peerClosed != nil }
        #expect(server.requests.count == 1)
    }

    @Test("The lines of a body are the same however they end and however the bytes are divided")
    func lines() async throws {
        let server = try LoopbackServer { request in
            let body = request.path == "/" ? "a\n\nb\r\n강아지\rlast" : "a\nb\n" + String(repeating: "x", count: 500)
            // One byte in a piece, or all in one.
            return ServedResponse(
                body: .data(Data(body.utf8)),
                framing: request.path == "/whole" ? .contentLength : .chunked(size: 1)
            )
        }
        defer { server.stop() }
        let provider = NetworkProvider()
        var lines: [String] = []
        for try await line in try await provider.stream(Call<Data>(base: server.baseURL)).body.lines() {
            lines.append(line)
        }
        #expect(lines == ["a", "", "b", "강아지", "last"])
        for path in ["/long", "/whole"] {
            let long = try await provider.stream(Call<Data>(base: server.baseURL, path: path)).body.lines(upTo: 499)
            var first: [String] = []
            let error = await #expect(throws: HTTPTransportError.self) {
                for try await line in long { first.append(line) }
            }
            #expect(error?.code == .bodyTooLarge && first == ["a", "b"], "\(path)")
        }
    }

    @Test(
        "Endless lines, fields and data end at the limit, over a real socket",
        arguments: ["line", "data", "type", "id", "comment"]
    )
    func endless(_ kind: String) async throws {
        let unit =
            switch kind {
            case "data": "data: 0123456789\n"
            case "type": "event: 0123456789"
            case "id": "id: 0123456789"
            case "comment": ":0123456789"
            default: "0123456789"
            }
        let server = try LoopbackServer { _ in
            ServedResponse(
                headers: [("Content-Type", "text/event-stream")],
                body: .data(Data(String(repeating: unit, count: 200_000).utf8)),
                framing: .chunked(size: 10_000),
                fault: kind == "line" ? .endlessBody : nil
            )
        }
        defer { server.stop() }
        var policy = policy
        policy.maximumEventBytes = 100_000
        let error = await #expect(throws: NetworkError.self) {
            for try await _ in NetworkProvider().events(Call<Data>(base: server.baseURL), policy: policy) {}
        }
        guard case .bodyTooLarge(100_000) = error?.reason else { throw UnexpectedResult() }
        try await eventually(within: .seconds(5)) {
            server.connections[0].peerClosed != nil || server.connections[0].isClosed
        }
        #expect(server.requests.count == 1)
    }

    @Test("NUL, a BOM in the middle, invalid UTF-8 and lines that end with CR follow the standard", arguments: [1, 5])
    func odd(_ size: Int) throws {
        let bytes: [UInt8] =
            Array("\u{feff}\u{feff}data: no field\r\rdata: \u{feff}a\u{0}b\rid: 1\u{0}2\revent: e\r\r".utf8)
            + [0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xc3, 0x0d, 0x0d]
            + Array("\u{feff}data: lost\r\rid: a\tb\u{1b}\rid: ok\r\r\r\r\n\ndata\r\r".utf8)
        // The limit counts the line breaks between lines of data.
        for (last, isWithin) in [("", true), ("i", false)] {
            var small = EventParser(limit: 10)
            let events = try? small.events(in: "data:abcd\ndata:efgh\ndata:\(last)\n\n".utf8)
            #expect(events == (isWithin ? [ServerSentEvent(data: "abcd\nefgh\n")] : nil))
        }
        var parser = EventParser(limit: 1_000)
        let events = try stride(from: 0, to: bytes.count, by: size).flatMap {
            try parser.events(in: bytes[$0..<min($0 + size, bytes.count)])
        }
        #expect(
            events == [
                ServerSentEvent(type: "e", data: "\u{feff}a\u{0}b"), ServerSentEvent(data: "\u{fffd}\u{fffd}"),
                ServerSentEvent(data: "", id: "ok"),
            ]
        )
    }

    @Test("Any bytes, divided anywhere, produce the same events or the same error within the limit", arguments: 1...4)
    func fuzz(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces: [[UInt8]] = [
            Array("data: ".utf8), Array("id: ".utf8), Array("event:".utf8), Array("retry: 5".utf8), [13],
            [10], [13, 10], [0], [0xff], [58], Array("강".utf8), Array("\u{feff}".utf8), [10, 10],
        ]
        for _ in 0..<50 {
            let bytes = (0..<60).flatMap { _ in pieces.randomElement(using: &generator) ?? [] }
            func outcome(_ size: Int) -> [ServerSentEvent]? {
                var parser = EventParser(limit: 40)
                var events: [ServerSentEvent] = []
                for start in stride(from: 0, to: bytes.count, by: size) {
                    guard let more = try? parser.events(in: bytes[start..<min(start + size, bytes.count)]) else {
                        return nil
                    }
                    events += more
                }
                return events
            }
            let whole = outcome(bytes.count)
            for size in [1, 2, 7] { #expect(outcome(size) == whole, "seed \(seed)") }
            #expect((whole ?? []).allSatisfy { $0.data.utf8.count <= 3 * 40 }, "seed \(seed)")
        }
    }

    @Test("The delay that a server requires is limited by the policy")
    func hostileWaits() async throws {
        let served = EventLog()
        let server = try LoopbackServer { _ in
            served.add("")
            switch served.lines.count {
            case 1: return ServedResponse(status: 503, headers: [("Retry-After", "9")])
            case 2: return ServedResponse(status: 429, headers: [("Retry-After", "99999999999999")])
            case 3: return EventsTests.stream("retry: 0\ndata: 1\n\n")
            case 4: return EventsTests.stream("retry: 99999999999999999999999\ndata: 2\n\n")
            case 5: return EventsTests.stream("retry: 9223372036854775807\ndata: 3\n\n")
            default: return ServedResponse(status: 204)
            }
        }
        defer { server.stop() }
        for try await _ in NetworkProvider().events(Call<Data>(base: server.baseURL), policy: policy) {}
        #expect(clock.sleeps == [.seconds(9), .seconds(60), .milliseconds(50), .seconds(60), .seconds(60)])
    }
}
