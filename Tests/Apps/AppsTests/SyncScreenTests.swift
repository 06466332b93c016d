import Foundation
import TestSupport
import Testing

@Suite(
    "Sync on the full screen",
    .enabled(if: CalDAVServerKind.debianRadicale.isInstalled, "needs Debian's package radicale; see .ci/run")
)
struct SyncScreenTests {
    @Test("Set up on the screen, sent and shown at once, a lost value comes back by an undo, offline and back")
    func onTheScreen() async throws {
        let server = try await CalDAVServer(.debianRadicale)
        let (one, other) = (try AppFixture(), try AppFixture())
        _ = try await one.add("Milk")
        let screen = try await AppScreen(one, showing: "1 open", columns: 100, rows: 30)
        defer { screen.terminal.end() }
        #expect(!FileManager.default.fileExists(atPath: one.folder.path + "/dog/sync.journal"))
        try await screen.type("y", waitingFor: "another CalDAV server")
        try await screen.type("\(server.url.absoluteString)\tdog\tsecret2\r", waitingFor: "Sign in again.")
        // The field of the password has the focus still.
        try await screen.type("\u{7F}1\r", waitingFor: "The server has no list for todos yet.")
        try await screen.type("\tHome\r", waitingFor: "Milk: added on the server")
        try await screen.wait(for: "✓ synced")
        // The focus is in the form while "Sync now" is disabled.
        try await screen.wait(for: "esc back")
        try await screen.type("\u{1B}", waitingFor: "1 open")

        let joined = try await other.addSync(to: server)
        #expect(joined.output == "Milk: added from the server\n", "\(joined)")
        let id = try await other.todos("todo", "list")[0]["id"] as? String ?? ""
        _ = try await other.run("todo", "edit", id, "--title", "Oat milk")
        #expect(try await other.run("sync").status == 0)
        try await screen.type("S", waitingFor: "[ ] Oat milk")
        // The todo is shown before the sync ends, during which no other process syncs.
        try await eventually(within: .seconds(20)) { try await one.run("sync").status == 0 }

        // A change is sent two seconds later; it waits without the server, and for `S` as soon as the server is back.
        server.stop()
        try await screen.type("i", waitingFor: "esc list")
        try await screen.type(" for Rice\r", waitingFor: "✕ offline, 1 waiting")
        #expect(try await one.run("sync", "status").output.contains("waiting: 1\n"))
        try await server.restart()

        // Both have changed the title: the later value wins, and the other one comes back by one key.
        let edited = try await other.run("todo", "edit", id, "--title", "Soy milk")
        let sent = try await other.run("sync")
        #expect(edited.status == 0 && sent.output == "Soy milk: changed on the server\n", "\(edited) \(sent)")
        try await screen.type("S", waitingFor: "Soy milk: the server's title was taken")
        try await screen.wait(for: "✓ synced")
        try await screen.type("u", waitingFor: "[ ] Oat milk for Rice")
        try await eventually(within: .seconds(20)) {
            try await other.run("sync").output == "Oat milk for Rice: changed as on the server\n"
        }
        #expect(try await other.run("todo", "count", "Rice").output == "1\n")
    }

    @Test("Quitting sends what was changed a moment before, and does not wait long for a server that does not reply")
    func quitting() async throws {
        let server = try await CalDAVServer(.debianRadicale)
        let (one, other) = (try AppFixture(), try AppFixture())
        for title in ["Milk", "Eggs"] { _ = try await one.add(title) }
        _ = try await one.addSync(to: server, localTo: "Home")
        func complete(_ number: Int) async throws -> String {
            let screen = try await AppScreen(one, showing: "✓ synced", columns: 100, rows: 30)
            try await screen.wait(for: "\(3 - number) open, \(number - 1) done")
            if number == 2 { server.hang() }
            try await screen.type(" ", waitingFor: "\(2 - number) open, \(number) done")
            #expect(try await screen.terminal.waitForExit(typing: "q") == 0)
            return screen.terminal.text
        }
        // Only a server that replies late, as on a busy machine, may not have it yet.
        if try await complete(1).contains("sending the last changes") { _ = try await one.run("sync") }
        _ = try await other.addSync(to: server)
        #expect(try await other.run("todo", "count", "is:done", "--all").output == "1\n")
        #expect(try await complete(2).contains("sending the last changes to the server"))
        #expect(try await one.run("sync", "status").output.contains("waiting: 1\n"))
    }

    @Test("On a small screen in Korean without colour, the state and the next step are visible")
    func small() async throws {
        let server = try await CalDAVServer(.debianRadicale)
        let app = try AppFixture()
        let added = try await app.addSync(to: server, localTo: "Home")
        #expect(added.status == 0, "\(added)")
        server.stop()
        let screen = try await AppScreen(
            app,
            columns: 40,
            rows: 12,
            environment: ["LC_ALL": "ko_KR.UTF-8", "NO_COLOR": "1"]
        )
        try await screen.wait(for: "✕  설정")
        try await screen.type("y", waitingFor: "✕ 오프라인")
        try await screen.wait(for: "서버에 연결할 수 없습니다.")
        try await screen.wait(for: "지금 동기화")
    }
}
