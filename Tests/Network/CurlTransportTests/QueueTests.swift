import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import Testing

@testable import CurlTransport

@Suite("CurlTransport's queue", .timeLimit(.minutes(5)))
struct QueueTests {
    @Test("A request behind endless streams fails in time, with the running exchanges and the setting to raise")
    func behindStreams() async throws {
        #expect(HTTPTimeouts().queue == .seconds(60))
        let server = try LoopbackServer { _ in .failing(.stalled(after: 4), body: Data(count: 10)) }
        defer { server.stop() }
        let other = try LoopbackServer { _ in .text("free") }
        defer { other.stop() }
        let transport = CurlTransport(configuration: CurlConfiguration(maximumExchangesPerOrigin: 2))
        var request = try HTTPRequest(.get, server.baseURL)
        let streams = [try await transport.send(request), try await transport.send(request)]
        request.timeouts.queue = .milliseconds(200)
        let error = try #require(await transport.failure(request))
        #expect(error.code == .timedOut(.queue))
        for part in ["2 exchanges with \(server.baseURL)", "maximumExchangesPerOrigin (2)"] {
            #expect(error.description.contains(part), "\(error)")
        }
        #expect(server.requests.count == 2)
        // Another origin's places are its own.
        request.url = try HTTPRequest(.get, other.baseURL).url
        #expect(await transport.failure(request) == nil)
        for stream in streams { stream.body.cancel() }
    }

    @Test("A request above the limit for all origins fails with that setting")
    func noPlaceAtAll() async throws {
        let server = try LoopbackServer { _ in .failing(.endlessBody) }
        defer { server.stop() }
        let other = try LoopbackServer { _ in .text("free") }
        defer { other.stop() }
        let transport = CurlTransport(configuration: CurlConfiguration(maximumExchanges: 1))
        let stream = try await transport.send(HTTPRequest(.get, server.baseURL))
        var request = try HTTPRequest(.get, other.baseURL)
        request.timeouts.queue = .milliseconds(200)
        let error = try #require(await transport.failure(request))
        #expect(error.code == .timedOut(.queue))
        for part in ["1 exchanges are running, 1 of them with bodies that are not read", "maximumExchanges (1)"] {
            #expect(error.description.contains(part), "\(error)")
        }
        stream.body.cancel()
        #expect(await transport.failure(request) == nil)
    }

    @Test("A long queue that makes progress may take longer than the queue timeout")
    func movesOn() async throws {
        let server = try LoopbackServer { _ in ServedResponse(delay: .milliseconds(200)) }
        defer { server.stop() }
        let transport = CurlTransport(configuration: CurlConfiguration(maximumExchangesPerOrigin: 1))
        var request = try HTTPRequest(.get, server.baseURL)
        request.timeouts.queue = .seconds(3)
        let failures = await withTaskGroup(of: HTTPTransportError?.self) { group in
            for _ in 0..<20 { group.addTask { [request] in await transport.failure(request) } }
            return await group.reduce(into: [HTTPTransportError]()) { if let error = $1 { $0.append(error) } }
        }
        #expect(failures.isEmpty)
    }

    @Test("The timeouts of ten thousand waiting requests expire within seconds")
    func manyExpire() async throws {
        let server = try LoopbackServer { _ in .failing(.noAnswer) }
        defer { server.stop() }
        let transport = CurlTransport(configuration: CurlConfiguration(maximumExchangesPerOrigin: 1))
        let first = Task { [url = server.baseURL] in try await transport.send(HTTPRequest(.get, url)).status }
        try await eventually { server.requests.count == 1 }
        let request = try HTTPRequest(.get, server.baseURL)
        let codes = try await within(.seconds(60)) {
            await withTaskGroup(of: HTTPTransportError.Code?.self) { group in
                for number in 0..<10_000 {
                    var request = request
                    // Each in a different millisecond, as if they had come over a second.
                    request.timeouts.total = .milliseconds(500 + number / 10)
                    group.addTask { [request] in await transport.failure(request)?.code }
                }
                return await group.reduce(into: [HTTPTransportError.Code?: Int]()) { $0[$1, default: 0] += 1 }
            }
        }
        #expect(codes == [.timedOut(.total): 10_000])
        first.cancel()
        _ = await first.result
    }

    @Test("The queue behaves as a simple list", arguments: 0..<20)
    func model(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let loop = try CurlLoop(configuration: CurlConfiguration())
        defer { loop.stop() }
        var queue = ExchangeQueue()
        var (waiting, running): ([CurlExchange], [CurlExchange]) = ([], [])
        let most = 3
        for now in 0..<Nanoseconds(2_000) {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<4:
                var request = try HTTPRequest(.get, "http://\("abc".randomElement(using: &generator) ?? "a")/")
                request.timeouts.queue = nil
                if Bool.random(using: &generator) {
                    request.timeouts.total = .nanoseconds(Int.random(in: 0..<200, using: &generator))
                }
                let exchange = CurlExchange(
                    request: request,
                    upload: CurlUpload(CurlUpload.Source.none),
                    events: nil,
                    loop: loop
                )
                // The exchange counts from the real clock: this one's time is the number of the step.
                exchange.deadline = request.timeouts.total.map { now + $0.nanoseconds }
                queue.add(exchange, at: now)
                waiting.append(exchange)
            case 4..<6:
                let next = queue.next(perOrigin: most, at: now)
                let counts = Dictionary(grouping: running, by: \.origin).mapValues(\.count)
                let mayStart = waiting.filter { counts[$0.origin, default: 0] < most }
                #expect((next == nil) == mayStart.isEmpty)
                guard let next else { continue }
                #expect(mayStart.first { $0.origin == next.origin } === next)
                waiting.removeAll { $0 === next }
                running.append(next)
            case 6..<8:
                guard let left = running.randomElement(using: &generator) else { continue }
                running.removeAll { $0 === left }
                queue.leave(left)
            default:
                guard let gone = (waiting + running).randomElement(using: &generator) else { continue }
                waiting.removeAll { $0 === gone }
                if running.contains(where: { $0 === gone }) { continue }
                queue.remove(gone)
            }
            let expired = queue.expired(at: now, perOrigin: most).map { exchange, phase in
                #expect(phase == .total)
                return exchange
            }
            let due = waiting.filter { exchange in exchange.deadline.map { $0 <= now } ?? false }
            #expect(Set(expired.map(ObjectIdentifier.init)) == Set(due.map(ObjectIdentifier.init)))
            waiting.removeAll { exchange in due.contains { $0 === exchange } }
            // An exchange that is not waiting any more may have been the first.
            #expect(queue.nextDeadline > now && queue.nextDeadline <= waiting.compactMap(\.deadline).min() ?? .max)
            for origin in ["http://a", "http://b", "http://c"] {
                #expect(queue.running(origin) == running.filter { $0.origin == origin }.count)
            }
        }
        weak let last = waiting.last
        #expect(Set(queue.removeAll().map(ObjectIdentifier.init)) == Set(waiting.map(ObjectIdentifier.init)))
        #expect(queue.nextDeadline == .max)
        waiting = []
        #expect(last == nil, "removed exchanges are released")
    }
}
