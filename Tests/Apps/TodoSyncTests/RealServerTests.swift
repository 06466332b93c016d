import CalDAV
import CurlTransport
import Foundation
import HTTPTransport
import LocalProvider
import TestSupport
import Testing
import TodoCore

@testable import TodoSync

extension CalDAVServer {
    /// A client of the server, or of a proxy in front of it.
    func client(_ transport: (any HTTPTransport)? = nil, at proxy: URL? = nil) -> CalDAVClient {
        let credential = kind == .xandikos ? .none : CalDAVAccount.Credential.basic(user: "dog", password: "secret1")
        return CalDAVClient(
            CalDAVAccount(url: proxy ?? url, credential: credential),
            transport: transport ?? self.transport()
        )
    }

    /// A transport that trusts the server's certificate.
    func transport() -> CurlTransport {
        guard kind == .xandikosWithTLS else { return CurlTransport() }
        let path = folder.file("state/certs/selfsigned.crt").path
        let tls = HTTPTLSSettings(trust: .authorities(.file(path: path)))
        return CurlTransport(configuration: CurlConfiguration(connection: HTTPConnectionSettings(tls: tls)))
    }
}

extension CalDAVHref {
    /// A calendar at this path, with the properties of another one.
    fileprivate func calendar(like other: CalDAVCalendar) -> CalDAVCalendar {
        var calendar = other
        calendar.href = self
        return calendar
    }
}

@Suite(
    "Sync with real servers",
    .enabled(
        if: !CalDAVServerKind.installed.isEmpty,
        "needs Debian's package radicale, or radicale and xandikos in .build/caldav-servers; see .ci/run"
    )
)
struct RealServerTests {
    /// Two machines with the same new list of a server.
    private func machines(
        _ server: CalDAVServer,
        _ transport: (any HTTPTransport)? = nil
    ) async throws -> (one: Replica, other: Replica) {
        let client = server.client(transport)
        let home = try await client.home()
        let calendar = try await client.createCalendar(named: "Work", in: home)
        let ticks = Ticks()
        func replica() async throws -> Replica { try await Replica(client, [calendar], in: home, ticks: ticks) }
        return (try await replica(), try await replica())
    }

    @Test(
        "Two machines have the same todos after changes of every kind, and foreign properties survive",
        arguments: CalDAVServerKind.installed
    )
    func converges(_ kind: CalDAVServerKind) async throws {
        let server = try await CalDAVServer(kind)
        defer { server.stop() }
        let (one, other) = try await machines(server)
        let top = try await one.add("(D) 우유 사기 +home @shop #cheap due:2026-12-01 15:00 t:2026-11-20")
        try await one.add("part", parent: top.id)
        try await one.add("water rec:+1w due:2026-12-01")
        for replica in [one, other] { try await replica.sync() }
        #expect(try await one.snapshot() == other.snapshot())
        #expect(try await one.titles().count == 3)
        try await other.edit("우유 사기", "oat milk due:2026-12-24 -- ; , \\")
        _ = try await other.store.complete([try await other.todo("water").id])
        _ = try await one.store.remove([try await one.todo("part").id])
        _ = try await one.store.edit(top.id, TodoChange { $0.note = .set("two\nlines") })
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
        "A setup with a wrong password stores nothing; a right one stores no password in plain text, and ends without a trace",
        .enabled(if: CalDAVServerKind.debianRadicale.isInstalled, "needs Debian's package radicale; see .ci/run")
    )
    func setup() async throws {
        let radicale = try await CalDAVServer(.debianRadicale)
        let folder = try TemporaryDirectory("setup")
        let location = FileStoreLocation(directory: folder.file("data"))
        let store = TodoStore(directory: location)
        let setup = SyncSetup(store: store, location: location, keyPath: folder.file("keys/k").path)
        func connect(_ password: String) async throws -> SyncSetup.Connection {
            try await setup.connect(SyncLogin(address: radicale.url.absoluteString, user: "dog", password: password))
        }
        await #expect {
            try await connect("wrong-password-1")
        } throws: {
            if case SyncError.server(let error) = $0, case .unauthorized = error.reason { true } else { false }
        }
        #expect(!FileManager.default.fileExists(atPath: folder.file("data").path))
        var connection = try await connect("secret1")
        #expect(connection.calendars.isEmpty, "a new account of Radicale has no list")
        let home = try await setup.calendar(named: "Home", on: &connection)
        let todo = try await store.add(try TodoChange(title: "Milk"))
        try await setup.add(connection, connection.calendars, localList: home)
        let report = try await setup.sync().run()
        #expect(report.events.map(\.action) == [.sentNew])
        #expect(try await store.todos().map(\.list) == ["Home"])
        #expect(try await store.todos().map(\.id) == [todo.id])
        let before = try radicale.requests().count
        #expect(try await setup.check(writes: true)?.get() == ["Home"])
        let requests = try radicale.requests().dropFirst(before)
        #expect(["PUT", "DELETE"].allSatisfy { method in requests.contains { $0.contains("\(method) request for") } })
        // The first step that fails is named; a name cannot have a label of 70 letters, which needs no request to see.
        func step(_ address: String) async throws -> SyncSetup.Step? {
            var account = try #require(try setup.records.account())
            account.address = address
            try setup.records.setAccount(account)
            guard case .failure(let failure)? = try await setup.check() else { return nil }
            return failure.step
        }
        #expect(try await step("https://" + String(repeating: "a", count: 70)) == .name)
        #expect(try await step("http://127.0.0.1:1") == .connection)
        #expect(try await step("https://127.0.0.1:\(radicale.port)") == .tls)
        try radicale.folder.write("dog:other\n", to: "users")
        #expect(try await step(radicale.url.absoluteString) == .login)
        try radicale.folder.write("dog:secret1\n", to: "users")
        let list = try #require(connection.calendars.first)
        let gone = SyncList(name: "Gone", calendar: try #require(CalDAVHref("/dog/gone/")).calendar(like: list))
        var account = try #require(try setup.records.account())
        account.lists.append(gone)
        try setup.records.setAccount(account)
        #expect(try await step(radicale.url.absoluteString) == .lists)
        account.lists.removeLast()
        try setup.records.setAccount(account)
        let path = "http://127.0.0.1/"
        for (reason, element, stage, expected) in [
            (.notCalDAV, nil, .wellKnown, .wellKnown), (.notCalDAV, "C:calendar-home-set", .wellKnown, .home),
            (.refused(status: 403, condition: nil), nil, .write, .write), (.busy(retryAfter: nil), nil, .lists, .lists),
        ] as [(CalDAVError.Reason, String?, SyncSetup.Step, SyncSetup.Step)] {
            let error = CalDAVError(reason, method: "PROPFIND", server: path, path: "/", element: element)
            #expect(SyncSetup.Step(error, in: stage) == expected)
        }
        #expect(try await setup.sync().run().events.isEmpty)
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

    @Test(
        "The sync of a program: no file without an account, other lists, a lost connection, a conflict with its change, the end",
        .enabled(if: CalDAVServerKind.debianRadicale.isInstalled, "needs Debian's package radicale; see .ci/run")
    )
    func service() async throws {
        let server = try await CalDAVServer(.debianRadicale)
        let folder = try TemporaryDirectory("service")
        let location = FileStoreLocation(directory: folder.file("data"))
        let store = TodoStore(directory: location)
        let setup = SyncSetup(store: store, location: location, keyPath: folder.file("keys/k").path)
        let service = SyncService(setup, store: store)
        #expect(await service.refresh() == SyncState())
        #expect(await service.sync(.now) == .done)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)

        let login = SyncLogin(address: server.url.absoluteString, user: "dog", password: "secret1")
        #expect(try await service.connect(login).isEmpty)
        let todo = try await store.add(try TodoChange(title: "Milk"))
        let tea = try await store.add(try TodoChange(title: "Tea"))
        try await service.add([], localTodos: .new("Home"))
        #expect(await service.refresh().summary == .waiting(2))
        #expect(await service.sync(.unasked) == .done)
        #expect(await service.refresh().summary == .synced)
        #expect(await service.refresh().log.map(\.action) == [.sentNew, .sentNew])

        // Both change two titles; the undo of the change that the state names brings the other value of one back.
        let client = server.client()
        let home = try await client.home()
        let list = try #require(try await client.calendars(in: home).first)
        let found = try await client.changes(in: list, since: nil, known: [:])
        for object in try await client.objects(Array(found.changed.keys), in: list) {
            let text = object.text.replacing("SUMMARY:", with: "SUMMARY:Soy ").replacing(
                #/LAST-MODIFIED:\d+/#,
                with: "LAST-MODIFIED:20990101"
            )
            _ = try await client.update(text, at: object.href, in: list, matching: object.etag)
        }
        for todo in [todo, tea] { _ = try await store.edit(todo.id, try TodoChange(title: "Rice \(todo.title)")) }
        #expect(await service.sync(.unasked) == .done)
        #expect(try await store.todos().map(\.title) == ["Soy Milk", "Soy Tea"])
        let conflict = try #require(await service.refresh().conflict)
        #expect(conflict.event.action == .conflict(fields: ["title"], tookServer: true))
        _ = try await store.undo(conflict.step, afterLaterChanges: false)
        let brought = conflict.event.title.replacing("Soy", with: "Rice")
        let left = conflict.event.title == "Soy Tea" ? "Soy Milk" : "Soy Tea"
        #expect(try await Set(store.todos().map(\.title)) == [brought, left])
        _ = try await store.remove([tea.id])
        #expect(await service.sync(.unasked) == .done)
        #expect(await service.refresh().conflict == nil)
        _ = try await store.edit(todo.id, try TodoChange(title: "Oat milk"))

        server.stop()
        guard case .paused(let pause) = await service.sync(.unasked) else { throw CocoaError(.featureUnsupported) }
        #expect(pause > .seconds(20) && pause <= .seconds(30))
        #expect(await service.refresh().summary == .offline(1))
        #expect(await service.refresh().problem?.kind == .offline)
        // Another attempt would fail as well, and double the pause.
        guard case .paused(let rest) = await service.sync(.unasked) else { throw CocoaError(.featureUnsupported) }
        #expect(rest <= pause)
        try await server.restart()
        #expect(await service.sync(.now) == .done)
        #expect(await service.refresh().summary == .synced)

        // Other lists: one comes, and the other becomes local.
        _ = try await client.createCalendar(named: "Garden", in: home)
        let offers = try await service.connect(nil).sorted { $0.name < $1.name }
        #expect(offers.map(\.name) == ["Garden", "Home"] && offers.map(\.isSynced) == [false, true])
        try await service.add([offers[0].id], localTodos: nil)
        #expect(await service.refresh().account?.lists == ["Garden"])
        #expect(try await store.syncedLists().map(\.name) == ["Garden"])
        #expect(await service.sync(.now) == .done)
        #expect(try await store.todos().map(\.list) == ["Home"])
        _ = try await service.connect(nil)
        try await service.add(Set(offers.map(\.id)), localTodos: nil)
        #expect(await service.sync(.now) == .done)
        #expect(try await store.todos().map(\.title) == ["Oat milk"])
        #expect(await service.refresh().failures.isEmpty)
        // A login is used for one choice of lists, of which the first of a name is taken.
        await #expect(throws: SyncError.self) { try await service.add([], localTodos: nil) }
        _ = try await client.createCalendar(named: "Garden", in: home)
        _ = try await service.connect(nil)
        try await service.add([], localTodos: .new("garden"))
        #expect(await service.refresh().account?.lists == ["Garden"])
        // The other one of the name has another name here, to which the local todos go.
        _ = try await store.add(try TodoChange(title: "Rake"))
        let second = try #require(try await service.connect(nil).first { $0.name == "Garden" && !$0.isSynced })
        try await service.add(Set(try await service.connect(nil).map(\.id)), localTodos: .offer(second.id))
        #expect(await service.sync(.now) == .done)
        #expect(try await store.todos().first { $0.title == "Rake" }?.list == "Garden 2")
        #expect(try await store.syncedLists().map(\.name).contains("Garden 2"))

        try await service.remove()
        #expect(await service.refresh() == SyncState())
    }

    @Test(
        "Many todos are sent and read; nothing new is at most two requests, one change on either side at most four",
        arguments: CalDAVServerKind.installed
    )
    func many(_ kind: CalDAVServerKind) async throws {
        let server = try await CalDAVServer(kind)
        defer { server.stop() }
        let connection = ScriptedTransport(server.transport())
        let (one, other) = try await machines(server, connection)
        let count = isLongRun ? 1_000 : 60
        var changes: [TodoChange] = []
        for number in 0..<count {
            var change = try TodoChange(title: "listed \(number)")
            change.list = .set("Work")
            changes.append(change)
        }
        _ = try await one.store.add(changes)
        for replica in [one, other, one] { try await replica.sync() }
        #expect(try await other.titles().count == count)
        _ = connection.takeRequests()
        for (name, change, limits) in [
            ("nothing new", nil, [2, 2]), ("an edit", { try await one.edit("listed 7", "(A)") }, [4, 4]),
            ("a new todo", { try await one.add("new") }, [4, 4]),
        ] as [(String, (() async throws -> Todo)?, [Int])] {
            _ = try await change?()
            for (replica, limit) in zip([one, other], limits) {
                try await replica.sync()
                let requests = connection.takeRequests().map { "\($0.method) \($0.url.path())" }
                #expect(requests.count <= limit, "\(name): \(requests)")
            }
        }
        #expect(try await one.snapshot() == other.snapshot())
    }
}
