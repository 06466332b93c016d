import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import Testing
import Threading

@testable import CurlTransport

@Suite("CurlTransport and hostile servers", .timeLimit(.minutes(5)))
struct HostileServerTests {
    @Test("Every malformed response is a typed error within its timeout, and the next correct request succeeds")
    func survives() async throws {
        let count = isLongRun ? 10_000 : 400
        let start = UInt64.random(in: 0..<1 << 32)
        print("hostile exchanges: seeds \(start)..<\(start + UInt64(count))")
        let server = try LoopbackServer(immediateHandler: { request in
            request.path == "/honest"
                ? .text("honest") : HostileResponse(seed: UInt64(request.path.dropFirst()) ?? 0).response
        })
        defer { server.stop() }
        let transport = CurlTransport()
        let base = server.baseURL
        let problems = Locked<[String]>([])
        let next = Locked(start)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    while true {
                        let seed = next.withLock { next in
                            defer { next += 1 }
                            return next
                        }
                        guard seed < start + UInt64(count) else { return }
                        if let problem = await HostileServerTests.exchange(seed, base, transport) {
                            problems.withLock { $0.append(problem) }
                        }
                    }
                }
            }
        }
        let found = problems.withLock { $0 }
        #expect(found.isEmpty, "\(found.count) of \(count):\n\(found.prefix(20).joined(separator: "\n"))")
        #expect(try await transport.send(HTTPRequest(.get, base + "/honest")).body.collect() == Data("honest".utf8))
        transport.shutdown()
        try await eventually(within: .seconds(5)) {
            server.connections.allSatisfy { $0.isClosed || $0.peerClosed != nil }
        }
    }

    @Test("A head that begins with a continuation line is rejected, also after correct responses")
    func refusesFoldedStart() async throws {
        let server = try LoopbackServer { request in
            let folded = "HTTP/1.1 200 OK\r\n\tfolded\r\nContent-Length: 1\r\n\r\na"
            return request.path == "/folded" ? .failing(.raw(Data(folded.utf8))) : .text("right")
        }
        defer { server.stop() }
        let transport = CurlTransport()
        for _ in 0..<20 {
            _ = try await transport.send(HTTPRequest(.get, server.baseURL)).body.collect()
            let error = await #expect(throws: HTTPTransportError.self) {
                try await transport.send(HTTPRequest(.get, server.baseURL + "/folded"))
            }
            #expect(error?.code == .malformedResponse)
        }
        #expect(!CurlLibrary.mayReuseHandles(number: 0x07_58_01) && !CurlLibrary.mayReuseHandles(number: 0x08_01_00))
        #expect(CurlLibrary.mayReuseHandles(number: 0x07_52_00) && CurlLibrary.mayReuseHandles(number: 0x08_01_01))
    }

    @Test("A head that libcurl does not accept is too large, whatever the request's limits are")
    func libraryLimits() async throws {
        let line = "X: " + String(repeating: "a", count: 110_000) + "\r\n"
        let fields = Data("X: \(String(repeating: "a", count: 1_000))\r\n".utf8)
        let server = try LoopbackServer { request in
            let start = Data(("HTTP/1.1 200 OK\r\n" + (request.path == "/line" ? line : "")).utf8)
            return .failing(.script([.send(start), .flood(fields, atMost: 4 << 20)]))
        }
        defer { server.stop() }
        for path in ["line", "fields"] {
            var request = try HTTPRequest(.get, server.baseURL + "/" + path)
            request.limits = HTTPLimits(headerBytes: 1 << 20, headerFields: 1_000_000)
            let error = await CurlTransport().failure(request)
            #expect(error?.code == .headersTooLarge)
            if path == "line" {
                #expect(error?.detail == "a line of it is longer than the 100 KiB that libcurl allows")
            }
        }
    }

    /// Runs the exchange of a seed; returns what went wrong, nil if nothing did.
    private static func exchange(_ seed: UInt64, _ base: String, _ transport: CurlTransport) async -> String? {
        let hostile = HostileResponse(seed: seed)
        var generator = SeededGenerator(seed: ~seed)
        let start = ContinuousClock.now
        let posts = Int.random(in: 0..<4, using: &generator) == 0
        do throws(HTTPTransportError) {
            var request = try HTTPRequest(
                posts ? .post : .get,
                "\(base)/\(seed)",
                body: posts ? .data(Data(count: Int.random(in: 0..<100_000, using: &generator))) : .none
            )
            request.timeouts = HTTPTimeouts(connect: .seconds(20), idle: .milliseconds(250), total: .milliseconds(900))
            if hostile.codes.contains(.timedOut(.idle)) == false { request.timeouts.idle = .seconds(20) }
            if hostile.codes.contains(where: { if case .timedOut = $0 { true } else { false } }) == false {
                request.timeouts.total = .seconds(20)
            }
            let response = try await transport.send(request)
            if Bool.random(using: &generator) {
                _ = try await response.body.collect(upTo: 64 << 20)
            } else {
                for try await _ in response.body {}
            }
            return hostile.codes.isEmpty ? nil : "seed \(seed): \(hostile.name) was accepted as a response"
        } catch {
            let took = ContinuousClock.now - start
            // Its timeout, and what a loaded machine may add.
            let isTimeout = if case .timedOut = error.code { true } else { false }
            if took > (isTimeout ? .seconds(6) : .seconds(15)) {
                return "seed \(seed): \(hostile.name) took \(took): \(error)"
            }
            var allowed = hostile.codes
            // A cached connection that the server has closed since: a request that may have been processed is not sent again.
            if posts { allowed.formUnion([.connectionLost, .noResponse]) }
            // On a slow machine the time for the whole may be over before the server has been silent for long enough.
            if allowed.contains(.timedOut(.idle)) { allowed.insert(.timedOut(.total)) }
            if !hostile.codes.isEmpty, !allowed.contains(error.code) {
                return "seed \(seed): \(hostile.name) gave \(error.code): \(error)"
            }
            return error.code == .library || error.code == .cancelled ? "seed \(seed): \(hostile.name): \(error)" : nil
        }
    }
}
