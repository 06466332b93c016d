import Foundation
import HTTPTransport
import LoopbackServer
import Threading

extension ConformanceCase {
    /// What URLSession on Linux is known to do wrong, each as a case that every transport must pass or declare.
    ///
    /// Its other faults (a head without a limit, a truncated body) are among the other groups.
    static let urlSessionFaults: [ConformanceCase] = [
        ConformanceCase(
            "URLSession's fault: a 401 that asks for Basic credentials ends within its timeout",
            serving: { _ in ServedResponse(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")]) }
        ) { setting in
            let request = try setting.request { $0.timeouts.total = .seconds(1) }
            let start = ContinuousClock.now
            do { _ = try await setting.exchange(request) } catch is HTTPTransportError {}
            try expect(ContinuousClock.now - start < .seconds(4), "it took longer than its timeout")
        },
        ConformanceCase("URLSession's fault: Authorization does not reach another host by a redirect") { setting in
            let other = try LoopbackServer { _ in .text("reached") }
            defer { other.stop() }
            let location = other.baseURL
            let first = try LoopbackServer { _ in ServedResponse(status: 302, headers: [("Location", location)]) }
            defer { first.stop() }
            let request = try HTTPRequest(.get, first.baseURL, headers: ["Authorization": "Bearer secret"])
            let (head, _) = try await setting.exchange(request)
            try expectEqual(head.status, 302, "status")
            try expectEqual(other.connections.count, 0, "connections of the other host")
        },
        ConformanceCase(
            "URLSession's fault: a slow reader receives each byte once",
            serving: { _ in .data(numbered, contentType: "application/octet-stream") }
        ) { setting in
            var taken = Data()
            for try await piece in try await setting.transport.send(setting.request()).body {
                taken.append(piece)
                if taken.count < 2 << 20 { try await Task.sleep(for: .milliseconds(2)) }
            }
            try expect(taken == numbered, "\(taken.count) bytes came, not the \(numbered.count) sent")
            try expectEqual(setting.server.requests.count, 1, "requests")
        },
        ConformanceCase(
            "URLSession's fault: the rest of an interrupted download can be requested",
            serving: { request in
                guard let range = request.header("Range"), range == "bytes=1000-", request.header("If-Range") == "\"1\""
                else {
                    let fault = ServedResponse.Fault.truncated(after: 1_000)
                    return ServedResponse(headers: [("ETag", "\"1\"")], body: .data(numbered), fault: fault)
                }
                let fields = [
                    ("ETag", "\"1\""), ("Content-Range", "bytes 1000-\(numbered.count - 1)/\(numbered.count)"),
                ]
                return ServedResponse(status: 206, headers: fields, body: .data(numbered.dropFirst(1_000)))
            }
        ) { setting in
            var taken = Data()
            let response = try await setting.transport.send(setting.request())
            do { for try await piece in response.body { taken.append(piece) } } catch is HTTPTransportError {}
            try expectEqual(taken.count, 1_000, "bytes before the break")
            let fields: HTTPHeaders = ["Range": "bytes=1000-", "If-Range": response.headers["ETag"] ?? ""]
            let (head, rest) = try await setting.exchange(setting.request(headers: fields))
            try expectEqual(head.status, 206, "status")
            try expect(taken + rest == numbered, "the parts do not make the whole")
        },
        ConformanceCase(
            "URLSession's fault: cacheable and other requests both go to the server",
            serving: { request in
                ServedResponse(
                    headers: [("Cache-Control", "max-age=600"), ("ETag", "\"1\"")],
                    body: .data(Data(request.path.utf8))
                )
            }
        ) { setting in
            for _ in 0..<2 {
                let (head, body) = try await setting.exchange(setting.request(.get, "/same"))
                try expectEqual(head.status, 200, "status")
                try expectEqual(body, Data("/same".utf8), "body")
            }
            try expectEqual(setting.server.requests.count, 2, "requests")
        },
        ConformanceCase(
            "URLSession's fault: sixty-four tasks are faster than one",
            needs: [.parallelExchanges],
            serving: { _ in .text("short") }
        ) { setting in
            let request = try setting.request()
            // In turn, so that other load affects both; the best of each counts.
            var (one, many) = (Duration.seconds(99), Duration.seconds(99))
            let end = ContinuousClock.now + .seconds(3)
            repeat {
                var start = ContinuousClock.now
                for _ in 0..<64 { _ = try await setting.exchange(request) }
                one = min(one, ContinuousClock.now - start)
                start = ContinuousClock.now
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for _ in 0..<64 { group.addTask { _ = try await setting.exchange(request) } }
                    try await group.waitForAll()
                }
                many = min(many, ContinuousClock.now - start)
            } while many >= one && ContinuousClock.now < end
            try expect(many < one, "64 tasks took \(many) for what one did in \(one)")
        },
        ConformanceCase(
            "URLSession's fault: pins are never ignored, for any URL",
            serving: { _ in .text("sent") }
        ) { setting in
            guard let pin = HTTPTLSSettings.PublicKeyPin(sha256: Data(count: 32)) else { return }
            let pinned = setting.make(HTTPConnectionSettings(tls: HTTPTLSSettings(pins: [pin])))
            for scheme in ["http", "https"] {
                let url = setting.server.baseURL.replacingOccurrences(of: "http", with: scheme)
                do {
                    let status = try await pinned.send(HTTPRequest(.get, url)).status
                    throw ConformanceFailure(description: "\(url) returned \(status) although its key was not compared")
                } catch is HTTPTransportError {}
            }
            try expectEqual(setting.server.requests.count, 0, "requests")
        },
        ConformanceCase(
            "URLSession's fault: no back-pressure: a transfer pauses while the body is not read",
            needs: [.backPressure],
            serving: { _ in .failing(.endlessBody) }
        ) { setting in
            let response = try await setting.transport.send(setting.request { $0.timeouts.total = nil })
            var iterator = response.body.makeAsyncIterator()
            _ = try await iterator.next()
            // Held back means: nothing more goes out for a quarter of a second.
            var last = -1
            var since = ContinuousClock.now
            try await setting.time(
                until: {
                    let sent = setting.server.connections[0].bytesSent
                    if sent != last { (last, since) = (sent, .now) }
                    return ContinuousClock.now - since > .milliseconds(250) || sent > 17 << 20
                },
                "the server came to rest"
            )
            try expect(last < 16 << 20, "\(last) bytes were taken from the server")
            for _ in 0..<100 { _ = try await iterator.next() }
            let continues = { setting.server.connections[0].bytesSent > last }
            try await setting.time(until: continues, "it continues when it is read")
        },
        ConformanceCase(
            "URLSession's fault: no metrics: they distinguish a new connection from a reused one",
            needs: [.connectionMetrics]
        ) { setting in
            let reused = Locked<[Bool?]>([])
            for _ in 0..<2 {
                let response = try await setting.transport.send(setting.request()) { event in
                    if case .finished(let metrics) = event {
                        reused.withLock { $0.append(metrics.isConnectionReused) }
                    }
                }
                _ = try await response.body.collect()
            }
            try await setting.time(until: { reused.withLock { $0.count } == 2 }, "both ends are reported")
            try expectEqual(reused.withLock { $0 }, [false, true], "reused")
        },
        ConformanceCase(
            "URLSession's fault: the total timeout applies although slow bytes prevent the idle timeout",
            serving: { _ in .failing(.slow(bytes: 1, pause: .milliseconds(20)), body: Data(count: 1_000)) }
        ) { setting in
            let timeouts = HTTPTimeouts(connect: .seconds(20), idle: .seconds(2), total: .milliseconds(300))
            try await setting.mustFail(setting.request { $0.timeouts = timeouts }, .timedOut(.total))
        },
        ConformanceCase(
            "Requests do not wait for the responses of others",
            serving: { $0.path == "/last" ? ServedResponse() : .failing(.noAnswer) }
        ) { setting in
            // None receives a response before all of them have reached the server.
            let tasks = try (0..<8).map { number in
                let request = try setting.request(.get, "/\(number)")
                return Task { try await setting.exchange(request) }
            }
            defer { for task in tasks { task.cancel() } }
            try await setting.time(until: { setting.server.requests.count == 8 }, "eight requests at one time")
            _ = try await setting.exchange(setting.request(.get, "/last"))
        },
    ]

    /// Three mebibytes whose every eight bytes differ from the others.
    private static let numbered: Data = {
        let numbers = (0..<UInt64(3 << 17)).map(\.littleEndian)
        return numbers.withUnsafeBytes { Data($0) }
    }()
}
