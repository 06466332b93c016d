import CalDAV
import Foundation
import HTTPTransport
import TestSupport
import Testing

/// The same promises for each server that is installed.
@Suite(
    "CalDAV with real servers",
    .enabled(
        if: !CalDAVServerKind.installed.isEmpty,
        "needs Debian's package radicale, or radicale and xandikos in .build/caldav-servers; see .ci/run"
    )
)
struct RealServerTests {
    @Test(
        "Discovery finds the calendars; a list is created, renamed and deleted",
        arguments: CalDAVServerKind.installed
    )
    func calendars(_ kind: CalDAVServerKind) async throws {
        let server = try await CalDAVServer(kind)
        let client = server.client()
        let home = try await client.home()
        #expect(home.principal?.path() == "/dog/" && home.collections.allSatisfy { $0.host() == server.url.host() })
        let before = try await client.calendars(in: home)
        let list = try await client.createCalendar(named: "Milk & <Honey> 우유", color: "#00ff00", in: home)
        #expect(
            list.name == "Milk & <Honey> 우유" && list.components == ["VTODO"] && list.canWrite && list.color == "#00ff00"
        )
        #expect(list.supportsSyncCollection && list.token != nil && list.ctag != nil)
        #expect(try await client.calendars(in: home).map(\.href).sorted { $0.path < $1.path }.contains(list.href))
        try await client.renameCalendar(list, to: "장보기")
        #expect(try await client.calendar(at: list.url).name == "장보기")
        try await client.deleteCalendar(list)
        try await client.deleteCalendar(list)
        #expect(try await client.create(todo("a"), at: try #require(list.href.member("a.ics")), in: list) == .gone)
        #expect(try await client.calendars(in: home).map(\.href) == before.map(\.href))
        await #expect { try await client.calendar(at: list.url) } throws: { error in
            if case .notFound? = (error as? CalDAVError)?.reason { true } else { false }
        }
    }

    @Test(
        "Objects are created, listed, read, changed and deleted, each only as it was seen",
        arguments: CalDAVServerKind.installed
    )
    func objects(_ kind: CalDAVServerKind) async throws {
        let server = try await CalDAVServer(kind)
        let (client, other) = (server.client(), server.client())
        let list = try await client.createCalendar(named: "Todos", in: try await client.home())
        let first = try await client.changes(in: list, since: nil, known: [:])
        #expect(first.isEmpty && first.isComplete && first.token != nil)

        // A member whose path has characters that servers encode differently.
        let names = ["a.ics", "b@home.ics", "c d.ics"]
        let hrefs = try names.map { try #require(list.href.member($0)) }
        for href in hrefs {
            let outcome = try await client.create(todo(href.name, "우유"), at: href, in: list)
            guard case .stored = outcome else { throw Unexpected("\(outcome)") }
        }
        #expect(try await client.create(todo("a.ics"), at: hrefs[0], in: list) == .preconditionFailed)
        let second = try await client.changes(in: list, since: first.token, known: [:])
        #expect(Set(second.changed.keys) == Set(hrefs) && second.removed.isEmpty)
        let objects = try await client.objects(second.changed.keys, in: list)
        #expect(Set(objects.map(\.href)) == Set(hrefs) && objects.allSatisfy { second.changed[$0.href] == $0.etag })
        #expect(objects.allSatisfy { $0.text.contains("SUMMARY:우유") })

        // The other client changes one and deletes another.
        let read = try #require(try await other.object(at: hrefs[0], in: list))
        #expect(read.etag == second.changed[hrefs[0]])
        let changed = try await other.update(todo("a.ics", "Eggs"), at: hrefs[0], in: list, matching: read.etag)
        guard case .stored = changed else { throw Unexpected("\(changed)") }
        #expect(
            try await other.delete(at: hrefs[1], in: list, matching: try #require(second.changed[hrefs[1]])) == .deleted
        )
        #expect(
            try await client.update(todo("a.ics", "Late"), at: hrefs[0], in: list, matching: read.etag)
                == .preconditionFailed
        )
        #expect(try await client.delete(at: hrefs[0], in: list, matching: read.etag) == .preconditionFailed)
        #expect(try await client.object(at: hrefs[1], in: list) == nil)
        #expect(try await client.objects(hrefs, in: list).map(\.href) == [hrefs[0], hrefs[2]])

        let third = try await client.changes(in: list, since: second.token, known: second.changed)
        #expect(Array(third.changed.keys) == [hrefs[0]] && third.removed == [hrefs[1]] && !third.isComplete)
        #expect(try await client.delete(at: hrefs[1], in: list, matching: "\"gone\"") == .deleted)
        let gone = try await client.update(todo("b@home.ics"), at: hrefs[1], in: list, matching: "\"gone\"")
        #expect(gone == .preconditionFailed || gone == .gone)
    }

    @Test("The same UID at another path is a conflict that may name it", arguments: CalDAVServerKind.installed)
    func duplicate(_ kind: CalDAVServerKind) async throws {
        let server = try await CalDAVServer(kind)
        let client = server.client()
        let list = try await client.createCalendar(named: "Todos", in: try await client.home())
        let (first, second) = (try #require(list.href.member("1.ics")), try #require(list.href.member("2.ics")))
        _ = try await client.create(todo("same"), at: first, in: list)
        let outcome = try await client.create(todo("same"), at: second, in: list)
        guard case .uidConflict(let other) = outcome else { throw Unexpected("\(outcome)") }
        #expect(other == nil || other == first)
        let broken = try await client.create("BEGIN:VCALENDAR\r\nnonsense", at: second, in: list)
        guard case .rejected = broken else { throw Unexpected("\(broken)") }
    }

    @Test(
        "Nothing new is one request, one change at most three, and a forgotten token lists everything",
        arguments: CalDAVServerKind.installed
    )
    func requests(_ kind: CalDAVServerKind) async throws {
        let server = try await CalDAVServer(kind)
        let transport = server.transport()
        let client = server.client(transport: transport)
        let home = try await client.home()
        let list = try await client.createCalendar(named: "Todos", in: home)
        for number in 0..<51 {
            _ = try await client.create(
                todo("\(number)"),
                at: try #require(list.href.member("\(number).ics")),
                in: list
            )
        }
        let all = try await client.changes(in: list, since: nil, known: [:])
        _ = transport.takeRequests()
        #expect(try await client.objects(all.changed.keys, in: list).count == 51)
        #expect(transport.takeRequests().count == 2)

        // Nothing new: the token of the list is the stored one.
        #expect(try await client.calendars(in: home).first { $0.href == list.href }?.token == all.token)
        #expect(try await client.changes(in: list, since: all.token, known: all.changed).isEmpty)
        #expect(transport.takeRequests().map(\.method) == ["PROPFIND", "REPORT"])

        let href = try #require(list.href.member("7.ics"))
        let other = server.client()
        _ = try await other.update(todo("7", "Eggs"), at: href, in: list, matching: try #require(all.changed[href]))
        let now = try #require(try await client.calendars(in: home).first { $0.href == list.href })
        #expect(now.token != all.token)
        let one = try await client.changes(in: now, since: all.token, known: all.changed)
        #expect(try await client.objects(one.changed.keys, in: list).map(\.href) == [href])
        #expect(transport.takeRequests().count == 3)

        for token in ["0", "not a token", "http://radicale.org/ns/sync/0123"] {
            let changes = try await client.changes(in: list, since: .sync(token), known: all.changed)
            #expect(changes.isComplete && Array(changes.changed.keys) == [href] && changes.removed.isEmpty, "\(token)")
        }
    }

    @Test(
        "A wrong password is refused after one request, and a certificate that is not trusted before any",
        arguments: CalDAVServerKind.installed
    )
    func refused(_ kind: CalDAVServerKind) async throws {
        let server = try await CalDAVServer(kind)
        if kind != .xandikos {
            let transport = server.transport()
            await #expect { try await server.client(password: "wrong", transport: transport).home() } throws: { error in
                if case .unauthorized? = (error as? CalDAVError)?.reason { true } else { false }
            }
            // The well-known URL may redirect before it asks for the password.
            let requests = transport.takeRequests()
            #expect(requests.count <= 2 && Set(requests.map(\.url)).count == requests.count)
        }
        if kind == .xandikosWithTLS {
            let account = CalDAVAccount(url: server.url, credential: .basic(user: "dog", password: "secret1"))
            await #expect { try await CalDAVClient(account).home() } throws: { error in
                if case .certificate? = (error as? CalDAVError)?.reason { true } else { false }
            }
        }
    }
}
