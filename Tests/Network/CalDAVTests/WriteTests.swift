import CalDAV
import Foundation
import LoopbackServer
import NetworkProvider
import TestSupport
import Testing

@Suite("Outcomes of writes")
struct WriteTests {
    private static let replies: [(ServedResponse, CalDAVWrite)] = [
        (ServedResponse(status: 201, headers: [("ETag", "\"1\"")]), .stored(etag: "\"1\"")),
        (ServedResponse(status: 204, headers: [("ETag", "W/\"1\"")]), .stored(etag: nil)),
        (ServedResponse(status: 200), .stored(etag: nil)), (ServedResponse(status: 412), .preconditionFailed),
        (.rule(412, "<x:exception xmlns:x='http://sabredav.org/ns'/>"), .preconditionFailed),
        (
            .rule(409, "<no-uid-conflict><d:href>/dog%40home/list/b.ics</d:href></no-uid-conflict>"),
            .uidConflict(CalDAVHref("/dog@home/list/b.ics"))
        ),
        (.rule(412, "<no-uid-conflict/>"), .uidConflict(nil)),
        (.rule(403, "<no-uid-conflict><d:href>https://cat.example/x</d:href></no-uid-conflict>"), .uidConflict(nil)),
        (ServedResponse(status: 404), .gone), (ServedResponse(status: 410), .gone),
        (ServedResponse(status: 413), .full),
        (ServedResponse(status: 507), .full), (.rule(403, "<d:quota-not-exceeded/>"), .full),
        (ServedResponse(status: 403), .readOnly),
        (ServedResponse(status: 405), .readOnly), (.rule(403, "<d:need-privileges/>"), .readOnly),
        (.rule(403, "<valid-calendar-data/>"), .rejected(status: 403, condition: "valid-calendar-data")),
        (.rule(412, "<valid-calendar-data/>"), .rejected(status: 412, condition: "valid-calendar-data")),
        (.text("<html>no</html>", status: 400), .rejected(status: 400, condition: nil)),
        (ServedResponse(status: 415), .rejected(status: 415, condition: nil)),
        (ServedResponse(status: 409), .rejected(status: 409, condition: nil)),
    ]

    @Test("Each status and rule of a PUT is an outcome, and the condition is sent", arguments: replies.indices)
    func put(_ index: Int) async throws {
        let (reply, outcome) = WriteTests.replies[index]
        let server = try ScriptedServer { _ in reply }
        let href = server.href("a@b.ics")
        let isOrphan = outcome == .rejected(status: 409, condition: nil)
        #expect(
            try await server.client().create("a\nb\r\n", at: href, in: server.calendar) == (isOrphan ? .gone : outcome)
        )
        let written = try await server.client().update("a\nb\r\n", at: href, in: server.calendar, matching: "\"e\"")
        #expect(written == outcome)
        let requests = server.server.requests
        #expect(
            requests.map { $0.header("If-None-Match") } == ["*", nil]
                && requests.map { $0.header("If-Match") } == [nil, "\"e\""]
        )
        #expect(
            requests.allSatisfy { $0.method == "PUT" && $0.header("Content-Type") == "text/calendar; charset=utf-8" }
        )
        #expect(requests.allSatisfy { $0.target == "/dog@home/list/a%40b.ics" && $0.body == Data("a\r\nb\r\n".utf8) })
    }

    @Test("Each status of a DELETE is an outcome")
    func delete() async throws {
        let outcomes: [(Int, CalDAVDeletion)] = [
            (200, .deleted), (204, .deleted), (404, .deleted), (410, .deleted), (412, .preconditionFailed),
            (403, .readOnly),
        ]
        for (status, outcome) in outcomes {
            let server = try ScriptedServer { _ in ServedResponse(status: status) }
            let href = server.href("a")
            #expect(try await server.client().delete(at: href, in: server.calendar, matching: "\"e\"") == outcome)
            #expect(server.server.requests.first?.header("If-Match") == "\"e\"")
        }
    }

    @Test("An object outside the calendar is not written")
    func outside() async throws {
        let server = try ScriptedServer { _ in ServedResponse() }
        for path in ["/cat/a", "/dog@home/list/", "/dog@home/list/sub/a"] {
            let href = try #require(CalDAVHref(path))
            let error = try await failure { try await server.client().create("", at: href, in: server.calendar) }
            guard case .invalidRequest = error.reason else { throw error }
        }
        #expect(server.methods == [])
    }

    @Test(
        "A refused password is sent once, with and without a challenge",
        arguments: [nil, "Basic realm=\"x\"", "Negotiate"]
    )
    func refusedPassword(_ challenge: String?) async throws {
        let server = try ScriptedServer { _ in
            ServedResponse(status: 401, headers: challenge.map { [("WWW-Authenticate", $0)] } ?? [])
        }
        let account = CalDAVAccount(url: server.calendar.url, credential: .basic(user: "dog", password: "s3cret"))
        let client = CalDAVClient(account, plugins: [RetryPlugin(RetryPolicy(baseDelay: .zero))])
        let href = server.href("a")
        for (index, error) in [
            try await failure { try await client.home() },
            try await failure { try await client.create("", at: href, in: server.calendar) },
        ].enumerated() {
            guard case .unauthorized = error.reason else { throw error }
            #expect(error.method == ["PROPFIND", "PUT"][index] && !error.isTemporary)
        }
        #expect(server.methods == ["PROPFIND", "PUT"])
    }

    @Test("429 and 503 say when to try again; a write is not repeated by a plugin")
    func busy() async throws {
        let values: [(String?, Duration?)] = [
            ("7", .seconds(7)), (nil, nil), ("soon", nil), ("Mon, 23 Nov 2026 12:00:30 GMT", .seconds(30)),
        ]
        for (value, pause) in values {
            for status in [429, 503] {
                let server = try ScriptedServer { _ in
                    let date = ("Date", "Mon, 23 Nov 2026 12:00:00 GMT")
                    return ServedResponse(status: status, headers: [date] + (value.map { [("Retry-After", $0)] } ?? []))
                }
                let account = CalDAVAccount(url: server.calendar.url, credential: .none)
                let client = CalDAVClient(account, plugins: [RetryPlugin(RetryPolicy(baseDelay: .zero))])
                let href = server.href("a")
                let error = try await failure { try await client.create("", at: href, in: server.calendar) }
                guard case .busy(pause) = error.reason, error.isTemporary else { throw error }
                #expect(server.methods == ["PUT"])
            }
        }
    }

    @Test("A connection that breaks before, in and after the reply is a temporary error")
    func broken() async throws {
        for fault in [ServedResponse.Fault.closed, .resetUnanswered, .truncated(after: 10)] {
            let server = try ScriptedServer { _ in .failing(fault, body: Data(repeating: 65, count: 100)) }
            let href = server.href("a")
            let error = try await failure { try await server.client().object(at: href, in: server.calendar) }
            switch error.reason {
            case .network: #expect(error.isTemporary)
            case .malformedReply: #expect(error.element == "ETag")
            default: throw error
            }
        }
    }
}
