import CalDAV
import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite("Calendars and their discovery")
struct CalendarTests {
    @Test("The properties of calendars; those that do not exist have defaults")
    func properties() async throws {
        let calendar = "<d:resourcetype><d:collection/><calendar/></d:resourcetype>"
        let full = """
            \(calendar)<d:displayname> A\u{85}B\u{202E}C &amp;</d:displayname><x:calendar-color xmlns:x="http://apple.com/ns/ical/">#FF0000aa</x:calendar-color>
            <supported-calendar-component-set><comp name="VTODO"/><comp name="vevent"/></supported-calendar-component-set>
            <d:current-user-privilege-set><d:privilege><d:read/></d:privilege></d:current-user-privilege-set>
            <cs:getctag>c</cs:getctag><d:sync-token>0</d:sync-token>
            <d:supported-report-set><d:supported-report><d:report><d:sync-collection/></d:report></d:supported-report></d:supported-report-set>
            """
        let missing =
            "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat><d:propstat><d:prop><d:displayname>no</d:displayname><cs:getctag>no</cs:getctag>"
            + "</d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat><d:propstat><d:prop>"
        let server = try ScriptedServer { _ in
            .multistatus(
                resource("/dog@home/", "<d:resourcetype><d:collection/></d:resourcetype>")
                    + resource("/dog@home/full/", full)
                    + resource(
                        "/dog@home/%EA%B0%95%20a/",
                        calendar + "<x:calendar-color xmlns:x='http://apple.com/ns/ical/'>red</x:calendar-color>"
                            + "<d:current-user-privilege-set><d:privilege><d:write-content/></d:privilege></d:current-user-privilege-set>"
                            + missing
                    )
                    + resource(
                        "/dog@home/bin/",
                        "<d:resourcetype><d:collection/><x:deleted-calendar xmlns:x='http://nextcloud.com/ns'/></d:resourcetype>"
                    ) + plain("/dog@home/secret/", 403) + resource("/dog@home/full/", full)
            )
        }
        let home = CalDAVHome(principal: nil, collections: [server.calendar.url.deletingLastPathComponent()])
        let calendars = try await server.client().calendars(in: home)
        #expect(
            calendars.map(\.name) == ["ABC &", "강 a"]
                && calendars.map(\.href.path) == ["/dog@home/full/", "/dog@home/%EA%B0%95%20a/"]
        )
        #expect(
            calendars[0].components == ["VTODO", "VEVENT"] && !calendars[0].canWrite
                && calendars[0].color == "#ff0000aa"
        )
        #expect(
            calendars[0].token == .sync("0") && calendars[0].ctag == "c" && calendars[0].allows("VTODO")
                && !calendars[0].allows("VJOURNAL")
        )
        #expect(
            calendars[1].components == nil && calendars[1].canWrite && calendars[1].color == nil
                && calendars[1].token == nil
        )
        #expect(calendars[1].allows("VTODO"))
        let stored = try JSONEncoder().encode(calendars)
        #expect(try JSONDecoder().decode([CalDAVCalendar].self, from: stored) == calendars)
    }

    @Test("Discovery tries the URL, the well-known one and the root, and then says that there is no CalDAV")
    func discovery() async throws {
        let principal = "<d:current-user-principal><d:href>/me/</d:href></d:current-user-principal>"
        for last in ["/dog@home/list/", "/.well-known/caldav", "/", "none"] {
            let server = try ScriptedServer { request in
                switch request.path {
                case "/me/":
                    .multistatus(resource("/me/", "<calendar-home-set><d:href>/me/</d:href></calendar-home-set>"))
                case last: .multistatus(resource(last, principal))
                case "/.well-known/caldav": last == "/" ? .redirect(301, "ftp://x/") : .text("<html>", status: 200)
                case "/": .multistatus(resource("/", "<d:resourcetype><d:collection/></d:resourcetype>"))
                default: .text("", status: last == "none" ? 501 : 405)
                }
            }
            let tried = ["/dog@home/list/", "/.well-known/caldav", "/"]
            if let index = tried.firstIndex(of: last) {
                #expect(try await server.client().home().collections.map { $0.path() } == ["/me/"])
                #expect(server.server.requests.map(\.path) == tried.prefix(through: index) + ["/me/"])
            } else {
                let error = try await failure { try await server.client().home() }
                guard case .notCalDAV = error.reason, server.server.requests.map(\.path) == tried else { throw error }
            }
        }
    }

    @Test("A principal is a home, a calendar without principals is one, and an anonymous user is refused")
    func startingPoints() async throws {
        let home = "<calendar-home-set><d:href>/h/</d:href></calendar-home-set>"
        for (properties, path) in [(home, "/h/"), ("<d:resourcetype><calendar/></d:resourcetype>", "/dog@home/list/")] {
            let server = try ScriptedServer { _ in .multistatus(resource("/dog@home/list/", properties)) }
            #expect(try await server.client().home().collections.map { $0.path() } == [path])
        }
        let anonymous = "<d:current-user-principal><d:unauthenticated/></d:current-user-principal>"
        let server = try ScriptedServer { _ in .multistatus(resource("/", anonymous)) }
        guard case .unauthorized = try await failure({ try await server.client().home() }).reason else {
            throw Unexpected("")
        }
        let empty = try ScriptedServer { request in
            .multistatus(
                resource(
                    "/",
                    request.path == "/me/"
                        ? "" : "<d:current-user-principal><d:href>/me/</d:href></d:current-user-principal>"
                )
            )
        }
        let error = try await failure { try await empty.client().home() }
        guard case .notCalDAV = error.reason, error.element == "C:calendar-home-set" else { throw error }
    }

    @Test("Changes of calendars: the rule of a refusal, and a rename that the reply refuses")
    func collections() async throws {
        let server = try ScriptedServer { request in
            switch request.method {
            case "MKCALENDAR": .rule(403, "<calendar-collection-location-ok/>")
            case "PROPPATCH": .multistatus(resource("/dog@home/list/", "<d:displayname/>", status: 403))
            default: .multistatus(plain("/dog@home/list/a", 423))
            }
        }
        let (client, home) = (server.client(), CalDAVHome(principal: nil, collections: [server.calendar.url]))
        let created = try await failure { try await client.createCalendar(named: "<&>", in: home, id: "a/b") }
        guard case .refused(403, "calendar-collection-location-ok") = created.reason else { throw created }
        #expect(server.server.requests.first?.target == "/dog@home/list/a%2Fb/")
        let renamed = try await failure { try await client.renameCalendar(server.calendar, to: "x") }
        guard case .refused(403, nil) = renamed.reason else { throw renamed }
        // Of several responses one has the name.
        for order in [["<d:displayname/>", ""], ["", "<d:displayname/>"]] {
            let several = try ScriptedServer { _ in
                .multistatus(order.map { resource("/dog@home/list/", $0) }.joined())
            }
            try await several.client().renameCalendar(several.calendar, to: "x")
        }
        for status in [404, 410] {
            let gone = try ScriptedServer { _ in ServedResponse(status: status) }
            try await gone.client().deleteCalendar(gone.calendar)
        }
        let deleted = try await failure { try await client.deleteCalendar(server.calendar) }
        guard case .malformedReply = deleted.reason else { throw deleted }
        let invalid = try await failure { try await client.createCalendar(named: "x", in: home, id: "..") }
        guard case .invalidRequest = invalid.reason else { throw invalid }
    }
}
