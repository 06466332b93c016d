import Foundation
import HTTPTransport
import LoopbackServer

extension ConformanceCase {
    private static func packed(_ data: Data, _ encoding: String = "gzip") -> ServedResponse {
        ServedResponse(headers: [("Content-Encoding", encoding)], body: .data(data))
    }

    /// Deflate data without a wrapper: a gzip file without its header of ten bytes and its trailer of eight.
    private static func deflated(_ data: Data) -> Data { Data(Gzip.stored(data).dropFirst(10).dropLast(8)) }

    static let compression: [ConformanceCase] = [
        ConformanceCase(
            "A body with several codings is decoded in reverse order, also if each has a separate field",
            serving: { request in
                let text = Data("멍멍, 야옹".utf8)
                return switch request.path {
                case "/gzip-gzip": packed(Gzip.stored(Gzip.stored(text)), "gzip, gzip")
                case "/four":
                    packed((0..<4).reduce(text) { data, _ in Gzip.stored(data) }, "gzip, gzip, gzip, gzip")
                case "/deflate-gzip": packed(Gzip.stored(deflated(text)), "deflate, gzip")
                case "/gzip-deflate": packed(deflated(Gzip.stored(text)), "x-gzip,identity , Deflate")
                default:
                    ServedResponse(
                        headers: [("Content-Encoding", "deflate"), ("Content-Encoding", "gzip")],
                        body: .data(Gzip.stored(deflated(text)))
                    )
                }
            }
        ) { setting in
            for path in ["/gzip-gzip", "/four", "/deflate-gzip", "/gzip-deflate", "/two-fields"] {
                let (_, body) = try await setting.exchange(setting.request(.get, path))
                try expectEqual(String(decoding: body, as: UTF8.self), "멍멍, 야옹", "body of \(path)")
            }
        },
        ConformanceCase(
            "A body with an unknown coding is an error",
            serving: { _ in packed(Data("멍멍".utf8), "pawkit\u{1b}") },
            check: { try await $0.mustFail($0.request(), .badContentEncoding) }
        ),
        ConformanceCase(
            "An unknown coding is accepted if the body is empty, or is not to be decoded",
            needs: [.unknownCodings],
            serving: { packed($0.path == "/empty" ? Data() : Data("멍멍".utf8), "pawkit") }
        ) { setting in
            let (_, empty) = try await setting.exchange(setting.request(.get, "/empty"))
            try expectEqual(empty.count, 0, "bytes")
            let (head, none) = try await setting.exchange(setting.request(.head))
            try expectEqual(head.status, 200, "status")
            try expectEqual(none.count, 0, "bytes")
            let (_, body) = try await setting.exchange(setting.request { $0.decompresses = false })
            try expectEqual(body, Data("멍멍".utf8), "body")
        },
        ConformanceCase(
            "A gzip body is requested and decompressed",
            serving: { _ in packed(Gzip.stored(Data("멍멍, 야옹".utf8))) }
        ) { setting in
            let (_, body) = try await setting.exchange(setting.request())
            try expectEqual(String(decoding: body, as: UTF8.self), "멍멍, 야옹", "body")
            let accepted = setting.server.requests[0].header("Accept-Encoding") ?? ""
            try expect(accepted.contains("gzip"), "gzip was asked for, not \(accepted.debugDescription)")
        },
        ConformanceCase(
            "A megabyte of zeros is decompressed from a kilobyte",
            serving: { _ in packed(Gzip.zeros) }
        ) { setting in
            let (_, body) = try await setting.exchange(setting.request())
            try expect(body == Data(count: 1 << 20), "\(body.count) bytes")
        },
        ConformanceCase(
            "A truncated gzip body is an error",
            needs: [.truncatedCompression],
            serving: { request in
                packed(request.path == "/tail" ? Gzip.zeros.dropLast(4) : Data(Gzip.zeros.prefix(500)))
            }
        ) { setting in
            try await setting.mustFail(setting.request(), .badContentEncoding)
            try await setting.mustFail(setting.request(.get, "/tail"), .badContentEncoding)
        },
        ConformanceCase(
            "A gzip body whose bytes are damaged is an error",
            serving: { _ in
                var bytes = Gzip.zeros
                for index in 20..<200 { bytes[index] ^= 0x5a }
                return packed(bytes)
            },
            check: { try await $0.mustFail($0.request(), .badContentEncoding) }
        ),
        ConformanceCase(
            "A decompression bomb is rejected at the request's limit",
            needs: [.decompressionLimit],
            serving: { _ in packed((0..<60).reduce(into: Data()) { data, _ in data.append(Gzip.zeros) }) }
        ) { setting in
            try await setting.mustFail(setting.request { $0.limits.decompressedBytes = 8 << 20 }, .bodyTooLarge)
        },
    ]
}
