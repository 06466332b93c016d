import Foundation
import HTTPTransport
import LoopbackServer

extension ConformanceCase {
    private static func packed(_ data: Data, _ encoding: String = "gzip") -> ServedResponse {
        ServedResponse(headers: [("Content-Encoding", encoding)], body: .data(data))
    }

    static let compression: [ConformanceCase] = [
        ConformanceCase(
            "A gzip body is asked for and unpacked",
            serving: { _ in packed(Gzip.stored(Data("멍멍, 야옹".utf8))) },
            check: { setting in
                let (_, body) = try await setting.exchange(setting.request())
                try expectEqual(String(decoding: body, as: UTF8.self), "멍멍, 야옹", "body")
                let accepted = setting.server.requests[0].header("Accept-Encoding") ?? ""
                try expect(accepted.contains("gzip"), "gzip was asked for, not \(accepted.debugDescription)")
            }
        ),
        ConformanceCase(
            "A megabyte of zeros unpacks from a kilobyte",
            serving: { _ in packed(Gzip.zeros) },
            check: { setting in
                let (_, body) = try await setting.exchange(setting.request())
                try expect(body == Data(count: 1 << 20), "\(body.count) bytes")
            }
        ),
        ConformanceCase(
            "A gzip body that ends too early is an error",
            needs: [.truncatedCompression],
            serving: { request in
                packed(request.path == "/tail" ? Gzip.zeros.dropLast(4) : Data(Gzip.zeros.prefix(500)))
            },
            check: { setting in
                try await setting.mustFail(setting.request(), .badContentEncoding)
                try await setting.mustFail(setting.request(.get, "/tail"), .badContentEncoding)
            }
        ),
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
            "A decompression bomb is refused at the request's limit",
            needs: [.decompressionLimit],
            serving: { _ in packed((0..<60).reduce(into: Data()) { data, _ in data.append(Gzip.zeros) }) },
            check: { setting in
                var request = try setting.request()
                request.limits.decompressedBytes = 8 << 20
                try await setting.mustFail(request, .bodyTooLarge)
            }
        ),
    ]
}
