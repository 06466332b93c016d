import Foundation
import HTTPTransport
import LoopbackServer

extension ConformanceCase {
    static let refusals: [ConformanceCase] = [
        ConformanceCase("An invalid request is rejected before anything is sent") { setting in
            let headers: [(HTTPHeaders, String)] = [
                (["X-Line": "a\r\nY: b"], "X-Line"), (["X-Null": "a\u{0}"], "X-Null"),
                (["X\r\nY": "b"], "\"X\\r\\nY\""), (["Content-Length": "1"], "Content-Length"),
                (["transfer-encoding": "chunked"], "transfer-encoding"),
            ]
            for (fields, part) in headers {
                try await setting.mustFail(setting.request(headers: fields), .invalidHeader, naming: part)
            }
            try await setting.mustFail(setting.request("BAD METHOD"), .invalidMethod, naming: "\"BAD METHOD\"")
            let urls = [
                ("ftp://127.0.0.1/", "\"ftp\""), ("file:///etc/hostname", "\"file\""), ("http:///", "host"),
                ("http://u:p@127.0.0.1/", "credentials"),
            ]
            for (url, part) in urls { try await setting.mustFail(HTTPRequest(.get, url), .invalidURL, naming: part) }
            let negative = HTTPBody.stream(pieces(of: Data(), size: 1, length: -7))
            try await setting.mustFail(setting.request(.post, body: negative), .invalidBody, naming: "-7")
            try expectEqual(setting.server.connections.count, 0, "connections")
        },
        ConformanceCase("A port without a server cannot be connected to") { setting in
            let request = try setting.request()
            setting.server.stop()
            try await setting.mustFail(request, .cannotConnect)
        },
    ]

    static let faults: [ConformanceCase] = [
        ConformanceCase(
            "A body shorter than its declared length is an error",
            needs: [.truncatedBody],
            serving: { $0.path == "/lie" ? lie : .failing(.truncated(after: 4), body: Data(count: 10)) }
        ) { setting in
            try await setting.mustFail(setting.request(.get, "/lie"), .bodyTruncated, .connectionLost)
            try await setting.mustFail(setting.request(.get, "/cut"), .bodyTruncated, .connectionLost)
        },
        ConformanceCase(
            "A body longer than its declared length is truncated, and affects no later response",
            needs: [.excessBytes],
            serving: { $0.path == "/" ? .failing(.declaredLength(3), body: Data("abcdef".utf8)) : .text("fine") }
        ) { setting in
            let (_, body) = try await setting.exchange(setting.request())
            try expectEqual(body, Data("abc".utf8), "body")
            // Once the bytes too many have come, the connection is no good any more, and a fresh one is made.
            try await setting.time(until: { setting.server.connections[0].isClosed }, "the server had sent it all")
            let (_, next) = try await setting.exchange(setting.request(.get, "/next"))
            try expectEqual(next, Data("fine".utf8), "next body")
        },
        ConformanceCase(
            "Excess bytes that arrive after a response has been read affect no later response",
            needs: [.excessBytes],
            serving: { $0.path == "/" ? .failing(.script(late)) : .text("fine") }
        ) { setting in
            for (number, method) in [HTTPMethod.get, .post].enumerated() {
                let (_, body) = try await setting.exchange(setting.request())
                try expectEqual(body, Data("abc".utf8), "body")
                let isClosed = { setting.server.connections[number].isClosed }
                try await setting.time(until: isClosed, "the server had sent it all")
                let (_, next) = try await setting.exchange(setting.request(method, "/next"))
                try expectEqual(next, Data("fine".utf8), "next body")
            }
        },
        ConformanceCase(
            "Malformed chunks are an error",
            needs: [.brokenChunks],
            serving: { _ in .failing(.brokenChunks, body: Data(count: 100)) },
            check: { try await $0.mustFail($0.request(), .malformedResponse, .connectionLost) }
        ),
        ConformanceCase(
            "A reset in the middle of the body is an error",
            needs: [.truncatedBody],
            serving: { _ in .failing(.reset(after: 500), body: Data(count: 1_000)) },
            check: { try await $0.mustFail($0.request(), .connectionLost, .bodyTruncated) }
        ),
        ConformanceCase(
            "A close or a reset without a response is an error",
            serving: { $0.path == "/closed" ? .failing(.closed) : .failing(.resetUnanswered) }
        ) { setting in
            let post = try setting.request(.post, "/closed", body: .data(Data("x".utf8)))
            try await setting.mustFail(post, .noResponse, .connectionLost)
            let reset = try setting.request(.post, "/reset", body: .data(Data("x".utf8)))
            try await setting.mustFail(reset, .noResponse, .connectionLost)
        },
        ConformanceCase(
            "A response that is not HTTP is an error",
            needs: [.malformedResponses],
            serving: { _ in .failing(.raw(Data("SSH-2.0-OpenSSH_9.2\r\n\r\n".utf8))) },
            check: { try await $0.mustFail($0.request(), .malformedResponse, .connectionLost) }
        ),
        ConformanceCase(
            "An endless head is an error before it fills the memory",
            needs: [.headerLimit],
            serving: { _ in .failing(.endlessHeaders) }
        ) { setting in
            try await setting.mustFail(setting.request(), .headersTooLarge)
            try expect(setting.server.connections[0].bytesSent < 32 << 20, "the server was read on and on")
        },
        ConformanceCase(
            "A server that does not respond expires the idle timeout",
            serving: { _ in .failing(.noAnswer) }
        ) { setting in
            try await setting.mustFail(setting.request { $0.timeouts.idle = .milliseconds(150) }, .timedOut(.idle))
            try await setting.untilPeerClosed()
        },
        ConformanceCase(
            "A server that stops sending in the body expires the idle timeout",
            serving: { _ in .failing(.stalled(after: 3), body: Data(count: 10)) }
        ) { setting in
            try await setting.mustFail(setting.request { $0.timeouts.idle = .milliseconds(150) }, .timedOut(.idle))
        },
        ConformanceCase(
            "A slow but steady body arrives",
            serving: { _ in .failing(.slow(bytes: 1, pause: .milliseconds(50)), body: Data(count: 24)) }
        ) { setting in
            let (_, body) = try await setting.exchange(setting.request { $0.timeouts.idle = .seconds(1) })
            try expectEqual(body.count, 24, "bytes")
        },
    ]

    /// Half of a body that is declared as the whole, and the other half when that has been taken.
    private static let late: [ServedResponse.Step] = [
        .send(Data("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc".utf8)), .pause(.milliseconds(50)),
        .send(Data("def".utf8)),
    ]

    private static let lie = ServedResponse.failing(.declaredLength(99), body: Data(count: 10))
}
