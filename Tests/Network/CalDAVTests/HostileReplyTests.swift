import CalDAV
import Foundation
import LoopbackServer
import TestSupport
import Testing
import Threading

@Suite("Replies of faulty and hostile servers")
struct HostileReplyTests {
    private static let data = "<d:getetag>\"1\"</d:getetag><calendar-data>BEGIN:VCALENDAR</calendar-data>"

    /// Sends each kind of request whose reply is XML, and returns the errors.
    private func errors(_ reply: ServedResponse, limits: CalDAVLimits = CalDAVLimits()) async throws -> [CalDAVError] {
        let server = try ScriptedServer { _ in reply }
        let (client, calendar) = (server.client(limits: limits), server.calendar)
        return [
            try await failure { try await client.changes(in: calendar, since: .sync("t"), known: [:]) },
            try await failure { try await client.objects([server.href("a")], in: calendar) },
            try await failure {
                try await client.calendars(in: CalDAVHome(principal: nil, collections: [calendar.url]))
            }, try await failure { try await client.renameCalendar(calendar, to: "x") },
        ]
    }

    @Test("A reply that ends after any byte is an error, however its length is declared")
    func cut() async throws {
        let whole =
            #"<?xml version="1.0"?><d:multistatus xmlns:d="DAV:" xmlns="urn:ietf:params:xml:ns:caldav">"#
            + resource("/dog@home/list/a", HostileReplyTests.data) + token("t") + "</d:multistatus>"
        let count = Locked(0)
        let server = try ScriptedServer { request in
            let length = Int(request.header("X-Length") ?? "") ?? count.withLock { $0 }
            var reply = ServedResponse.xml(whole, fault: length < 0 ? .truncated(after: -length) : nil)
            if length >= 0 { (reply.body, reply.framing) = (.data(Data(whole.utf8.prefix(length))), .untilClose) }
            return reply
        }
        let client = server.client()
        let length = whole.utf8.count
        for end in Array(0..<length) + stride(from: -1, through: -length + 1, by: -7) {
            count.withLock { $0 = end }
            let error =
                end % 2 == 0
                ? try await failure { try await client.changes(in: server.calendar, since: nil, known: [:]) }
                : try await failure { try await client.objects([server.href("a")], in: server.calendar) }
            #expect(error.method == "REPORT" && error.path == "/dog@home/list/")
            switch error.reason {
            case .malformedReply where end >= 0: #expect(error.element != nil)
            case .network where end < 0: break
            default: throw error
            }
        }
        count.withLock { $0 = length }
        #expect(try await client.changes(in: server.calendar, since: nil, known: [:]).changed.count == 1)
    }

    @Test("A missing or invalid field is an error that names its element")
    func missing() async throws {
        let good = member("/dog@home/list/a") + token("t")
        let faults: [(String, String, String)] = [
            ("<d:href>/dog@home/list/a</d:href>", "", "D:href"), ("/dog@home/list/a", " ", "D:href"),
            ("<d:status>HTTP/1.1 200 Some</d:status>", "", "D:status"), ("HTTP/1.1 200 Some", "200", "D:status"),
            ("HTTP/1.1 200", "HTTP/1.1 2x0", "D:status"), ("<d:getetag>&quot;1&quot;</d:getetag>", "", "D:getetag"),
            ("200 Some", "404 Some", "D:getetag"), ("&quot;1&quot;", "", "D:getetag"), (token("t"), "", "D:sync-token"),
            (">t<", "><", "D:sync-token"), ("d:multistatus", "d:error", "D:multistatus"),
        ]
        for (part, replacement, element) in faults {
            let text = #"<d:multistatus xmlns:d="DAV:">\#(good)</d:multistatus>"#.replacingOccurrences(
                of: part,
                with: replacement
            )
            let server = try ScriptedServer { _ in .xml(text) }
            let error = try await failure {
                try await server.client().changes(in: server.calendar, since: .sync("t"), known: [:])
            }
            guard case .malformedReply = error.reason, error.element == element, error.method == "REPORT" else {
                throw error
            }
        }
        let prop =
            "<d:response><d:href>/a</d:href><d:propstat><d:status>HTTP/1.1 200 Some</d:status></d:propstat></d:response>"
        for error in try await errors(.multistatus(prop)) { #expect(error.element == "D:prop") }
        let half = "<d:response><d:href>/a</d:href><d:href> </d:href><d:status>HTTP/1.1 404 No</d:status></d:response>"
        for error in try await errors(.multistatus(half)) { #expect(error.element == "D:href") }
        let bare = "<d:response><d:href>/a</d:href></d:response>"
        for error in try await errors(.multistatus(bare)) { #expect(error.element == "D:status") }
    }

    @Test(
        "An href to another host, with dot segments or outside the calendar is an error",
        arguments: [
            "http://cat.example/dog@home/list/a", "//cat.example/dog@home/list/a", "/dog@home/list/../a",
            "/dog@home/list/%2e%2E/a",
            "/dog@home/list/a?b", "/dog@home/list/a%0Ab", "/cat/a", "a", "ftp://127.0.0.1/dog@home/list/a", "http://",
            "http:///a",
            "http://dog:x@127.0.0.1/dog@home/list/a",
        ]
    )
    func hrefs(_ href: String) async throws {
        for supported in [true, false] {
            let server = try ScriptedServer(supportsSyncCollection: supported) { _ in
                .multistatus(member(href) + token("t"))
            }
            let error = try await failure {
                try await server.client().changes(in: server.calendar, since: nil, known: [:])
            }
            guard case .malformedReply = error.reason, error.element == "D:href" else { throw error }
        }
    }

    @Test("Replies that are no XML of CalDAV, or would expand in memory, are errors")
    func documents() async throws {
        let bomb = #"<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>"#
        let multistatus = #"<d:multistatus xmlns:d="DAV:">"#
        let texts = [
            "", "no", "<html><body>Sign in</body></html>", "\(bomb)\(multistatus)&b;</d:multistatus>",
            #"<!DOCTYPE x SYSTEM "file:///etc/passwd">\#(multistatus)</d:multistatus>"#,
            "\(multistatus)&b;</d:multistatus>", "\(multistatus)\u{1}</d:multistatus>",
            "\(multistatus)&#1;</d:multistatus>", "\(multistatus)</d:multistatus>x",
            #"<?xml version="1.0" encoding="x-none"?>\#(multistatus)</d:multistatus>"#,
            "<d:multistatus></d:multistatus>",
            "\(multistatus)<d:response></d:multistatus>", "<multistatus xmlns='dav:'></multistatus>",
        ]
        for text in texts {
            for error in try await errors(.xml(text)) {
                guard case .malformedReply = error.reason, error.element != nil else { throw error }
            }
        }
        var invalid = ServedResponse.xml("")
        invalid.body = .data(Data(multistatus.utf8) + [0xC3, 0x28] + Data("</d:multistatus>".utf8))
        for error in try await errors(invalid) { guard case .malformedReply = error.reason else { throw error } }
        for error in try await errors(.text("<html>", status: 200)) {
            guard case .malformedReply = error.reason else { throw error }
        }
    }

    @Test(
        "Depth, size and number of elements have limits, and the size of a tag, which is scanned again with each piece"
    )
    func limits() async throws {
        let deep = String(repeating: "<d:a>", count: 100_000)
        let wide = "<d:response>" + String(repeating: "<d:a/>", count: 50_000) + "</d:response>"
        let start = Data(#"<d:multistatus xmlns:d="DAV:">"#.utf8)
        func flood(_ part: String, after first: String = "") -> ServedResponse {
            let head = "HTTP/1.1 207 Some\r\nContent-Type: application/xml\r\nConnection: close\r\n\r\n"
            return .failing(
                .script([
                    .send(Data(head.utf8) + start + Data(first.utf8)),
                    .flood(Data(String(repeating: part, count: 65_536 / part.utf8.count).utf8), atMost: 1 << 30),
                ])
            )
        }
        let small = CalDAVLimits(replyBytes: 2 << 20, members: 10_000)
        let replies = [
            ServedResponse.multistatus(deep), .multistatus(wide), flood("<d:response><d:href>/a</d:href></d:response>"),
            flood(member("/dog@home/list/a")),
            flood("<d:x/>"), flood("text "), flood("<d:x>"), flood("<!-- -->"),
            flood("a", after: "<!-- "), flood("a", after: "<d:x y='"),
        ]
        for (index, reply) in replies.enumerated() {
            for error in try await errors(reply, limits: small) {
                switch error.reason {
                // The last two would end at the size of the reply, too, but after a quadratic time.
                case .limitExceeded(let text): #expect(index < replies.count - 2 || text.contains("tag"))
                // Its first part is wrong already, or is no part of what was asked for.
                case .malformedReply where index == 2 || index == 3: break
                default: throw error
                }
            }
        }
    }
}
