import CalDAV
import Foundation
import LocalProvider
import TestSupport
import Testing
import TodoCore

@testable import TodoSync

extension CalDAVServer {
    /// Starts Debian's Radicale.
    static func radicale() async throws -> CalDAVServer { try await CalDAVServer(.debianRadicale) }

    func client() -> CalDAVClient {
        CalDAVClient(CalDAVAccount(url: url, credential: .basic(user: "dog", password: "secret1")))
    }
}

@Suite(
    "Sync with Radicale",
    .enabled(if: CalDAVServerKind.debianRadicale.isInstalled, "needs Debian's package radicale; see .ci/run")
)
struct RadicaleTests {
    /// Two machines with the same new list of a server.
    private func machines(_ radicale: CalDAVServer) async throws -> (one: Replica, other: Replica) {
        let client = radicale.client()
        let home = try await client.home()
        let calendar = try await client.createCalendar(named: "Work", in: home)
        let ticks = Ticks()
        let server = CalDAVTodoServer(client, home: home)
        return (
            try await Replica(server, [calendar], ticks: ticks), try await Replica(server, [calendar], ticks: ticks)
        )
    }

    @Test("Two machines have the same todos after changes of every kind, and foreign properties survive")
    func converges() async throws {
        let radicale = try await CalDAVServer.radicale()
        let (one, other) = try await machines(radicale)
        let top = try await one.add("(D) 우유 사기 +home @shop #cheap due:2026-12-01 15:00 t:2026-11-20")
        try await one.add("part", parent: top.id)
        try await one.add("water rec:+1w due:2026-12-01")
        for replica in [one, other] { try await replica.sync() }
        #expect(try await one.snapshot() == other.snapshot())
        #expect(try await one.titles().count == 3)
        try await other.edit("우유 사기", "oat milk due:2026-12-24 -- ; , \\")
        _ = try await other.store.complete([try await other.todo("water").id])
        _ = try await one.store.remove([try await one.todo("part").id])
        var note = TodoChange()
        note.note = .set("two\nlines")
        _ = try await one.store.edit(top.id, note)
        for replica in [one, other, one] { try await replica.sync() }
        #expect(try await one.snapshot() == other.snapshot())
        #expect(try await one.titles().count == 3)

        #expect(try await one.store.unsynced().isEmpty)
        #expect(try await other.store.unsynced().isEmpty)
        // Once more, so that both have read their own last changes.
        for replica in [one, other] { try await replica.sync() }
        #expect(try await one.sync().events.isEmpty)
        #expect(try await other.sync().events.isEmpty)
    }

    @Test(
        "A setup with a wrong password stores nothing; a right one stores no password in plain text, and ends without a trace"
    )
    func setup() async throws {
        let radicale = try await CalDAVServer.radicale()
        let folder = try TemporaryDirectory("setup")
        let location = FileStoreLocation(directory: folder.file("data"))
        let store = TodoStore(directory: location)
        let setup = SyncSetup(store: store, location: location, keyPath: folder.file("keys/k").path)
        func connect(_ password: String) async throws -> SyncSetup.Connection {
            try await setup.connect(
                SyncLogin(address: radicale.url.absoluteString, user: "dog", password: password)
            )
        }
        await #expect {
            try await connect("wrong-password-1")
        } throws: {
            if case SyncError.server(let error) = $0, case .unauthorized = error.reason { true } else { false }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("data").path))
        var connection = try await connect("secret1")
        #expect(connection.calendars.isEmpty, "a new account of Radicale has no list")
        try await setup.createCalendar("Home", on: &connection)
        let todo = try await store.add(try TodoChange(title: "Milk"))
        try await setup.add(connection, connection.calendars, localList: "Home")
        let report = try await setup.sync().run()
        #expect(report.events.map(\.action) == [.sentNew])
        #expect(try await store.todos().map(\.list) == ["Home"])
        #expect(try await store.todos().map(\.id) == [todo.id])
        for case let file as URL in FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)
            ?? .init()
        where !file.hasDirectoryPath {
            #expect(try Data(contentsOf: file).range(of: Data("secret1".utf8)) == nil, "\(file.lastPathComponent)")
        }
        try await setup.remove()
        #expect(try await store.todos().map(\.title) == ["Milk"])
        #expect(try await store.syncedLists().isEmpty)
        #expect(throws: SyncError.self) { try setup.sync() }
    }

    @Test("Many todos are sent and read; nothing new is one request's time")
    func many() async throws {
        let radicale = try await CalDAVServer.radicale()
        let (one, other) = try await machines(radicale)
        let count = ProcessInfo.processInfo.environment["PAWKIT_LONG"] == nil ? 60 : 1_000
        var changes: [TodoChange] = []
        for number in 0..<count {
            var change = try TodoChange(title: "listed \(number)")
            change.list = .set("Work")
            changes.append(change)
        }
        _ = try await one.store.add(changes)
        let clock = ContinuousClock()
        var times: [String] = []
        for (name, replica) in [("first sync, sending", one), ("nothing new", one), ("first sync, reading", other)] {
            let time = try await clock.measure { try await replica.sync() }
            times.append("\(name): \(time)")
        }
        #expect(try await other.titles().count == count)
        print("sync of \(count) todos: \(times.joined(separator: ", "))")
    }
}
