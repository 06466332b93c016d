import Foundation
import HTTPTransport
import LoopbackServer

extension ConformanceCase {
    static let framing: [ConformanceCase] = [
        ConformanceCase(
            "Bodies framed by length, by chunks and by the close arrive alike",
            serving: { request in
                let body = ServedResponse.Body.repeated(9, count: 123_457)
                return switch request.path {
                case "/chunks": ServedResponse(body: body, framing: .chunked(size: 1_000))
                case "/close": ServedResponse(body: body, framing: .untilClose)
                default: ServedResponse(body: body)
                }
            }
        ) { setting in
            for path in ["/length", "/chunks", "/close", "/chunks"] {
                let (_, body) = try await setting.exchange(setting.request(.get, path))
                try expect(body == Data(repeating: 9, count: 123_457), "\(path): \(body.count) bytes")
            }
        },
        ConformanceCase(
            "Interim responses are skipped",
            needs: [.interimResponses],
            serving: { _ in
                let text = "HTTP/1.1 103 Early Hints\r\nX: early\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                return .failing(.raw(Data(text.utf8)))
            }
        ) { setting in
            for _ in 0..<3 {
                let (head, body) = try await setting.exchange(setting.request())
                try expectEqual(head.status, 200, "status")
                try expectEqual(head.headers["x"], nil, "early field")
                try expectEqual(body, Data("ok".utf8), "body")
            }
        },
        ConformanceCase(
            "Chunk extensions and trailers are not part of the response",
            needs: [.trailers],
            serving: { _ in
                let text =
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nok\r\n0\r\nX-Late: 1\r\n\r\n"
                return .failing(.raw(Data(text.utf8)))
            }
        ) { setting in
            let (_, body) = try await setting.exchange(setting.request())
            try expectEqual(body, Data("ok".utf8), "body")
        },
        ConformanceCase(
            "Pieces are returned before the body has ended",
            serving: { _ in ServedResponse(body: .repeated(1, count: 10), fault: .stalled(after: 4)) }
        ) { setting in
            let response = try await setting.transport.send(setting.request())
            var iterator = response.body.makeAsyncIterator()
            let first = try await iterator.next()
            try expectEqual(first, Data(repeating: 1, count: 4), "first piece")
        },
        ConformanceCase(
            "Twenty megabytes arrive complete, collected or piece by piece",
            serving: { _ in ServedResponse(body: .repeated(5, count: 20 << 20)) }
        ) { setting in
            let (_, body) = try await setting.exchange(setting.request())
            try expectEqual(body.count, 20 << 20, "gathered")
            try expect(body.allSatisfy { $0 == 5 }, "gathered bytes differ")
            var count = 0
            for try await piece in try await setting.transport.send(setting.request()).body { count += piece.count }
            try expectEqual(count, 20 << 20, "streamed")
        },
        ConformanceCase(
            "A body over the reader's limit fails, whether its length is declared or not",
            serving: { request in
                ServedResponse(
                    body: .repeated(1, count: 3 << 20),
                    framing: request.path == "/chunks" ? .chunked(size: 10_000) : .contentLength
                )
            }
        ) { setting in
            for path in ["/", "/chunks"] {
                let response = try await setting.transport.send(setting.request(.get, path))
                do {
                    _ = try await response.body.collect(upTo: 1 << 20)
                    throw ConformanceFailure(description: "\(path) was taken whole")
                } catch let error as HTTPTransportError {
                    try expectEqual(error.code, .bodyTooLarge, path)
                }
            }
        },
    ]
}
