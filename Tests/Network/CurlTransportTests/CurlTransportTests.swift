import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import Testing
import TransportConformance

@testable import CurlTransport

@Suite("CurlTransport", .timeLimit(.minutes(5)))
struct CurlTransportTests {
    private func example() async throws {
        let transport = CurlTransport(configuration: CurlConfiguration(maximumExchangesPerOrigin: 8))
        let response = try await transport.send(HTTPRequest(.get, "http://127.0.0.1:8080/dogs"))
        for try await piece in response.body { print(piece.count) }
    }

    @Test("A body is streamed, as in the landing page's example")
    func landingPage() async throws {
        let server = try LoopbackServer { _ in .text("멍멍") }
        defer { server.stop() }
        do {
            try await example()
        } catch {
            // No program, or another one, uses the port of the example.
            let code = (error as? HTTPTransportError)?.code
            #expect(code == .cannotConnect || code == .malformedResponse || code == .noResponse, "\(error)")
        }
        let transport = CurlTransport(configuration: CurlConfiguration(maximumExchangesPerOrigin: 8))
        let response = try await transport.send(HTTPRequest(.get, server.baseURL + "/dogs"))
        var count = 0
        for try await piece in response.body { count += piece.count }
        #expect(count == 6)
    }

    @Test("Every example of the landing page is compiled by a test")
    func examplesAreCompiled() throws {
        #expect(try DocumentedExamples(of: "CurlTransport", count: 3).missing == [])
    }

    @Test("The landing page's connection settings are valid, and a missing file is reported before connecting")
    func landingPageSettings() async throws {
        let pin = try HTTPTLSSettings.PublicKeyPin("sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
        let tls = HTTPTLSSettings(trust: .authorities(.file(path: "company.pem")), pins: [pin])
        let proxy = HTTPProxyServer(.socks5, host: "127.0.0.1", port: 1080, exceptions: ["example.com"])
        let connection = HTTPConnectionSettings(tls: tls, proxy: .server(proxy))
        let pinned = CurlTransport(configuration: CurlConfiguration(connection: connection))
        let direct = CurlTransport(configuration: CurlConfiguration(connection: HTTPConnectionSettings(proxy: .none)))
        #expect(direct.configuration.connection.proxy == .none)
        let error = await #expect(throws: HTTPTransportError.self) {
            try await pinned.send(HTTPRequest(.get, "https://127.0.0.1/"))
        }
        #expect(error?.code == .invalidSettings)
        #expect(error?.detail.contains("company.pem") == true)
    }

    @Test("An exchange that fails or is cancelled is reported once as failed, with its metrics so far")
    func failureHasMetrics() async throws {
        let server = try LoopbackServer { _ in .failing(.declaredLength(99), body: Data(count: 10)) }
        defer { server.stop() }
        let transport = CurlTransport()
        // No server of another test gets a port that only the superuser's programs listen on.
        for (url, code, received) in [
            (server.baseURL, HTTPTransportError.Code.bodyTruncated, 10), ("http://127.0.0.1:1", .cannotConnect, 0),
        ] {
            let log = EventLog()
            let error = await #expect(throws: HTTPTransportError.self) {
                try await transport.send(HTTPRequest(.get, url), events: log.take).body.collect()
            }
            #expect(log.metrics == nil && error?.code == code, "\(String(describing: error))")
            #expect(log.failures.map(\.error) == [error])
            let metrics = try #require(log.failures.first?.metrics)
            #expect(metrics.bytesReceived == received && metrics.total > .zero)
            #expect(metrics.isConnectionReused == (received > 0 ? false : nil))
        }
        let endless = try LoopbackServer { _ in .failing(.endlessBody) }
        defer { endless.stop() }
        let log = EventLog()
        let response = try await transport.send(HTTPRequest(.get, endless.baseURL), events: log.take)
        response.body.cancel()
        try await eventually { log.failures.map(\.error.code) == [.cancelled] }
    }

    /// A server that responds at once, so that a task's thread waits for it, and then late, in pieces or never.
    private static func promptServer() throws -> LoopbackServer {
        try LoopbackServer(immediateHandler: { request in
            switch request.path {
            case "/late": ServedResponse(body: .data(Data("late".utf8)), delay: .milliseconds(20))
            case "/long": ServedResponse(body: .repeated(7, count: 3 << 20))
            case "/never": .failing(.noAnswer)
            default: .text("prompt")
            }
        })
    }

    @Test("A late response and a long one after prompt ones arrive, and other requests do not wait for them")
    func promptThenLate() async throws {
        let server = try Self.promptServer()
        defer { server.stop() }
        let (transport, base) = (CurlTransport(), server.baseURL)
        for _ in 0..<20 {
            for _ in 0..<5 { #expect(try await get(base, transport) == "200 prompt") }
            async let late = get(base + "/late", transport)
            #expect(try await get(base, transport) == "200 prompt")
            #expect(try await late == "200 late")
            for _ in 0..<5 { #expect(try await get(base, transport) == "200 prompt") }
            var pieces = try await transport.send(HTTPRequest(.get, base + "/long")).body.makeAsyncIterator()
            var count = 0
            while let piece = try await pieces.next() { count += piece.count }
            #expect(count == 3 << 20)
        }
    }

    @Test("A cancelled request closes its socket within 10 ms, by the median of 21, also after prompt responses")
    func cancelsPromptly() async throws {
        let server = try Self.promptServer()
        defer { server.stop() }
        let transport = CurlTransport()
        let url = server.baseURL
        var times: [Duration] = []
        for round in 0..<21 {
            for _ in 0..<4 { _ = try await get(url, transport) }
            let task = Task { try await transport.send(HTTPRequest(.get, url + "/never")).status }
            try await eventually { server.requests.count == 5 * (round + 1) }
            let start = ContinuousClock.now
            task.cancel()
            _ = await task.result
            try await eventually(within: .seconds(5)) { server.connections[round].peerClosed != nil }
            times.append(try #require(server.connections[round].peerClosed) - start)
        }
        #expect(times.sorted()[10] <= .milliseconds(10))
    }

    @Test("A request that may have been processed is not sent twice when a reused connection breaks")
    func sendsOnce() async throws {
        let server = try LoopbackServer { $0.path == "/first" ? .text("kept") : .failing(.closed) }
        defer { server.stop() }
        let transport = CurlTransport()
        for body in [HTTPBody.none, .data(Data("1 bone".utf8))] {
            _ = try await transport.send(HTTPRequest(.get, server.baseURL + "/first")).body.collect()
            let before = server.requests.count
            let error = await #expect(throws: HTTPTransportError.self) {
                try await transport.send(HTTPRequest(.post, server.baseURL + "/pay", body: body))
            }
            #expect(error?.code == .noResponse)
            #expect(server.requests.count == before + 1)
            let connections = server.requests.suffix(2).map(\.connection)
            #expect(connections.first == connections.last)
        }
        // A request that may be sent twice is sent again: because of its method, or of a key by which the server detects it.
        for (method, headers) in [(HTTPMethod.put, [:] as HTTPHeaders), (.post, ["Idempotency-Key": "7"])] {
            _ = try await transport.send(HTTPRequest(.get, server.baseURL + "/first")).body.collect()
            let before = server.requests.count
            _ = try? await transport.send(HTTPRequest(method, server.baseURL + "/pay", headers: headers))
            #expect(server.requests.count == before + 2)
        }
    }

    @Test("Shutting down ends running and waiting exchanges and rejects later ones")
    func shutsDown() async throws {
        let server = try LoopbackServer { _ in .failing(.noAnswer) }
        defer { server.stop() }
        let url = server.baseURL
        let transport = CurlTransport(configuration: CurlConfiguration(maximumExchangesPerOrigin: 2))
        let tasks = (0..<5).map { _ in Task { try await transport.send(HTTPRequest(.get, url)).status } }
        try await eventually { server.requests.count == 2 }
        transport.shutdown()
        for task in tasks { #expect(await code(of: task) == .shutDown) }
        #expect(await code(of: Task { try await transport.send(HTTPRequest(.get, url)).status }) == .shutDown)
        try await eventually(within: .seconds(5)) { server.connections.filter { $0.peerClosed != nil }.count == 2 }
    }

    @Test("Releasing the transport closes its connections")
    func closesOnDeinit() async throws {
        let server = try LoopbackServer { _ in .text("x") }
        defer { server.stop() }
        do {
            let transport = CurlTransport()
            _ = try await transport.send(HTTPRequest(.get, server.baseURL)).body.collect()
            #expect(server.connections[0].peerClosed == nil)
        }
        try await eventually(within: .seconds(5)) { server.connections[0].peerClosed != nil }
    }

    @Test("Releasing a body that never ends closes its socket")
    func closesEndless() async throws {
        let server = try LoopbackServer { _ in .failing(.endlessBody) }
        defer { server.stop() }
        let transport = CurlTransport()
        for try await piece in try await transport.send(HTTPRequest(.get, server.baseURL)).body where !piece.isEmpty {
            break
        }
        try await eventually(within: .seconds(5)) { server.connections[0].peerClosed != nil }
    }

    @Test("An event handler may cancel another exchange and end the transport")
    func handlerUsesTransport() async throws {
        let server = try LoopbackServer { $0.path == "/endless" ? .failing(.endlessBody) : .text("some text") }
        defer { server.stop() }
        let transport = CurlTransport()
        let other = try await transport.send(HTTPRequest(.get, server.baseURL + "/endless"))
        let response = try await transport.send(HTTPRequest(.get, server.baseURL)) { event in
            guard case .finished = event else { return }
            other.body.cancel()
            transport.shutdown()
        }
        #expect(try await response.body.collect().count == 9)
        let error = await #expect(throws: HTTPTransportError.self) { try await other.body.collect() }
        #expect(error?.code == .cancelled)
        try await eventually { server.connections.allSatisfy { $0.peerClosed != nil } }
    }

    @Test("A body can be read after the transport has been released")
    func bodyKeepsTransport() async throws {
        let server = try LoopbackServer { _ in ServedResponse(body: .repeated(1, count: 5 << 20)) }
        defer { server.stop() }
        let response = try await CurlTransport().send(HTTPRequest(.get, server.baseURL))
        #expect(try await response.body.collect().count == 5 << 20)
    }

    @Test("No more exchanges run with one origin than allowed, and all are performed")
    func queues() async throws {
        let server = try LoopbackServer { ServedResponse(body: .data(Data($0.path.utf8)), delay: .milliseconds(5)) }
        defer { server.stop() }
        let url = server.baseURL
        let transport = CurlTransport(configuration: CurlConfiguration(maximumExchangesPerOrigin: 3))
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<30 {
                group.addTask {
                    let body = try? await transport.send(HTTPRequest(.get, "\(url)/\(number)")).body.collect()
                    return body == Data("/\(number)".utf8)
                }
            }
            for await isRight in group { #expect(isRight) }
        }
        #expect(server.connections.count == 3)
    }

    @Test("A waiting exchange expires its total timeout or is cancelled before anything is sent")
    func endsWaiting() async throws {
        let server = try LoopbackServer { _ in .failing(.noAnswer) }
        defer { server.stop() }
        let url = server.baseURL
        let transport = CurlTransport(configuration: CurlConfiguration(maximumExchangesPerOrigin: 1))
        let first = Task { try await transport.send(HTTPRequest(.get, url)).status }
        try await eventually { server.requests.count == 1 }
        var request = try HTTPRequest(.get, url)
        request.timeouts.total = .milliseconds(50)
        let limited = Task { [request] in try await transport.send(request).status }
        #expect(await code(of: limited) == .timedOut(.total))
        let waiting = Task { try await transport.send(HTTPRequest(.get, url)).status }
        waiting.cancel()
        #expect(await code(of: waiting) == .cancelled)
        first.cancel()
        #expect(await code(of: first) == .cancelled)
        #expect(server.requests.count == 1)
    }

    @Test("Of two readers of a body one fails at once, and the other one can be cancelled")
    func twoReaders() async throws {
        let server = try LoopbackServer { _ in .failing(.stalled(after: 4), body: Data(count: 10)) }
        defer { server.stop() }
        let body = try await CurlTransport().send(HTTPRequest(.get, server.baseURL)).body
        var first = body.makeAsyncIterator()
        _ = try await first.next()
        let codes = await withTaskGroup(of: HTTPTransportError.Code?.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    var reader = body.makeAsyncIterator()
                    do throws(HTTPTransportError) { _ = try await reader.next() } catch { return error.code }
                    return nil
                }
            }
            let early = await group.next() ?? nil
            body.cancel()
            return [early, await group.next() ?? nil]
        }
        #expect(codes == [.invalidBody, .cancelled])
    }

    @Test(
        "Deflate data with and without a wrapper, and gzip members, are decompressed in any pieces; padding is ignored",
        arguments: [1, 2, 1_000]
    )
    func deflates(_ size: Int) async throws {
        let raw: [UInt8] = [1, 3, 0, 0xfc, 0xff, 0x61, 0x62, 0x63]
        let wrapped: [UInt8] = [0x78, 1] + raw + [2, 0x4d, 1, 0x27]
        let members = Gzip.stored(Data("ab".utf8)) + Gzip.stored(Data("c".utf8))
        let bodies = [
            "/raw": Data(raw), "/wrapped": Data(wrapped), "/gzip": members,
            "/padded": members + Data("xx\u{1f}abcd".utf8), "/half": members + [0x1f],
        ]
        let server = try LoopbackServer { request in
            let coding = ["/raw", "/wrapped"].contains(request.path) ? "deflate" : "gzip"
            return ServedResponse(
                headers: [("Content-Encoding", coding)],
                body: .data(bodies[request.path] ?? Data()),
                framing: .chunked(size: size)
            )
        }
        defer { server.stop() }
        for path in bodies.keys {
            let response = try await CurlTransport().send(HTTPRequest(.get, server.baseURL + path))
            #expect(try await response.body.collect() == Data("abc".utf8), "\(path)")
        }
    }

    @Test(
        "Brotli and zstd are requested and decompressed where libcurl has them; what is cut off fails, and padding is ignored",
        arguments: [1, 7, 1_000]
    )
    func decompressesNewerCodings(_ size: Int) async throws {
        let coded: [String: [UInt8]] = [
            "br": [
                0x5b, 0xdf, 0x93, 0x84, 0x5f, 0x32, 0x4c, 0x6c, 0x2c, 0x3e, 0x0b, 0x02, 0x2e, 0x17, 0x09, 0x34,
            ],
            "zstd": [
                0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0xe0, 0x93, 0x04, 0x00, 0x5c, 0x00, 0x00, 0x18, 0x61, 0x62, 0x63, 0x01,
                0x00, 0xfa, 0xff, 0xe6, 0x6e, 0x08, 0x4c, 0x00, 0x00, 0x08, 0x63, 0x01, 0x00, 0xfc, 0xff, 0x39, 0x10,
                0x02, 0x4d, 0x00, 0x00, 0x08, 0x62, 0x01, 0x00, 0xdc, 0x13, 0x1d, 0x08, 0x01,
            ],
        ]
        let server = try LoopbackServer { request in
            let coding = String(request.path.dropFirst())
            let bytes = Data(coded[coding] ?? [])
            let body =
                switch request.method {
                case "PUT": bytes.dropLast(3)
                case "POST": bytes + bytes
                case "PATCH": bytes + Data("\n".utf8)
                case "DELETE": bytes + Data("padding".utf8) + bytes
                default: bytes
                }
            return ServedResponse(
                headers: [("Content-Encoding", coding)],
                body: .data(body),
                framing: .chunked(size: size)
            )
        }
        defer { server.stop() }
        let transport = CurlTransport()
        for coding in coded.keys where ContentDecoder.supported.contains(coding) {
            let response = try await transport.send(HTTPRequest(.get, server.baseURL + "/" + coding))
            let whole = Data(String(repeating: "abc", count: 100_000).utf8)
            #expect(try await response.body.collect() == whole, "\(coding)")
            // Further frames belong to the body (RFC 8878, section 3.1); brotli has none.
            let twice = try await transport.send(HTTPRequest(.post, server.baseURL + "/" + coding))
            #expect(try await twice.body.collect() == (coding == "zstd" ? whole + whole : whole), "\(coding)")
            for method in [HTTPMethod.patch, .delete] {
                let padded = try await transport.send(HTTPRequest(method, server.baseURL + "/" + coding))
                #expect(try await padded.body.collect() == whole, "\(coding)")
            }
            let cut = await transport.failure(try HTTPRequest(.put, server.baseURL + "/" + coding))
            #expect(cut?.code == .badContentEncoding, "\(coding)")
        }
        let fields = server.requests.map { $0.header("Accept-Encoding") }
        #expect(fields.allSatisfy { $0 == ContentDecoder.supported })
    }

    @Test("A malformed chunk size is a malformed response, which is not retried")
    func malformedChunk() async throws {
        let server = try LoopbackServer { _ in .failing(.brokenChunks, body: Data(count: 10)) }
        defer { server.stop() }
        #expect(await CurlTransport().failure(try HTTPRequest(.get, server.baseURL))?.code == .malformedResponse)
    }

    @Test("A request with a range does not ask for compression, since a part cannot be decompressed")
    func rangeWithoutCompression() async throws {
        let server = try LoopbackServer { .text($0.header("Accept-Encoding") ?? "none") }
        defer { server.stop() }
        let transport = CurlTransport()
        let cases: [(HTTPHeaders, String)] = [(["Range": "bytes=1-"], "none"), ([:], ContentDecoder.supported)]
        for (headers, expected) in cases {
            let response = try await transport.send(HTTPRequest(.get, server.baseURL, headers: headers))
            #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == expected)
        }
    }

    @Test("A libcurl older than 7.68 is rejected with its version")
    func refusesOldLibrary() throws {
        let error = #expect(throws: HTTPTransportError.self) {
            try CurlLibrary.check(number: 0x07_43_00, name: "7.67.0")
        }
        #expect(error?.code == .library)
        #expect(error?.detail.contains("7.67.0") == true)
        try CurlLibrary.check(number: 0x07_44_00, name: "7.68.0")
    }

    @Test("A missing libcurl, and a library without its functions, are reported with the package to install")
    func missingLibrary() throws {
        #if canImport(Darwin)
            let other = "/usr/lib/libz.1.dylib"
        #else
            let other = "libz.so.1"
        #endif
        for (library, reason) in [
            ("libcurl-that-is-missing.so", "libcurl-that-is-missing.so"), (other, "curl_global_init"),
        ] {
            let error = #expect(throws: HTTPTransportError.self) { try CurlLibrary.load(library) }
            #expect(error?.code == .library)
            #expect(error?.detail.contains("libcurl4") == true)
            #expect(error?.detail.contains(reason) == true, "\(error?.detail ?? "")")
        }
        // The library that was loaded before is used further.
        try CurlLibrary.start()
    }

    @Test("A slow reader receives all of 64 MB, and its pauses are not idle time")
    func slowReader() async throws {
        let server = try LoopbackServer { _ in ServedResponse(body: .repeated(3, count: 64 << 20)) }
        defer { server.stop() }
        var request = try HTTPRequest(.get, server.baseURL)
        request.timeouts.idle = .seconds(1)
        let transport = CurlTransport()
        var count = 0
        var pieces = 0
        for try await piece in try await transport.send(request).body {
            count += piece.count
            pieces += 1
            if pieces == 3 { try await transport.pause(longerThan: request.timeouts.idle) }
        }
        #expect(count == 64 << 20)
    }

    private func code(of task: Task<Int, any Error>) async -> HTTPTransportError.Code? {
        switch await task.result {
        case .success: nil
        case .failure(let error): (error as? HTTPTransportError)?.code
        }
    }

    @Test("A process may exit while its first requests begin", arguments: 0..<24)
    func exitsEarly(_ step: Int) async {
        await #expect(processExitsWith: .success) { [step = step as Int] in
            for _ in 0..<3 {
                Task.detached {
                    let request = try HTTPRequest(.get, "https://127.0.0.1:1/")
                    _ = await CurlTransport().failure(request)
                }
            }
            usleep(UInt32(step) * 500)
            exit(0)
        }
    }
}
