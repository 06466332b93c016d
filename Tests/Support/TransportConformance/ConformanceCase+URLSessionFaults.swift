import Foundation
import HTTPTransport
import Locking
import LoopbackServer

extension ConformanceCase {
    /// What URLSession on Linux is known to do wrong, each as a case that every transport must pass or declare.
    ///
    /// Others of its faults are cases of other groups: no back-pressure ("A server is held back while nobody reads"), no
    /// metrics ("The metrics tell a new connection from a used one"), the 401 that hangs ("A 401 that asks for Basic
    /// credentials is an answer"), the whole time ignored ("Slow bytes hold the idle timeout off ...").
    static let urlSessionFaults: [ConformanceCase] = [
        ConformanceCase(
            "URLSession's fault: a 401 that asks for Basic credentials never goes past its timeout",
            serving: { _ in ServedResponse(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")]) },
            check: { setting in
                var request = try setting.request()
                request.timeouts.total = .seconds(1)
                let start = ContinuousClock.now
                do { _ = try await setting.exchange(request) } catch is HTTPTransportError {}
                try expect(ContinuousClock.now - start < .seconds(4), "it took longer than its timeout")
            }
        ),
        ConformanceCase(
            "URLSession's fault: Authorization never reaches another host by a redirect",
            check: { setting in
                let other = try LoopbackServer { _ in .text("reached") }
                defer { other.stop() }
                let location = other.baseURL
                let first = try LoopbackServer { _ in
                    ServedResponse(status: 302, headers: [("Location", location)])
                }
                defer { first.stop() }
                let request = try HTTPRequest(.get, first.baseURL, headers: ["Authorization": "Bearer secret"])
                let (head, _) = try await setting.exchange(request)
                try expectEqual(head.status, 302, "status")
                try expectEqual(other.connections.count, 0, "connections of the other host")
            }
        ),
        ConformanceCase(
            "URLSession's fault: what a slow reader takes arrives once, byte for byte",
            serving: { _ in .data(numbered, contentType: "application/octet-stream") },
            check: { setting in
                var taken = Data()
                for try await piece in try await setting.transport.send(setting.request()).body {
                    taken.append(piece)
                    if taken.count < 2 << 20 { try await Task.sleep(for: .milliseconds(2)) }
                }
                try expect(taken == numbered, "\(taken.count) bytes came, not the \(numbered.count) sent")
                try expectEqual(setting.server.requests.count, 1, "requests")
            }
        ),
        ConformanceCase(
            "URLSession's fault: the rest of a broken download can be asked for",
            serving: { request in
                guard let range = request.header("Range"), range == "bytes=1000-", request.header("If-Range") == "\"1\""
                else {
                    return ServedResponse(
                        headers: [("ETag", "\"1\"")],
                        body: .data(numbered),
                        fault: .truncated(after: 1_000)
                    )
                }
                let fields = [
                    ("ETag", "\"1\""), ("Content-Range", "bytes 1000-\(numbered.count - 1)/\(numbered.count)"),
                ]
                return ServedResponse(status: 206, headers: fields, body: .data(numbered.dropFirst(1_000)))
            },
            check: { setting in
                var taken = Data()
                let response = try await setting.transport.send(setting.request())
                do { for try await piece in response.body { taken.append(piece) } } catch is HTTPTransportError {}
                try expectEqual(taken.count, 1_000, "bytes before the break")
                let fields: HTTPHeaders = ["Range": "bytes=1000-", "If-Range": response.headers["ETag"] ?? ""]
                let (head, rest) = try await setting.exchange(setting.request(headers: fields))
                try expectEqual(head.status, 206, "status")
                try expect(taken + rest == numbered, "the parts do not make the whole")
            }
        ),
        ConformanceCase(
            "URLSession's fault: what may be cached and what may not both go to the server, and come from it",
            serving: { request in
                ServedResponse(
                    headers: [("Cache-Control", "max-age=600"), ("ETag", "\"1\"")],
                    body: .data(Data(request.path.utf8))
                )
            },
            check: { setting in
                for _ in 0..<2 {
                    let (head, body) = try await setting.exchange(setting.request(.get, "/same"))
                    try expectEqual(head.status, 200, "status")
                    try expectEqual(body, Data("/same".utf8), "body")
                }
                try expectEqual(setting.server.requests.count, 2, "requests")
            }
        ),
        ConformanceCase(
            "URLSession's fault: sixty-four slow answers do not wait for one another",
            serving: { ServedResponse(body: .data(Data($0.path.utf8)), delay: .milliseconds(100)) },
            check: { setting in
                let start = ContinuousClock.now
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<64 {
                        group.addTask { _ = try await setting.exchange(setting.request(.get, "/\(number)")) }
                    }
                    try await group.waitForAll()
                }
                let time = ContinuousClock.now - start
                try expect(time < .seconds(4), "64 answers of 100 ms took \(time): one after the other they take 6.4 s")
            }
        ),
    ]

    /// Three mebibytes whose every eight bytes differ from the others.
    private static let numbered: Data = {
        let numbers = (0..<UInt64(3 << 17)).map(\.littleEndian)
        return numbers.withUnsafeBytes { Data($0) }
    }()
}
