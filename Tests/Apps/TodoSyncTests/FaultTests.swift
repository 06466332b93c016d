import CalDAV
import Checksums
import CurlTransport
import Foundation
import HTTPTransport
import LocalProvider
import TestSupport
import Testing
import Threading
import TodoCore

@testable import TodoSync

@Suite(
    "Sync with real servers through a faulty proxy",
    .enabled(
        if: !CalDAVServerKind.installed.isEmpty,
        "needs Debian's package radicale, or radicale and xandikos in .build/caldav-servers; see .ci/run"
    )
)
struct FaultTests {
    /// Two machines with the same new list, each behind a separate proxy.
    private struct Pair {
        let one: Replica
        let other: Replica
        let proxies: [FaultProxy]

        init(_ server: CalDAVServer) async throws {
            let plain = server.client()
            let list = try await plain.createCalendar(named: "Work", in: try await plain.home())
            let proxies = [try FaultProxy(server), try FaultProxy(server)]
            let ticks = Ticks()
            func replica(_ proxy: FaultProxy) async throws -> Replica {
                let client = server.client(at: proxy.url)
                let home = try await client.home()
                let calendars = try await client.calendars(in: home).filter { $0.href == list.href }
                return try await Replica(client, calendars, in: home, ticks: ticks)
            }
            self.proxies = proxies
            one = try await replica(proxies[0])
            other = try await replica(proxies[1])
        }
    }

    @Test(
        "After each fault of a write, the next sync neither loses nor doubles a todo",
        arguments: CalDAVServerKind.installed
    )
    func writes(_ kind: CalDAVServerKind) async throws {
        let server = try await CalDAVServer(kind)
        defer { server.stop() }
        let pair = try await Pair(server)
        let (one, other) = (pair.one, pair.other)
        var expected: [String] = []
        for (number, fault) in FaultProxy.Fault.general.enumerated() {
            // A creation, a change and a deletion, each with the fault.
            try await one.add("stays \(number)")
            let gone = try await one.add("goes \(number)")
            pair.proxies[0].plan([fault])
            _ = try? await one.sync()
            try await one.sync()
            #expect(try await one.store.unsynced().isEmpty, "\(fault)")
            try await one.edit("stays \(number)", "changed \(number) +home")
            pair.proxies[0].plan([fault])
            _ = try? await one.sync()
            try await one.sync()
            _ = try await one.store.remove([gone.id])
            pair.proxies[0].plan([fault])
            _ = try? await one.sync(allowsDeletions: true)
            try await one.sync(allowsDeletions: true)
            #expect(try await one.store.unsynced().isEmpty, "\(fault)")
            expected.append("changed \(number)")
            try await other.sync(allowsDeletions: true)
            #expect(try await other.titles() == expected.sorted(), "\(fault)")
            #expect(try await one.snapshot() == other.snapshot(), "\(fault)")
        }
        #expect(pair.proxies[0].seen == Set(FaultProxy.Fault.general))
        for replica in [one, other] { try await replica.sync() }
        #expect(try await one.sync().events.isEmpty)
        #expect(try await other.sync().events.isEmpty)
    }

    @Test("After each fault of the list of calendars, of the changes and of their texts, the next sync has read them")
    func reads() async throws {
        let server = try await CalDAVServer(CalDAVServerKind.installed[0])
        defer { server.stop() }
        let pair = try await Pair(server)
        let (one, other) = (pair.one, pair.other)
        try await one.add("edited")
        for replica in [one, other] { try await replica.sync() }
        for fault in FaultProxy.Fault.allCases {
            // The list of calendars, the changes and the texts come one after the other.
            let places = isLongRun ? Array(0..<3) : fault == .cutText ? [2] : fault == .refusedToken ? [1] : [1, 2]
            for passing in places {
                let gone = try await one.add("\(fault) \(passing)")
                try await one.edit("edited", "note-\(fault)-\(passing)")
                try await one.sync()
                _ = try await one.store.remove([gone.id])
                let title = TodoChange { $0.title = "edited" }
                _ = try await one.store.edit(try await one.todo("note-\(fault)-\(passing)").id, title)
                pair.proxies[1].plan(
                    [FaultProxy.Fault?](repeating: nil, count: passing) + [fault],
                    of: ["PROPFIND", "REPORT"]
                )
                _ = try? await other.sync()
                try await one.sync(allowsDeletions: true)
                for _ in 0..<2 { try await other.sync(allowsDeletions: true) }
                #expect(try await one.snapshot() == other.snapshot(), "\(fault) \(passing)")
                #expect(try await other.store.unsynced().isEmpty, "\(fault) \(passing)")
            }
        }
        #expect(pair.proxies[1].seen == Set(FaultProxy.Fault.allCases))
        #expect(try await other.titles() == ["edited"])
    }

    // MARK: Redirects

    @Test(
        "After a redirect on the server the method, the text and the condition are the same",
        arguments: [301, 302, 307, 308]
    )
    func redirects(_ status: Int) async throws {
        let server = try await CalDAVServer(CalDAVServerKind.installed[0])
        defer { server.stop() }
        let (replica, connection) = try await scripted(server)
        try await replica.add("Milk")
        try await replica.sync()
        connection.setScript { request in
            let path = request.url.path()
            if path.hasPrefix("/moved") {
                request.url = server.url.appending(path: path.dropFirst(6))
                return nil
            }
            return request.reply(status, ["Location": "/moved\(path)"])
        }
        try await replica.edit("Milk", "Oat milk")
        try await replica.add("Eggs")
        _ = try await replica.store.remove([try await replica.todo("Oat milk").id])
        let report = try await replica.sync(allowsDeletions: true)
        #expect(report.problems.isEmpty && report.events.map(\.action) == [.sentNew, .sentRemoval], "\(report)")
    }

    @Test("A redirect to another server, or from https to http, is not followed with the password, and nothing is lost")
    func refusedRedirects() async throws {
        let server = try await CalDAVServer(CalDAVServerKind.installed[0])
        defer { server.stop() }
        let address = server.url.absoluteString
        for (base, location) in [
            (server.url, "https://evil.example/dog/"),
            (try #require(URL(string: address.replacing("http:", with: "https:"))), address + "/dog/"),
        ] {
            // The server has no TLS: the client sees a server with it.
            let toServer: ScriptedTransport.Script = { request in
                if request.url.host() == "evil.example" { return request.reply(401, ["WWW-Authenticate": "Basic"]) }
                request.url = server.url.appending(path: request.url.path())
                return nil
            }
            let (replica, connection) = try await scripted(server, at: base, toServer)
            try await replica.add("Milk")
            try await replica.sync()
            try await replica.edit("Milk", "Oat milk")
            connection.setScript { request in
                request.url == base || request.url.host() == base.host() && request.url.scheme == base.scheme
                    ? request.reply(302, ["Location": location]) : toServer(&request)
            }
            _ = connection.takeRequests()
            await #expect(throws: SyncError.self) { try await replica.sync() }
            let requests = connection.takeRequests().filter {
                $0.url.host() != base.host() || $0.url.scheme != base.scheme
            }
            #expect(requests.allSatisfy { $0.headers["Authorization"] == nil })
            #expect(try replica.records.account()?.status.kind == .address)
            #expect(try await replica.store.unsynced().count == 1)
            connection.setScript(toServer)
            #expect(try await replica.sync().events.map(\.action) == [.sentChange])
        }
    }

    /// A machine over a connection with a script.
    private func scripted(
        _ server: CalDAVServer,
        at url: URL? = nil,
        through transport: CurlTransport = CurlTransport(),
        _ script: @escaping ScriptedTransport.Script = { _ in nil }
    ) async throws -> (Replica, ScriptedTransport) {
        let connection = ScriptedTransport(transport, script)
        let client = CalDAVClient(
            CalDAVAccount(url: url ?? server.url, credential: .basic(user: "dog", password: "secret1")),
            transport: connection
        )
        let home = try await client.home()
        let calendar = try await client.createCalendar(named: "Work", in: home)
        return (try await Replica(client, [calendar], in: home), connection)
    }

    // MARK: Certificates and passwords

    @Test(
        "With a certificate that is not accepted nothing is sent, todos wait, and the problem is named",
        .enabled(if: TestAuthority.openssl != nil && Nginx.program != nil, "needs openssl and nginx")
    )
    func certificates() async throws {
        let server = try await CalDAVServer(CalDAVServerKind.installed[0])
        defer { server.stop() }
        let authority = try TestAuthority()
        let proxy = "location / { proxy_pass \(server.url.absoluteString); proxy_set_header Host $http_host; }"
        let nginx = try Nginx(
            [
                try authority.issue("localhost"), try authority.issue("expired", days: -1),
                try authority.selfSigned("self"), try authority.issue("other", for: "DNS:other.example"),
            ].map { Nginx.Site($0, locations: proxy) }
        )
        let tls = HTTPTLSSettings(trust: .authorities(.file(path: authority.root.certificate.path)))
        let trusting = CurlTransport(configuration: CurlConfiguration(connection: HTTPConnectionSettings(tls: tls)))
        let good = try #require(URL(string: "https://localhost:\(nginx.ports[0])"))
        let (replica, connection) = try await scripted(server, at: good, through: trusting)
        try await replica.add("Milk")
        try await replica.sync()
        try await replica.edit("Milk", "Oat milk")
        let before = try server.requests()
        #expect(!before.isEmpty)
        for port in nginx.ports.dropFirst() {
            connection.setScript { request in
                request.url = URL(string: "https://localhost:\(port)\(request.url.path())") ?? request.url
                return nil
            }
            await #expect(throws: SyncError.self) { try await replica.sync() }
            #expect(try replica.records.account()?.status.kind == .certificate)
        }
        // The system does not trust the authority.
        let unknown = SyncLogin(address: good.absoluteString, user: "dog", password: "secret1")
        let folder = try TemporaryDirectory("certificates")
        let setup = SyncSetup(
            store: replica.store,
            location: FileStoreLocation(directory: folder.url),
            keyPath: folder.file("key").path
        )
        await #expect {
            _ = try await setup.connect(unknown)
        } throws: {
            ($0 as? SyncError).flatMap { SyncProblem($0) }?.kind == .certificate
        }
        #expect(try server.requests() == before)
        connection.setScript { _ in nil }
        #expect(try await replica.sync().events.map(\.action) == [.sentChange])
    }

    @Test(
        "A password that the server does not accept any more is sent once, until the user asks for a sync or signs in again",
        .enabled(if: CalDAVServerKind.debianRadicale.isInstalled, "needs Debian's package radicale; see .ci/run")
    )
    func password() async throws {
        let server = try await CalDAVServer(.debianRadicale)
        let folder = try TemporaryDirectory("password")
        let location = FileStoreLocation(directory: folder.file("data"))
        let ticks = Locked(Date(timeIntervalSince1970: 1_800_000_000))
        let clock = TodoClock(zone: .utc, now: { ticks.withLock { $0 } })
        let store = TodoStore(directory: location)
        let setup = SyncSetup(store: store, location: location, keyPath: folder.file("keys/k").path)
        let service = SyncService(setup, store: store, clock: clock)
        func login(_ password: String) -> SyncLogin {
            SyncLogin(address: server.url.absoluteString, user: "dog", password: password)
        }
        _ = try await service.connect(login("secret1"))
        try await service.add([], localTodos: .new("Home"))
        #expect(await service.sync(.now) == .done)
        try server.folder.write("dog:other\n", to: "users")
        let before = try server.requests().count
        guard case .paused = await service.sync(.unasked) else { throw CocoaError(.featureUnsupported) }
        #expect(await service.refresh().problem?.kind == .login)
        for _ in 0..<5 {
            ticks.withLock { $0.addTimeInterval(86_400) }
            #expect(await service.sync(.unasked) == .done)
        }
        #expect(try server.requests().count == before + 1)
        guard case .paused = await service.sync(.now) else { throw CocoaError(.featureUnsupported) }
        #expect(try server.requests().count == before + 2)
        let offers = try await service.connect(login("other"))
        try await service.add(Set(offers.map(\.id)), localTodos: nil)
        #expect(await service.sync(.unasked) == .done)
        #expect(await service.refresh().summary == .synced)
    }

    @Test("A list whose creation was cut off is not created again")
    func creation() async throws {
        let server = try await CalDAVServer(CalDAVServerKind.installed[0])
        defer { server.stop() }
        let (proxy, folder) = (try FaultProxy(server), try TemporaryDirectory("creation"))
        let location = FileStoreLocation(directory: folder.file("data"))
        let store = TodoStore(directory: location)
        let setup = SyncSetup(store: store, location: location, keyPath: folder.file("keys/k").path)
        let service = SyncService(setup, store: store)
        _ = try await service.connect(SyncLogin(address: proxy.url.absoluteString, user: "dog", password: "secret1"))
        proxy.plan([.lostReply], of: ["MKCALENDAR"])
        await #expect(throws: SyncError.self) { try await service.add([], localTodos: .new("Home")) }
        try await service.add([], localTodos: .new("Home"))
        #expect(proxy.seen == [.lostReply])
        #expect(try await server.client().calendars().map(\.name) == ["Home"])
    }

    @Test("The longer of the server's pause and the sync's own is in the status, with the kind of the problem")
    func pause() async throws {
        let server = try await CalDAVServer(CalDAVServerKind.installed[0])
        defer { server.stop() }
        let pair = try await Pair(server)
        try await pair.one.add("a")
        // The server asks for 90 seconds, and each failure doubles the pause that a sync makes by itself.
        for wanted in [90.0, 90, 120] {
            pair.proxies[0].plan([.tooManyRequests])
            await #expect(throws: SyncError.self) { try await pair.one.sync() }
            let status = try #require(try pair.one.records.account()).status
            let rest = try #require(status.pause).timeIntervalSince(pair.one.clock.now())
            #expect(status.kind == .busy && rest > wanted - 30 && rest <= wanted)
        }
    }

    @Test("Two machines have the same todos after random changes through a proxy with random faults")
    func random() async throws {
        let rounds = isLongRun ? 60 : 2
        let server = try await CalDAVServer(CalDAVServerKind.installed[0])
        defer { server.stop() }
        for _ in 0..<rounds {
            let seed = UInt64.random(in: 0 ... .max)
            print("random changes through a faulty proxy: seed \(seed)")
            var random = SplitMix64(seed: seed)
            let pair = try await Pair(server)
            let machines = [pair.one, pair.other]
            for (index, proxy) in pair.proxies.enumerated() {
                proxy.setFaults(rate: 0.2, seed: seed &+ UInt64(index))
            }
            var added: Set<String> = []
            var removed: Set<String> = []
            for step in 0..<30 {
                let machine = machines[Int.random(in: 0..<2, using: &random)]
                let todos = try await machine.store.todos().sorted { $0.title < $1.title }
                let todo = todos.randomElement(using: &random)
                switch (Int.random(in: 0..<10, using: &random), todo) {
                case (0..<3, _), (_, nil):
                    try await machine.add("todo \(step)")
                    added.insert("todo \(step)")
                case (3, let todo?):
                    _ = try await machine.store.remove([todo.id])
                    removed.insert(todo.title)
                case (4, let todo?): _ = try? await machine.store.complete([todo.id])
                case (5, let todo?):
                    _ = try await machine.store.edit(todo.id, TodoChange { $0.note = .set("note \(step)") })
                default: _ = try? await machine.sync(allowsDeletions: true)
                }
            }
            for proxy in pair.proxies { proxy.setFaults(rate: 0, seed: 0) }
            for _ in 0..<4 { for machine in machines { try await machine.sync(allowsDeletions: true) } }
            #expect(try await pair.one.snapshot() == pair.other.snapshot(), "seed \(seed)")
            let titles = try await pair.one.titles()
            #expect(titles.count == Set(titles).count, "seed \(seed): \(titles)")
            // What was removed on one side may have come back by a change on the other.
            #expect(Set(titles).isSuperset(of: added.subtracting(removed)), "seed \(seed): \(titles)")
            #expect(Set(titles).isSubset(of: added), "seed \(seed): \(titles)")
            for machine in machines { #expect(try await machine.store.unsynced().isEmpty, "seed \(seed)") }
        }
    }
}
