import Foundation
import HTTPTransport
import LoopbackServer

extension ConformanceCase {
    static let exchanges: [ConformanceCase] = [
        ConformanceCase(
            "A GET returns status, fields and body",
            serving: { _ in .text("멍멍", status: 203) }
        ) { setting in
            let (head, body) = try await setting.exchange(setting.request())
            try expectEqual(head.status, 203, "status")
            try expectEqual(head.headers["content-TYPE"], "text/plain; charset=utf-8", "content type")
            try expectEqual(String(decoding: body, as: UTF8.self), "멍멍", "body")
            try expectEqual(setting.server.requests.map(\.method), ["GET"], "requests seen")
        },
        ConformanceCase(
            "Header fields arrive unchanged, in both directions",
            serving: { request in
                ServedResponse(headers: [("X-Echo", request.header("X-Sent") ?? "absent"), ("X-Empty", "")])
            }
        ) { setting in
            let sent = "a \"quoted\"; b=c, 값"
            let request = try setting.request(headers: ["X-Sent": sent, "X-Blank": ""])
            let (head, _) = try await setting.exchange(request)
            try expectEqual(head.headers["x-echo"], sent, "echoed value")
            try expectEqual(head.headers["X-Empty"], "", "empty value")
            try expectEqual(setting.server.requests[0].header("X-Blank"), "", "empty value sent")
        },
        ConformanceCase(
            "A value of spaces is sent as an empty one, and spaces around a value are not sent"
        ) { setting in
            let fields: HTTPHeaders = ["X-Blank": "   ", "X-Tab": "\t", "X-Around": " a b ", "Accept": " "]
            _ = try await setting.exchange(setting.request(headers: fields))
            let request = setting.server.requests[0]
            try expectEqual(request.header("X-Blank"), "", "blanks")
            try expectEqual(request.header("X-Tab"), "", "a tab")
            try expectEqual(request.header("X-Around"), "a b", "blanks around")
            try expectEqual(request.header("Accept"), "", "a field that the library writes otherwise")
        },
        ConformanceCase(
            "Several fields of a name remain separate and in order",
            needs: [.repeatedHeaders],
            serving: { _ in ServedResponse(headers: [("Set-Cookie", "a=1, 2"), ("X", "y"), ("set-cookie", "b=2")]) }
        ) { setting in
            let (head, _) = try await setting.exchange(setting.request(headers: ["X-A": "1", "X-A": "2"]))
            try expectEqual(head.headers.values("Set-Cookie"), ["a=1, 2", "b=2"], "received")
            let sent = setting.server.requests[0].headers.filter { $0.name == "X-A" }.map(\.value)
            try expectEqual(sent, ["1", "2"], "sent")
        },
        ConformanceCase("A path and a query in Korean with existing escapes arrive byte for byte") { setting in
            _ = try await setting.exchange(setting.request(.get, "/강아지/a%2Fb/c+d?q=멍%20멍&x=1+2&x=%2B"))
            try expectEqual(
                setting.server.requests[0].target,
                "/%EA%B0%95%EC%95%84%EC%A7%80/a%2Fb/c+d?q=%EB%A9%8D%20%EB%A9%8D&x=1+2&x=%2B",
                "target"
            )
        },
        ConformanceCase("Dot segments are sent unchanged", needs: [.exactPath]) { setting in
            _ = try await setting.exchange(setting.request(.get, "/a/../b/./c"))
            try expectEqual(setting.server.requests[0].target, "/a/../b/./c", "target")
        },
        ConformanceCase("HEAD returns fields and no body", serving: { _ in .text("not sent") }) { setting in
            let (head, body) = try await setting.exchange(setting.request(.head))
            try expectEqual(head.status, 200, "status")
            try expectEqual(head.headers["Content-Length"], "8", "declared length")
            try expectEqual(body.count, 0, "body")
            try expectEqual(setting.server.requests[0].method, "HEAD", "method")
        },
        ConformanceCase(
            "204 and 304 have no body and leave the connection open",
            serving: { ServedResponse(status: $0.path == "/204" ? 204 : 304, headers: [("ETag", "\"1\"")]) }
        ) { setting in
            for status in [204, 304, 204] {
                let (head, body) = try await setting.exchange(setting.request(.get, "/\(status)"))
                try expectEqual(head.status, status, "status")
                try expectEqual(head.headers["etag"], "\"1\"", "entity tag")
                try expectEqual(body.count, 0, "body")
            }
            try expectEqual(setting.server.connections.count, 1, "connections")
        },
        ConformanceCase(
            "Statuses of failure are responses, not errors",
            serving: { .text("why", status: Int($0.path.dropFirst()) ?? 500) }
        ) { setting in
            for status in [400, 404, 418, 500, 503, 599] {
                let (head, body) = try await setting.exchange(setting.request(.get, "/\(status)"))
                try expectEqual(head.status, status, "status")
                try expectEqual(body, Data("why".utf8), "body")
            }
        },
        ConformanceCase(
            "A 401 that asks for Basic credentials is a response",
            needs: [.basicChallenge],
            serving: { _ in
                ServedResponse(
                    status: 401,
                    headers: [("WWW-Authenticate", "Basic realm=\"x\"")],
                    body: .data(Data("who".utf8))
                )
            }
        ) { setting in
            let (head, body) = try await setting.exchange(setting.request())
            try expectEqual(head.status, 401, "status")
            try expectEqual(body, Data("who".utf8), "body")
        },
        ConformanceCase(
            "A redirect is a response and is not followed",
            serving: { _ in ServedResponse(status: 302, headers: [("Location", "/elsewhere")]) }
        ) { setting in
            let (head, _) = try await setting.exchange(setting.request())
            try expectEqual(head.status, 302, "status")
            try expectEqual(head.headers["location"], "/elsewhere", "location")
            try expectEqual(setting.server.requests.count, 1, "requests")
        },
        ConformanceCase(
            "No cookie is stored",
            serving: { _ in ServedResponse(headers: [("Set-Cookie", "a=1; Path=/")]) }
        ) { setting in
            for _ in 0..<2 { _ = try await setting.exchange(setting.request()) }
            try expectEqual(setting.server.requests[1].header("Cookie"), nil, "cookie sent")
        },
        ConformanceCase("Sequential requests use one connection", serving: { _ in .text("again") }) { setting in
            for _ in 0..<10 { _ = try await setting.exchange(setting.request()) }
            try expectEqual(setting.server.connections.count, 1, "connections")
        },
        ConformanceCase(
            "A hundred concurrent requests each receive their own response",
            serving: { .text($0.target) }
        ) { setting in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<100 {
                    group.addTask {
                        let (_, body) = try await setting.exchange(setting.request(.get, "/\(number)"))
                        try expectEqual(String(decoding: body, as: UTF8.self), "/\(number)", "body")
                    }
                }
                try await group.waitForAll()
            }
            try expectEqual(setting.server.requests.count, 100, "requests")
        },
        ConformanceCase(
            "Progress is reported during the exchange, and the metrics at the end",
            serving: { _ in ServedResponse(body: .repeated(7, count: 300_000)) }
        ) { setting in
            let seen = try await setting.events(of: setting.request(.post, body: .data(Data(count: 200_000))))
            try expect(seen.contains(.uploaded(200_000, of: 200_000)), "the whole upload is reported")
            try expect(seen.contains(.downloaded(300_000, of: 300_000)), "the whole download is reported")
            guard case .finished(let metrics) = seen.last else { return }
            try expect(metrics.total > .zero, "a total time")
            try expectEqual(metrics.bytesReceived, 300_000, "bytes received")
        },
    ]
}
