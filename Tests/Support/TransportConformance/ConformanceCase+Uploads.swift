import Foundation
import HTTPTransport
import LoopbackServer
import Threading

extension ConformanceCase {
    private static let echo: LoopbackServer.Handler = { .data($0.body, contentType: "application/octet-stream") }

    private static func bytes(_ count: Int) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
    }

    /// A stream of pieces of one size.
    static func pieces(of data: Data, size: Int, length: Int64?) -> HTTPBodyStream {
        let starts = stride(from: 0, to: data.count, by: size)
        return HTTPBodyStream(starts.map { data[$0..<min($0 + size, data.count)] }, length: length)
    }

    static let uploads: [ConformanceCase] = [
        ConformanceCase("A body in memory arrives complete, with its length", serving: echo) { setting in
            for count in [1, 1_000, 1_000_000] {
                let data = bytes(count)
                let (_, body) = try await setting.exchange(setting.request(.post, body: .data(data)))
                try expect(body == data, "\(count) bytes came back different")
                try expectEqual(setting.server.requests.last?.header("Content-Length"), "\(count)", "length")
            }
        },
        ConformanceCase("Standard and other methods are sent with and without a body", serving: echo) { setting in
            for method: HTTPMethod in [.put, .patch, .delete, .options, "PURGE"] {
                let data = Data("body of \(method)".utf8)
                let (_, body) = try await setting.exchange(setting.request(method, body: .data(data)))
                try expectEqual(body, data, "\(method)")
                _ = try await setting.exchange(setting.request(method))
            }
            let methods = setting.server.requests.map(\.method)
            try expectEqual(
                methods,
                ["PUT", "PUT", "PATCH", "PATCH", "DELETE", "DELETE", "OPTIONS", "OPTIONS", "PURGE", "PURGE"],
                "methods"
            )
        },
        ConformanceCase("A GET can have a body", needs: [.bodyOnAnyMethod], serving: echo) { setting in
            let (_, body) = try await setting.exchange(setting.request(.get, body: .data(Data("q".utf8))))
            try expectEqual(body, Data("q".utf8), "body")
        },
        ConformanceCase("A POST without a body has a length of 0") { setting in
            _ = try await setting.exchange(setting.request(.post))
            _ = try await setting.exchange(setting.request(.post, body: .data(Data())))
            try expectEqual(setting.server.requests.map { $0.header("Content-Length") }, ["0", "0"], "lengths")
        },
        ConformanceCase("A file arrives complete, with its length", serving: echo) { setting in
            let data = bytes(700_001)
            let path = FileManager.default.temporaryDirectory.appending(path: "pawkit-\(UUID().uuidString)").path
            try data.write(to: URL(filePath: path))
            defer { try? FileManager.default.removeItem(atPath: path) }
            let (_, body) = try await setting.exchange(setting.request(.put, body: .file(path: path)))
            try expect(body == data, "the file came back different")
            try expectEqual(setting.server.requests[0].header("Content-Length"), "700001", "length")
        },
        ConformanceCase(
            "A file that grows while it is sent is sent up to its initial length",
            serving: echo
        ) { setting in
            let data = bytes(3_000_000)
            let file = URL(filePath: NSTemporaryDirectory()).appending(path: "pawkit-\(UUID().uuidString)")
            try data.write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            let handle = try FileHandle(forWritingTo: file)
            try handle.seekToEnd()
            let isDone = Locked(false)
            defer { isDone.withLock { $0 = true } }
            Thread.detachNewThread {
                // With a pause: a slower transport must not have ever more to send.
                while !isDone.withLock({ $0 }) {
                    try? handle.write(contentsOf: Data(repeating: 7, count: 10))
                    usleep(50)
                }
            }
            for _ in 0..<3 {
                let (_, body) = try await setting.exchange(setting.request(.put, body: .file(path: file.path)))
                try expect(body.prefix(data.count) == data, "the file came back different")
                try expect(body.dropFirst(data.count).allSatisfy { $0 == 7 }, "its end came back different")
                let length = setting.server.requests.last?.header("Content-Length")
                try expectEqual(length, "\(body.count)", "length")
            }
        },
        ConformanceCase("A missing file is rejected before anything is sent") { setting in
            for path in ["/no/such/file", "/"] {
                let request = try setting.request(.put, body: .file(path: path))
                try await setting.mustFail(request, .invalidBody, naming: "the file \(path) ")
            }
            try expectEqual(setting.server.connections.count, 0, "connections")
        },
        ConformanceCase(
            "FIFOs without a writer are rejected before anything is sent, and stop no other task"
        ) { setting in
            let path = FileManager.default.temporaryDirectory.appending(path: "pawkit-\(UUID().uuidString)").path
            try expectEqual(mkfifo(path, 0o600), 0, "mkfifo")
            defer { try? FileManager.default.removeItem(atPath: path) }
            // More than there are threads for tasks: if one blocked, no task would run any more.
            let codes = await withTaskGroup(of: HTTPTransportError.Code?.self) { group in
                for _ in 0..<4 * ProcessInfo.processInfo.activeProcessorCount {
                    group.addTask {
                        do {
                            _ = try await setting.exchange(setting.request(.put, body: .file(path: path)))
                            return nil
                        } catch {
                            return (error as? HTTPTransportError)?.code
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            try expect(codes.allSatisfy { $0 == .invalidBody }, "\(codes)")
            try expectEqual(setting.server.connections.count, 0, "connections")
        },
        ConformanceCase(
            "A stream of known length is sent with its length, one of unknown length in chunks",
            needs: [.streamedUpload],
            serving: echo
        ) { setting in
            let data = bytes(300_007)
            for length in [Int64(data.count), nil] {
                let stream = pieces(of: data, size: 10_001, length: length)
                let (_, body) = try await setting.exchange(setting.request(.post, body: .stream(stream)))
                try expect(body == data, "the stream came back different")
            }
            let requests = setting.server.requests
            try expectEqual(requests[0].header("Content-Length"), "300007", "length")
            try expectEqual(requests[1].header("Transfer-Encoding"), "chunked", "coding")
        },
        ConformanceCase(
            "A stream that fails or has a different length than declared fails the exchange",
            serving: echo
        ) { setting in
            struct Spoiled: Error {}
            let short = pieces(of: Data(count: 10), size: 3, length: 20)
            try await setting.mustFail(setting.request(.post, body: .stream(short)), .uploadFailed)
            // The excess bytes as a part of a piece, as a separate piece, and where none are expected.
            for (size, length) in [(3, 10), (6, 6), (3, 9), (20, 3), (3, 0)] {
                let long = pieces(of: Data(count: 12), size: size, length: Int64(length))
                try await setting.mustFail(setting.request(.post, body: .stream(long)), .uploadFailed)
            }
            try expectEqual(setting.server.requests.count, 0, "bodies that the server took for whole")
            let spoiled = HTTPBodyStream([Data(count: 5)], failure: Spoiled())
            try await setting.mustFail(setting.request(.post, body: .stream(spoiled)), .uploadFailed)
        },
    ]
}
