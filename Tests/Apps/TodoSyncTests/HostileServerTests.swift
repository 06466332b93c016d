import CalDAV
import CurlTransport
import Foundation
import HTTPTransport
import TestSupport
import Testing
import TodoCore

@testable import TodoSync

/// Members without end.
private final class EndlessBody: HTTPBodySource {
    private let piece: Data

    init(_ piece: String) { self.piece = Data(String(repeating: piece, count: 200).utf8) }

    func next() async throws(HTTPTransportError) -> Data? { piece }

    func cancel() {}
}

@Suite(
    "Sync with a hostile server",
    .enabled(
        if: !CalDAVServerKind.installed.isEmpty,
        "needs Debian's package radicale, or radicale and xandikos in .build/caldav-servers; see .ci/run"
    )
)
struct HostileServerTests {
    /// A machine with a synced todo and a change that waits, whose server obeys a script from now on.
    private func victim() async throws -> (replica: Replica, connection: ScriptedTransport, server: CalDAVServer) {
        let server = try await CalDAVServer(CalDAVServerKind.installed[0])
        let connection = ScriptedTransport(CurlTransport())
        let limits = isLongRun ? CalDAVLimits() : CalDAVLimits(replyBytes: 2 << 20, members: 10_000)
        let account = CalDAVAccount(url: server.url, credential: .basic(user: "dog", password: "secret1"))
        let client = CalDAVClient(account, transport: connection, limits: limits)
        let home = try await client.home()
        let calendar = try await client.createCalendar(named: "Work", in: home)
        let replica = try await Replica(client, [calendar], in: home)
        for title in ["Milk", "Eggs"] { try await replica.add(title) }
        for _ in 0..<2 { try await replica.sync() }
        try await replica.edit("Milk", "(A)")
        _ = connection.takeRequests()
        return (replica, connection, server)
    }

    /// The part of a multistatus about a member.
    private static func member(_ href: String, _ properties: String = "<d:getetag>\"x\"</d:getetag>") -> String {
        "<d:response><d:href>\(href)</d:href><d:propstat><d:prop>\(properties)</d:prop>"
            + "<d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
    }

    @Test(
        "A reply without end, with too many members, too deep or with entities, or of elsewhere ends the sync, and no todo is lost"
    )
    func replies() async throws {
        let (replica, connection, server) = try await victim()
        defer { server.stop() }
        let home = try #require(try replica.records.account()).lists[0].calendar.href.path
        let count = isLongRun ? 1_000_000 : 20_000
        let bomb = #"<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>"#
        let bodies: [@Sendable (HTTPRequest) -> HTTPResponse] = [
            { request in
                var response = request.multistatus("")
                response.body = HTTPResponseBody(EndlessBody("<d:multistatus xmlns:d=\"DAV:\"><d:response>"))
                return response
            },
            { request in
                var response = request.multistatus("")
                response.body = HTTPResponseBody(EndlessBody(" "))
                return response
            },
            { $0.multistatus((0..<count).map { Self.member("\(home)\($0).ics") }.joined()) },
            { $0.multistatus(String(repeating: "<d:a>", count: count)) },
            { $0.multistatus("&b;", before: bomb) },
            { $0.multistatus(Self.member("\(home)../../../etc/passwd")) },
            { $0.multistatus(Self.member("\(home)%2e%2e/cat/x.ics")) },
            { $0.multistatus(Self.member("https://evil.example\(home)x.ics")) },
            { $0.multistatus(Self.member("//evil.example\(home)x.ics")) },
            { $0.multistatus(Self.member("/cat/work/x.ics")) },
            { $0.reply(200) },
        ]
        for (index, body) in bodies.enumerated() {
            for method in ["PROPFIND", "REPORT"] {
                connection.setScript { request in
                    // The list of calendars says that something has changed.
                    if request.method == "REPORT" || method == "PROPFIND", request.method.rawValue == method {
                        return body(request)
                    }
                    return nil
                }
                try await touch(server, "\(index) \(method)")
                let failure = try? await replica.sync()
                if method == "REPORT" { #expect(failure == nil, "\(index) \(method)") }
                #expect(try await replica.store.syncedLists().map(\.name) == ["Work"], "\(index) \(method)")
                #expect(try await replica.titles() == ["Eggs", "Milk"], "\(index) \(method)")
                #expect(connection.takeRequests().allSatisfy { $0.url.host() == "127.0.0.1" }, "\(index) \(method)")
            }
        }
        connection.setScript { _ in nil }
        try await replica.sync()
        #expect(try await replica.store.unsynced().isEmpty)
    }

    /// Changes the list, so that its changes are read.
    private func touch(_ server: CalDAVServer, _ uid: String) async throws {
        let client = server.client()
        let calendar = try #require(try await client.calendars().first)
        let href = try #require(calendar.href.member("event.ics"))
        let event =
            "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT\r\nUID:event\r\nDTSTAMP:20260101T000000Z\r\n"
            + "DTSTART:20260101T000000Z\r\nSUMMARY:\(uid)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
        if let present = try await client.object(at: href, in: calendar) {
            _ = try await client.update(event, at: href, in: calendar, matching: present.etag)
        } else {
            _ = try await client.create(event, at: href, in: calendar)
        }
    }

    @Test("An object with the UID of another todo changes neither, and what is edited here is not sent over it")
    func wrongUIDs() async throws {
        let (replica, connection, server) = try await victim()
        defer { server.stop() }
        connection.setScript { request in
            guard request.method == "PUT" else { return nil }
            var response = request.reply(403, ["Content-Type": "application/xml"])
            let rule = "<no-uid-conflict><d:href>\(request.url.path())</d:href></no-uid-conflict>"
            response.body = HTTPResponseBody(
                Data(#"<d:error xmlns:d="DAV:" xmlns="urn:ietf:params:xml:ns:caldav">\#(rule)</d:error>"#.utf8)
            )
            return response
        }
        #expect(try await replica.sync().problems.map(\.title) == ["Milk"], "it is in conflict with itself")
        connection.setScript { _ in nil }
        #expect(try await replica.sync().events.map(\.action) == [.sentChange])
        let items = try replica.records.readItems().todos.values.flatMap(\.values)
        let (milk, eggs) = (
            try #require(items.first { $0.todo.title == "Milk" }), try #require(items.first { $0.todo.title == "Eggs" })
        )
        connection.setScript { request in
            guard request.method == "REPORT" else { return nil }
            guard request.text.contains("calendar-multiget") else {
                return request.multistatus(
                    Self.member(milk.href.path) + "<d:sync-token>http://radicale.org/ns/sync/1</d:sync-token>"
                )
            }
            let text = eggs.text.replacing("SUMMARY:Eggs", with: "SUMMARY:Evil")
            return request.multistatus(
                Self.member(milk.href.path, "<d:getetag>\"x\"</d:getetag><calendar-data>\(text)</calendar-data>")
            )
        }
        try await touch(server, "1")
        #expect(try await replica.sync().problems.count == 1)
        #expect(try await replica.titles() == ["Eggs", "Milk"])
        try await replica.edit("Milk", "(B)")
        connection.setScript { _ in nil }
        _ = try await replica.sync()
        try await replica.sync()
        #expect(try await replica.todo("Milk").priority == Priority("B"))
        #expect(try await replica.titles() == ["Eggs", "Milk"])
        #expect(try await replica.store.unsynced().isEmpty)
    }

    @Test(
        "A UID that is a path stays in its list, an ETag is no header, and a name of a list no command of the terminal"
    )
    func texts() async throws {
        let (replica, connection, server) = try await victim()
        defer { server.stop() }
        try await replica.sync()
        let client = server.client()
        let calendar = try #require(try await client.calendars().first)
        let path = try #require(calendar.href.member("p.ics"))
        _ = try await client.create(object("../../cat/x", "SUMMARY:Path"), at: path, in: calendar)
        connection.setScript { request in
            if request.method == "PROPFIND" {
                return request.multistatus(
                    Self.member(
                        calendar.href.path,
                        "<d:resourcetype><d:collection/><calendar/></d:resourcetype>"
                            + "<d:displayname>Ev&#155;31m&#x7f;il</d:displayname><d:sync-token>z</d:sync-token>"
                    )
                )
            }
            return nil
        }
        try await replica.sync()
        #expect(try await replica.store.syncedLists().map(\.name) == ["Ev31mil"])
        #expect(try await replica.titles().contains("Path"))
        _ = connection.takeRequests()
        connection.setScript { request in
            request.method == "REPORT" && request.text.contains("calendar-multiget")
                ? request.multistatus(
                    Self.member(
                        "\(calendar.href.path)p.ics",
                        "<d:getetag>\"x\"&#13;&#10;Evil: 1</d:getetag><calendar-data>\(object("../../cat/x", "SUMMARY:Path 2"))</calendar-data>"
                    )
                ) : nil
        }
        let present = try #require(try await client.object(at: path, in: calendar))
        _ = try await client.update(
            object("../../cat/x", "SUMMARY:Path 1"),
            at: path,
            in: calendar,
            matching: present.etag
        )
        _ = try? await replica.sync()
        for title in ["Path", "Path 1", "Path 2"] { _ = try? await replica.edit(title, "(C)") }
        _ = try? await replica.sync()
        let requests = connection.takeRequests()
        #expect(requests.allSatisfy { $0.url.path().hasPrefix("/dog") })
        #expect(requests.allSatisfy { $0.headers["Evil"] == nil && $0.headers["If-Match"]?.contains("\n") != true })
    }
}
