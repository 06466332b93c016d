import Foundation
import HTTPTransport
import LoopbackServer

extension ConformanceCase {
    private static func raw(_ text: String) -> ServedResponse { .failing(.raw(Data(text.utf8))) }

    static let limits: [ConformanceCase] = [
        ConformanceCase(
            "A head with more fields than allowed is an error",
            needs: [.headerLimit],
            serving: { _ in ServedResponse(headers: (0..<60).map { ("X-\($0)", "y") }) }
        ) { setting in
            try await setting.mustFail(setting.request { $0.limits.headerFields = 40 }, .headersTooLarge)
            _ = try await setting.exchange(setting.request())
        },
        ConformanceCase(
            "A flood of interim responses is an error before it fills the memory",
            needs: [.headerLimit, .interimResponses],
            serving: { _ in
                let interim = Data("HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n".utf8)
                return .failing(.script([.flood(interim, atMost: 1 << 40)]))
            },
            check: { try await $0.mustFail($0.request(), .headersTooLarge) }
        ),
        ConformanceCase(
            "A body over the request's limit fails, declared or not, however it is read",
            needs: [.bodyLimit],
            serving: { request in
                ServedResponse(
                    body: .repeated(1, count: 3 << 20),
                    framing: request.path == "/chunks" ? .chunked(size: 10_000) : .contentLength
                )
            }
        ) { setting in
            for path in ["/", "/chunks"] {
                var request = try setting.request(.get, path)
                request.limits.bodyBytes = 1 << 20
                try await setting.mustFail(request, .bodyTooLarge)
                request.limits.bodyBytes = 3 << 20
                let (_, body) = try await setting.exchange(request)
                try expectEqual(body.count, 3 << 20, "bytes within the bound")
            }
        },
        ConformanceCase(
            "A decompression bomb is rejected by its ratio, and one in raw deflate by its size",
            needs: [.decompressionLimit],
            serving: { request in
                let gzip = (0..<24).reduce(into: Data()) { data, _ in data.append(Gzip.zeros) }
                // What stands between a gzip file's head of ten bytes and its tail of eight is bare deflate.
                let deflate = Data(Gzip.zeros.dropFirst(10).dropLast(8))
                let isDeflate = request.path == "/deflate"
                return ServedResponse(
                    headers: [("Content-Encoding", isDeflate ? "deflate" : "gzip")],
                    body: .data(isDeflate ? deflate : gzip)
                )
            }
        ) { setting in
            try await setting.mustFail(setting.request(.get, "/gzip"), .bodyTooLarge)
            var request = try setting.request(.get, "/gzip")
            request.limits.decompressionRatio = 2_000
            let (_, body) = try await setting.exchange(request)
            try expectEqual(body.count, 24 << 20, "bytes when it is allowed")
            request.url = try setting.request(.get, "/deflate").url
            let (_, bare) = try await setting.exchange(request)
            try expectEqual(bare.count, 1 << 20, "bytes of bare deflate")
            request.limits.decompressedBytes = 1 << 19
            try await setting.mustFail(request, .bodyTooLarge)
        },
        ConformanceCase(
            "A malformed field and two different lengths are errors",
            needs: [.strictHead],
            serving: { request in
                switch request.path {
                case "/colon": raw("HTTP/1.1 200 OK\r\nno colon\r\nContent-Length: 0\r\n\r\n")
                case "/blank": raw("HTTP/1.1 200 OK\r\nX : y\r\nContent-Length: 0\r\n\r\n")
                default: raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")
                }
            }
        ) { setting in
            for path in ["/colon", "/blank", "/lengths"] {
                try await setting.mustFail(setting.request(.get, path), .malformedResponse)
            }
        },
        ConformanceCase(
            "Progress of long bodies is reported in increasing steps up to the total, not for each packet",
            serving: { ServedResponse(body: .repeated(1, count: $0.body.count)) }
        ) { setting in
            let size: Int64 = 24 << 20
            var (sent, received): ([Int64], [Int64]) = ([], [])
            for event in try await setting.events(of: setting.request(.post, body: .data(Data(count: Int(size))))) {
                switch event {
                case .uploaded(let count, let total):
                    sent.append(count)
                    try expectEqual(total, size, "total of the upload")
                case .downloaded(let count, let total):
                    received.append(count)
                    try expectEqual(total, size, "total of the download")
                case .finished, .failed: break
                }
            }
            for counts in [sent, received] {
                try expect(zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 }, "steps that grow: \(counts)")
                try expectEqual(counts.last, size, "last step")
                // Fifty a second, and the exchange has nine seconds at the most.
                try expect((1...460).contains(counts.count), "\(counts.count) steps")
            }
        },
    ]
}
