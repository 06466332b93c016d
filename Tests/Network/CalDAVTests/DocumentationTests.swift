import CalDAV
import Foundation
import TestSupport
import Testing

@Suite("Documentation of CalDAV")
struct CalDAVDocumentationTests {
    @Test("Every example of the documentation is in this target")
    func documentation() throws {
        #expect(try DocumentedExamples(of: "CalDAV", count: 4).missing == [])
    }

    @Test(
        "The example lists a user's todos",
        .enabled(if: !CalDAVServerKind.installed.isEmpty, "needs a CalDAV server; see .ci/run")
    )
    func example() async throws {
        let server = try await CalDAVServer(CalDAVServerKind.installed[0])
        let client = server.client()
        let list = try await client.createCalendar(named: "Todos", in: try await client.home())
        for name in ["Milk", "Eggs"] {
            _ = try #require(try await create(todo(name, name), uid: name, in: list, with: client))
        }
        let address = "\(server.url)"
        #expect(
            try await todos(at: address, user: "dog", password: "secret1").sorted() == ["SUMMARY:Eggs", "SUMMARY:Milk"]
        )
        let stored = try await pull(list, with: client, into: Replica())
        #expect(stored.objects.count == 2 && stored.token != nil)
        #expect(try await pull(list, with: client, into: stored) == stored)
        let (href, object) = try #require(stored.objects.first)
        let text = object.text.replacingOccurrences(of: "SUMMARY:", with: "SUMMARY:New ")
        #expect(try await push(text, to: href, in: list, etag: object.etag, with: client) == "stored")
        #expect(try await push(text, to: href, in: list, etag: object.etag, with: client) == "merge")
    }

    private func todos(at address: String, user: String, password: String) async throws -> [String] {
        guard let account = CalDAVAccount(address: address, credential: .basic(user: user, password: password)) else {
            throw Unexpected("\(address) is not an address")
        }
        let client = CalDAVClient(account)
        var summaries: [String] = []
        for calendar in try await client.calendars() where calendar.allows("VTODO") {
            let changes = try await client.changes(in: calendar, since: nil, known: [:])
            for object in try await client.objects(changes.changed.keys, in: calendar) {
                let lines = object.text.split(whereSeparator: \.isNewline)
                summaries += lines.filter { $0.hasPrefix("SUMMARY") }.map(String.init)
            }
        }
        return summaries
    }

    private struct Replica: Equatable {
        var objects: [CalDAVHref: CalDAVObject] = [:]
        var token: CalDAVToken?
    }

    private func pull(_ calendar: CalDAVCalendar, with client: CalDAVClient, into stored: Replica) async throws
        -> Replica
    {
        var replica = stored
        let known = replica.objects.mapValues(\.etag)
        let changes = try await client.changes(in: calendar, since: replica.token, known: known)
        let objects = try await client.objects(changes.changed.keys, in: calendar)
        for object in objects where object.problem == nil { replica.objects[object.href] = object }
        for href in changes.removed { replica.objects[href] = nil }
        if objects.allSatisfy({ $0.problem == nil }) { replica.token = changes.token }
        return replica
    }

    private func create(
        _ text: String,
        uid: String,
        in calendar: CalDAVCalendar,
        with client: CalDAVClient
    ) async throws -> CalDAVWrite? {
        guard let href = calendar.href.member("\(uid).ics") else { return nil }  // an invalid name
        return try await client.create(text, at: href, in: calendar)
    }

    private func push(
        _ text: String,
        to href: CalDAVHref,
        in calendar: CalDAVCalendar,
        etag: String,
        with client: CalDAVClient
    ) async throws -> String {
        switch try await client.update(text, at: href, in: calendar, matching: etag) {
        case .stored: return "stored"  // without an ETag, get the object before the next change
        case .preconditionFailed: return "merge"  // get the other version, merge, and update again
        case .gone: return "deleted there"
        case .uidConflict, .full, .readOnly, .rejected: return "report"
        }
    }
}
