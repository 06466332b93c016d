import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import TransportConformance

/// A hostile response, derived from a seed, with the outcomes that the client may have.
struct HostileResponse: Sendable {
    /// The name of the response, for messages.
    let name: String
    /// What the server does.
    let response: ServedResponse
    /// The codes that the error may have; empty if the response may also be accepted, or fail in any way.
    let codes: Set<HTTPTransportError.Code>

    private init(_ name: String, _ steps: [ServedResponse.Step], _ codes: HTTPTransportError.Code...) {
        self.name = name
        response = ServedResponse(fault: .script(steps))
        self.codes = Set(codes)
    }

    /// The response of a seed, the same each time.
    init(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        self = HostileResponse.ways[Int.random(in: 0..<HostileResponse.ways.count, using: &generator)](&generator)
    }

    private typealias Way = @Sendable (inout SeededGenerator) -> HostileResponse

    private static func text(_ text: String) -> ServedResponse.Step { .send(Data(text.utf8)) }
    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"

    private static func packed(_ data: Data, _ encoding: String = "gzip") -> [ServedResponse.Step] {
        [text(ok + "Content-Encoding: \(encoding)\r\nContent-Length: \(data.count)\r\n\r\n"), .send(data)]
    }

    private static func noise(_ count: Int, _ generator: inout SeededGenerator) -> Data {
        Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private static let lengths: [Way] = [
        { generator in
            let count = Int.random(in: 0..<1_000, using: &generator)
            let head = ok + "Content-Length: \(count + 1 + Int.random(in: 0..<9_999, using: &generator))\r\n\r\n"
            return HostileResponse("body too short", [text(head), .send(Data(count: count))], .bodyTruncated)
        },
        { generator in
            let count = Int.random(in: 1..<5_000, using: &generator)
            let head = ok + "Content-Length: \(count + 100_000)\r\n\r\n"
            let steps = [text(head), .send(Data(count: count)), ServedResponse.Step.reset]
            return HostileResponse("reset in the body", steps, .connectionLost, .bodyTruncated)
        },
        { _ in
            let head = ok + "Content-Length: 5\r\nContent-Length: 7\r\n\r\nabcdefg"
            return HostileResponse("two lengths", [text(head)], .malformedResponse)
        },
        { generator in
            let value =
                ["-1", "1e9", "99999999999999999999", "0x10", "5, 6", ""].randomElement(using: &generator) ?? ""
            return HostileResponse("no length", [text(ok + "Content-Length: \(value)\r\n\r\nabc")], .malformedResponse)
        },
        { _ in
            let head = ok + "Content-Length: 100\r\nTransfer-Encoding: chunked\r\n\r\n"
            return HostileResponse("length and chunks", [text(head + "3\r\nabc\r\n0\r\n\r\n")])
        },
    ]

    private static let chunks: [Way] = [
        { generator in
            let size = ["zz", "-5", "FFFFFFFFFFFFFFFFFF", " ", "5;", "\u{0}"].randomElement(using: &generator) ?? ""
            let steps = [text(chunked + "3\r\nabc\r\n\(size)\r\n")]
            return HostileResponse("broken chunk", steps, .malformedResponse, .connectionLost, .bodyTruncated)
        },
        { generator in
            let steps = [text(chunked + "400\r\n"), .send(Data(count: Int.random(in: 0..<1_024, using: &generator)))]
            return HostileResponse("chunk cut", steps, .connectionLost, .bodyTruncated)
        },
        { _ in
            HostileResponse("no end of chunks", [text(chunked + "3\r\nabc\r\n")], .connectionLost, .bodyTruncated)
        },
        { _ in
            let field = Data("X-Trailer: \(String(repeating: "t", count: 80))\r\n".utf8)
            let steps = [text(chunked + "3\r\nabc\r\n0\r\n"), ServedResponse.Step.flood(field, atMost: 1 << 20)]
            return HostileResponse("endless trailers", steps, .headersTooLarge)
        },
        { _ in
            let filler = Data(repeating: UInt8(ascii: "e"), count: 65_536)
            let steps = [text(chunked + "3;x="), .flood(filler, atMost: 1 << 20), text("\r\nabc\r\n0\r\n\r\n")]
            return HostileResponse("oversized chunk extension", steps)
        },
        { _ in
            let steps = [text(chunked + "3;x="), ServedResponse.Step.flood(Data(count: 1_000), atMost: 1 << 40)]
            let name = "endless chunk extension"
            return HostileResponse(name, steps, .timedOut(.idle), .timedOut(.total), .malformedResponse)
        },
        { generator in
            let trailer = ["X-Late: 1\r\n", "no colon\r\n", ": none\r\n"].randomElement(using: &generator) ?? ""
            return HostileResponse("trailer", [text(chunked + "3\r\nabc\r\n0\r\n\(trailer)\r\n")])
        },
    ]

    private static let heads: [Way] = [
        { _ in
            let field = Data("X-Endless: \(String(repeating: "a", count: 200))\r\n".utf8)
            return HostileResponse("endless headers", [text(ok), .flood(field, atMost: 1 << 40)], .headersTooLarge)
        },
        { _ in
            let field = Data("a:\r\n".utf8)
            return HostileResponse("many headers", [text(ok), .flood(field, atMost: 1 << 20)], .headersTooLarge)
        },
        { generator in
            let filler = Data(repeating: UInt8(ascii: "l"), count: 10_000)
            let head = ok + (Bool.random(using: &generator) ? "X: " : "")
            return HostileResponse(
                "endless line",
                [text(head), .flood(filler, atMost: 1 << 40)],
                .headersTooLarge,
                .malformedResponse,
                .timedOut(.idle),
                .timedOut(.total)
            )
        },
        { _ in
            let interim = Data("HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n".utf8)
            return HostileResponse("flood of interim responses", [.flood(interim, atMost: 1 << 40)], .headersTooLarge)
        },
        { generator in
            let line =
                ["no colon here", ": no name", "name : blank", "nul: a\u{0}b"].randomElement(using: &generator) ?? ""
            let head = ok + "A: b\r\n\(line)\r\nContent-Length: 0\r\n\r\n"
            return HostileResponse("no field", [text(head)], .malformedResponse)
        },
        { generator in
            let line = ["HTTP/1.1 abc OK", "HTTP/9.9 200 OK", "HTTP/1.1", "HTTP/1.1 99", "ICY 200 OK"]
                .randomElement(using: &generator)
            let head = (line ?? "") + "\r\nContent-Length: 0\r\n\r\n"
            return HostileResponse("no status line", [text(head)])
        },
        { generator in
            let line = ["SSH-2.0-OpenSSH_9.2\r\n", "<html>hello</html>", "220 mail ready\r\n"].randomElement(
                using: &generator
            )
            return HostileResponse("no HTTP", [text(line ?? "")], .malformedResponse, .connectionLost, .noResponse)
        },
        { generator in
            let field = ["X: y\r\n", "Content-Le"].randomElement(using: &generator) ?? ""
            return HostileResponse("head cut", [text(ok + field)], .connectionLost)
        },
        { _ in HostileResponse("another protocol", [text("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nabc")])
        },
        { _ in HostileResponse("nothing", [], .noResponse, .connectionLost) },
        { _ in HostileResponse("reset", [.reset], .noResponse, .connectionLost) },
        { _ in
            let answer = ok + "Content-Length: 1\r\n\r\n"
            return HostileResponse("two answers", [text(answer + "a" + answer + "b")])
        },
    ]

    private static let packings: [Way] = [
        { generator in
            let cut = Gzip.zeros.prefix(Int.random(in: 20..<Gzip.zeros.count - 1, using: &generator))
            return HostileResponse("gzip cut", packed(Data(cut)), .badContentEncoding)
        },
        { generator in
            let encoding = Bool.random(using: &generator) ? "gzip" : "deflate"
            let data = noise(Int.random(in: 30..<3_000, using: &generator), &generator)
            return HostileResponse("packed noise", packed(data, encoding))
        },
        { _ in
            let bomb = (0..<24).reduce(into: Data()) { data, _ in data.append(Gzip.zeros) }
            return HostileResponse("bomb", packed(bomb), .bodyTooLarge)
        },
    ]

    private static let waits: [Way] = [
        { _ in HostileResponse("silence", [.stall], .timedOut(.idle)) },
        { _ in HostileResponse("silence in the head", [text(ok + "X: "), .stall], .timedOut(.idle)) },
        { _ in
            let steps = [text(ok + "Content-Length: 9\r\n\r\nab"), ServedResponse.Step.stall]
            return HostileResponse("silence in the body", steps, .timedOut(.idle))
        },
        { _ in
            // Much longer than the time limit: on a machine under load it is noticed late, but before the end.
            let drop: [ServedResponse.Step] = [text("x"), .pause(.milliseconds(20))]
            let steps = [text(ok + "Content-Length: 999\r\n\r\n")] + Array(repeating: drop, count: 900).flatMap(\.self)
            return HostileResponse("drops", steps, .timedOut(.total))
        },
    ]

    /// A correct response with some bytes changed, lost or doubled.
    private static let mutations: Way = { generator in
        let body = noise(200, &generator)
        let right: [Data] = [
            Data((ok + "Content-Type: text/plain\r\nContent-Length: 200\r\n\r\n").utf8) + body,
            Data((chunked + "C8\r\n").utf8) + body + Data("\r\n0\r\nX: y\r\n\r\n".utf8),
            Data((ok + "Content-Encoding: gzip\r\nConnection: close\r\n\r\n").utf8) + Gzip.stored(body),
        ]
        var bytes = Array(right.randomElement(using: &generator) ?? Data())
        for _ in 0..<Int.random(in: 1...8, using: &generator) {
            let place = Int.random(in: 0..<max(bytes.count, 1), using: &generator)
            guard place < bytes.count else { break }
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: place)
            case 2: bytes.insert(contentsOf: bytes[place..<min(place + 9, bytes.count)], at: place)
            default: bytes.removeSubrange(place..<min(place + 20, bytes.count))
            }
        }
        return HostileResponse("mutated answer", [.send(Data(bytes))])
    }

    private static let ways: [Way] =
        lengths + chunks + heads + packings + waits + Array(repeating: mutations, count: 12)
}
