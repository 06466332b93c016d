import CalDAV
import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite("Changes of a calendar")
struct ChangesTests {
    private static let list = "/dog%40home/list/"

    @Test("A reply cut off by 507 is continued with its token; 0 is a token")
    func pages() async throws {
        let server = try ScriptedServer { request in
            let sent = String(decoding: request.body, as: UTF8.self)
            for (page, next) in [(0, 1), (1, 2)] where sent.contains("<D:sync-token>\(page)</D:sync-token>") {
                return .multistatus(
                    member(ChangesTests.list + "\(page).ics") + plain("/dog@home/list/", 507)
                        + plain(ChangesTests.list + "x\(page)", 404) + plain(ChangesTests.list + "unknown", 404)
                        + token("\(next)")
                )
            }
            return .multistatus(
                member(ChangesTests.list + "0.ics", "new") + member(ChangesTests.list + "x1") + token("3")
            )
        }
        let known = [server.href("x0"): "\"1\"", server.href("x1"): "\"1\"", server.href("y"): "\"1\""]
        let changes = try await server.client().changes(in: server.calendar, since: .sync("0"), known: known)
        #expect(changes.changed == [server.href("0.ics"): "\"new\"", server.href("1.ics"): "\"1\""])
        #expect(changes.removed == [server.href("x0")] && changes.token == .sync("3") && !changes.isComplete)
        #expect(server.methods == ["REPORT", "REPORT", "REPORT"])
        let bodies = server.server.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(bodies.allSatisfy { !$0.contains("limit") && $0.contains("<D:sync-level>1<") })
    }

    @Test("Members and a token that are complete only at the end of the document are received")
    func deferred() async throws {
        // expat reads a long tag that arrives in small pieces, and what comes after it, at the end of the document.
        let note = String(repeating: "-", count: 150)
        let start = "d:response note='\(note)|\(note)|'"
        let reply =
            #"<d:multistatus xmlns:d="DAV:">"# + member(ChangesTests.list + "a") + token("2") + "</d:multistatus>"
        let pieces = reply.replacing("<d:response>", with: "<\(start)>").split(separator: "|")
        let head = "HTTP/1.1 207 Some\r\nContent-Length: \(pieces.joined().utf8.count)\r\n\r\n"
        let steps = pieces.flatMap { [.pause(.milliseconds(30)), .send(Data($0.utf8))] as [ServedResponse.Step] }
        let server = try ScriptedServer { _ in
            ServedResponse.xml("", fault: .script([.send(Data(head.utf8))] + steps))
        }
        let changes = try await server.client().changes(in: server.calendar, since: .sync("1"), known: [:])
        #expect(changes.changed == [server.href("a"): "\"1\""] && changes.token == .sync("2"))
    }

    @Test("Endless pages are an error, with the same token and with new ones")
    func endlessPages() async throws {
        let same = try ScriptedServer { _ in .multistatus(plain("/dog@home/list/", 507) + token("1")) }
        let first = try await failure {
            try await same.client().changes(in: same.calendar, since: .sync("1"), known: [:])
        }
        guard case .malformedReply = first.reason, first.element == "D:sync-token" else { throw first }
        let fresh = try ScriptedServer { _ in .multistatus(plain("/dog@home/list/", 507) + token(UUID().uuidString)) }
        let client = fresh.client(limits: CalDAVLimits(pages: 5))
        let second = try await failure { try await client.changes(in: fresh.calendar, since: nil, known: [:]) }
        guard case .limitExceeded = second.reason else { throw second }
        #expect(fresh.methods.count == 5)
    }

    @Test("A refused token leads to a complete listing", arguments: [400, 403, 409, 412, 500, 507])
    func refusedToken(_ status: Int) async throws {
        let server = try ScriptedServer { request in
            String(decoding: request.body, as: UTF8.self).contains("<D:sync-token></D:sync-token>")
                ? .multistatus(member("/dog@home/list/a") + member("/dog@home/list/b", "2") + token("new"))
                : .rule(status, "<d:valid-sync-token/>")
        }
        let known = [server.href("a"): "\"1\"", server.href("b"): "\"1\"", server.href("c"): "\"1\""]
        let changes = try await server.client().changes(in: server.calendar, since: .sync("old"), known: known)
        let expected = CalDAVChanges(
            changed: [server.href("b"): "\"2\""],
            removed: [server.href("c")],
            token: .sync("new"),
            isComplete: true
        )
        #expect(changes == expected && server.methods.count == 2)
    }

    @Test("Without a usable report the members are listed, and only if the tag has changed")
    func listing() async throws {
        let listing =
            member("/dog@home/list/a", "2") + plain("/dog@home/list/p", 403)
            + resource("/dog@home/list/q", "<d:getetag/>", status: 401)
            + resource("/dog@home/list/sub/", "<d:resourcetype><d:collection/></d:resourcetype>")
        let collection = "<d:resourcetype><d:collection/><calendar/></d:resourcetype><cs:getctag>t2</cs:getctag>"
        for supported in [false, true] {
            let server = try ScriptedServer(supportsSyncCollection: supported) { request in
                switch (request.method, request.header("Depth")) {
                case ("PROPFIND", "1"): .multistatus(resource("/dog%40home/list", collection) + listing)
                case ("PROPFIND", _): .multistatus(resource("/dog%40home/list/", collection))
                default: .rule(403, "<d:supported-report/>")
                }
            }
            let known = Dictionary(uniqueKeysWithValues: ["a", "b", "p", "q"].map { (server.href($0), "\"1\"") })
            let client = server.client()
            let changes = try await client.changes(in: server.calendar, since: .tag("t1"), known: known)
            #expect(changes.changed == [server.href("a"): "\"2\""] && changes.removed == [server.href("b")])
            #expect(changes.token == .tag("t2") && changes.isComplete)
            if !supported {
                let count = server.methods.count
                let same = try await client.changes(in: server.calendar, since: changes.token, known: known)
                #expect(same.isEmpty && same.token == .tag("t2") && server.methods.count == count + 1)
            }
        }
    }

    @Test(
        "The collection among its members, 418 for a removed one, one that may not be read or fails, full URLs and collections in it"
    )
    func habits() async throws {
        let server = try ScriptedServer { request in
            let host = request.header("Host") ?? ""
            return .multistatus(
                resource("/dog%40home/list/", "<d:getetag>c</d:getetag>") + plain("/dog@home/list/a", 418)
                    + plain("/dog@home/list/p", 403) + plain("/dog@home/list/f", 500)
                    + resource("/dog@home/list/g", "<d:getetag/>", status: 503)
                    + plain("/dog@home/list/unknown", 404)
                    + member("https://\(host)/dog%40home/list/b") + member("http://\(host)/dog@home/list/c%20%ea%b0%95")
                    + "<d:response><d:href>/dog@home/list/k</d:href><d:href>/dog@home/list/l</d:href>"
                    + "<d:status>HTTP/1.1 404 gone</d:status></d:response>"
                    + plain("/dog@home/list/sub/", 403) + member("/dog@home/list/sub/d") + "<x:y xmlns:x='z'/>"
                    + token("t")
            )
        }
        let known = [
            server.href("a"): "\"1\"", server.href("b"): "\"1\"", server.href("k"): "\"1\"",
            server.href("l"): "\"1\"", server.href("p"): "\"1\"", server.href("f"): "\"1\"", server.href("g"): "\"1\"",
        ]
        let changes = try await server.client().changes(in: server.calendar, since: .sync("s"), known: known)
        #expect(changes.changed == [server.href("c 강"): "\"1\""])
        #expect(changes.removed == Set(["a", "k", "l"].map { server.href($0) }))
        #expect(changes.token == .sync("s"), "what fails is listed again")
        for status in [404, 410] {
            let gone = try ScriptedServer { _ in .text("", status: status) }
            let error = try await failure { try await gone.client().changes(in: gone.calendar, since: nil, known: [:]) }
            guard case .notFound = error.reason else { throw error }
        }
    }

    @Test("A server that lists everything instead of refusing a token is noticed")
    func silentReset() async throws {
        let server = try ScriptedServer { request in
            let members = member("/dog@home/list/a") + member("/dog@home/list/b", "2")
            return request.method == "REPORT"
                ? .multistatus(members + token("new")) : .multistatus(resource("/dog@home/list/", "") + members)
        }
        let known = [server.href("a"): "\"1\"", server.href("c"): "\"1\""]
        let changes = try await server.client().changes(in: server.calendar, since: .sync("lost"), known: known)
        #expect(changes.changed == [server.href("b"): "\"2\""] && changes.removed == [server.href("c")])
        #expect(changes.isComplete && changes.token == .sync("new") && server.methods == ["REPORT", "PROPFIND"])
    }

    @Test("Missing objects, missing texts, failing ones and a missing report: multiget of 50, then single requests")
    func objects() async throws {
        let server = try ScriptedServer { request in
            let name = request.path.split(separator: "/").last.map(String.init) ?? ""
            guard request.method == "REPORT" else {
                return name == "lost" || name == "broken"
                    ? .text("", status: name == "lost" ? 404 : 500)
                    : ServedResponse(headers: [("ETag", "\"g\"")], body: .data(Data("GET \(name)".utf8)))
            }
            let sent = String(decoding: request.body, as: UTF8.self)
            if sent.contains("/last") { return .text("", status: 501) }
            let data = "<d:getetag>&quot;1&quot;</d:getetag><calendar-data>BEGIN\r\nx &amp; &#13;\ny</calendar-data>"
            return .multistatus(
                resource("/dog@home/list/0", data) + resource("/dog@home/list/foreign", data)
                    + plain("/dog@home/list/1", 404)
                    + plain("/dog@home/list/2", 403) + resource("/dog@home/list/3", "<calendar-data/>", status: 404)
                    + resource("/dog@home/list/lost", "<d:getetag>e</d:getetag>") + plain("/dog@home/list/4", 418)
                    + plain("/dog@home/list/broken", 500)
                    + resource("/dog@home/list/5", "<d:getetag>e</d:getetag><calendar-data></calendar-data>")
            )
        }
        let names = (0..<48).map(String.init) + ["broken", "lost", "last"]
        let objects = try await server.client().objects(names.map(server.href), in: server.calendar)
        #expect(objects.map(\.text) == ["BEGIN\nx & \r\ny", "GET 2", "GET 3", "GET 5", "", "GET last"])
        #expect(objects.map(\.etag) == ["\"1\"", "\"g\"", "\"g\"", "\"g\"", "", "\"g\""])
        #expect(objects.map { $0.problem != nil } == [false, false, false, false, true, false])
        #expect(objects[4].problem?.contains("500") == true && objects[4].href == server.href("broken"))
        #expect(server.methods == ["REPORT", "GET", "GET", "GET", "GET", "GET", "REPORT", "GET"])
        // A server that fails about all of them is an error.
        let hrefs = ["broken", "broken"].map(server.href)
        let error = try await failure { try await server.client().objects(hrefs, in: server.calendar) }
        guard case .refused(500, _) = error.reason else { throw error }
    }

    @Test("A listing of 100,000 members is read, one of more than the limit is an error")
    func many() async throws {
        let members = (0..<100_000).map { member("/dog@home/list/\($0).ics") }.joined()
        let server = try ScriptedServer { _ in .multistatus(members + token("t")) }
        let changes = try await server.client().changes(in: server.calendar, since: nil, known: [:])
        #expect(changes.changed.count == 100_000)
        for limits in [CalDAVLimits(replyBytes: 1 << 20), CalDAVLimits(members: 1_000)] {
            let error = try await failure {
                try await server.client(limits: limits).changes(in: server.calendar, since: nil, known: [:])
            }
            guard case .limitExceeded = error.reason else { throw error }
        }
    }
}
