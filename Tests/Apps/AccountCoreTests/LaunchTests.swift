import AccountCore
import AppLanguage
import Foundation
import LocalProvider
import LoopbackServer
import TestSupport
import Testing
import Threading

@Suite("Launch")
struct LaunchTests {
    private let fixture: AccountFixture
    private let backend: TestBackend

    init() throws {
        fixture = try AccountFixture()
        backend = TestBackend(fixture.folder.path + "/server", date: fixture.date)
    }

    // MARK: Version

    @Test(
        "The app continues with the required version and newer ones, and stops with an older one",
        arguments: [
            ("0.1.0", "0.1.0", true), ("0.2", "0.1.9", true), ("0.10.0", "0.9.9", true), ("0.9.9", "0.10.0", false),
        ]
    )
    func version(own: String, required: String, isCurrent: Bool) async throws {
        let backend = TestBackend(fixture.folder.path + "/other") { $0.requiredVersion = required }
        let server = try serve(backend)
        defer { server.stop() }
        let check = await fixture.service(base: server.baseURL, version: own).checkVersion()
        #expect((check == .current) == isCurrent)
        if isCurrent { return }
        let version = try #require(check.outdated, "\(check)")
        #expect(version.current == own && version.required == required)
        #expect(version.instructions(.english).contains("Scripts/run"))
    }

    @Test("The version is checked before anything else: the request carries no credential")
    func versionRequest() async throws {
        let server = try serve(backend)
        defer { server.stop() }
        _ = await fixture.service(base: server.baseURL).checkVersion()
        #expect(server.requests.map(\.path) == ["/version"])
        #expect(server.requests[0].header("Authorization") == nil)
        #expect(server.requests[0].header("User-Agent") == "Dog/0.1.0")
    }

    @Test(
        "A server that is slow or broken does not stop the app: it continues with a notice",
        arguments: BrokenServer.allCases
    )
    func brokenVersion(fault: BrokenServer) async throws {
        let server = try fault.start()
        defer { server?.stop() }
        let service = fixture.service(base: server?.baseURL ?? BrokenServer.closedPort, launchLimit: .milliseconds(300))
        let notice = try #require(try await within(.seconds(20)) { await service.checkVersion() }.notice)
        #expect(notice(.english).hasPrefix("The version could not be checked.") && notice(.korean) != notice(.english))
    }

    @Test("A version of the server that is not a version is broken, and its text has no control characters")
    func garbageVersion() async throws {
        for body in [#"{"required":"new"}"#, #"{"required":"99999999999999999999"}"#, #"{"required":"1..2"}"#] {
            let server = try LoopbackServer(immediateHandler: { _ in .json(body) })
            defer { server.stop() }
            #expect(await fixture.service(base: server.baseURL).checkVersion().notice != nil, "\(body)")
        }
        let server = try LoopbackServer(immediateHandler: { _ in .json(#"{"required":"9","update":"a\u001b[2Jb"}"#) })
        defer { server.stop() }
        let version = try #require(await fixture.service(base: server.baseURL).checkVersion().outdated)
        #expect(!version.instructions(.english).contains("\u{1b}"))
    }

    // MARK: Stored state

    @Test("The tutorial is shown until it was seen, also by the next process")
    func tutorial() async throws {
        let service = fixture.service()
        #expect(await service.restoreSession() == LaunchDecision(.tutorial))
        try await service.finishTutorial()
        #expect(await service.restoreSession() == LaunchDecision(.verification))
        #expect(await fixture.service().restoreSession() == LaunchDecision(.verification))
    }

    @Test(
        "The stored startView decides: nickname, main, or verification for every other text",
        arguments: [
            ("successLogin", LaunchBranch.nickname), ("alreadySignUp", .main(nil)), ("withdrawn", .verification),
            ("", .verification),
        ]
    )
    func startView(text: String, branch: LaunchBranch) async throws {
        let store = AccountStore(location: fixture.location, keyPath: fixture.keyPath, server: EmbeddedTransport.base)
        try await store.updateLaunch { $0.isTutorialSeen = true }
        var state = ServerState()
        state.startView = text
        try await store.setServerState(state)
        #expect(await fixture.service().restoreSession().branch == branch)
    }

    @Test(
        "After a verified number the launch leads to the nickname, after a sign-up to main, after a withdrawal to verification"
    )
    func wholeLife() async throws {
        let service = fixture.service()
        try await service.finishTutorial()
        let request = try await service.requestCode(phone: "010-1234-5678")
        try await service.verify(code: try AccountFixture.code(in: request))
        #expect(await fixture.service().restoreSession().branch == .nickname)
        // The sign-up is finished by another process.
        let created = try await fixture.service().signUp(AccountFixture.form)
        #expect(await fixture.service().restoreSession() == LaunchDecision(.main(created.value)))
        #expect(try await fixture.service().logout() == .everywhere)
        #expect(await fixture.service().restoreSession().branch == .login)
        let last = fixture.service()
        _ = try await last.login(id: "jisu2026", password: "k9-leash!")
        try await last.withdraw(password: "k9-leash!")
        #expect(await fixture.service().restoreSession() == LaunchDecision(.verification))
        try await last.continueAsGuest()
        // Also one who does not finish a sign-up, or whose verification is over, stays a guest.
        let other = try await last.requestCode(phone: "010-2222-3333")
        try await last.verify(code: try AccountFixture.code(in: other))
        #expect(await fixture.service().restoreSession() == LaunchDecision(.main(nil)))
        fixture.date.advance(86_400)
        await #expect(throws: AccountError.notVerified) { try await last.signUp(AccountFixture.form) }
        #expect(await fixture.service().restoreSession() == LaunchDecision(.main(nil)))
    }

    @Test("The consent to automatic login is stored under AutoLogIn")
    func consent() async throws {
        let service = fixture.service()
        #expect(await !service.hasAutoLoginConsent())
        try await service.setAutoLoginConsent(true)
        #expect(await fixture.service().hasAutoLoginConsent())
        let journal = try Data(contentsOf: URL(fileURLWithPath: fixture.location.path + "/account.journal"))
        #expect(String(decoding: journal, as: UTF8.self).contains(#""AutoLogIn":true"#))
    }

    @Test("A consent that was withdrawn ends the session at the next start; one that is given again does not")
    func withdrawnConsent() async throws {
        let service = fixture.service()
        try await service.finishTutorial()
        let created = try await fixture.signUp(service)
        try await service.setAutoLoginConsent(false)
        let unasked = await fixture.service().restoreSession()
        #expect(unasked == LaunchDecision(.main(created.value)), "nothing was withdrawn")
        try await service.setAutoLoginConsent(true)
        try await service.setAutoLoginConsent(false)
        #expect(await service.session() == .signedIn(created.value), "the running process stays signed in")
        try await service.setAutoLoginConsent(true)
        #expect(await fixture.service().restoreSession() == LaunchDecision(.main(created.value)))

        try await service.setAutoLoginConsent(false)
        try await service.setAutoLoginConsent(false)
        let next = fixture.service()
        let decision = await next.restoreSession()
        #expect(decision.branch == .login && decision.notices.count == 1)
        #expect(await next.session() == .signedOut)
        await #expect(throws: AccountError.sessionEnded) { try await next.loadProfile() }
        // It was about that session, not about one of a later sign-up, which does not ask for the consent.
        _ = try await next.login(id: "jisu2026", password: "k9-leash!")
        #expect(await fixture.service().restoreSession() == LaunchDecision(.main(created.value)))
    }

    // MARK: Token and server

    private enum Outcome: Sendable { case main, login, nickname }

    /// Signs in over a server, and returns what another process decides when it responds as `respond` says.
    private func decision(
        limit: Duration = .seconds(60),
        _ respond: @escaping @Sendable (ServedRequest) -> ServedResponse?
    ) async throws -> (LaunchDecision, [ServedRequest]) {
        let isArmed = Locked(false)
        let server = try serve(backend) { request in isArmed.withLock { $0 } ? respond(request) : nil }
        defer { server.stop() }
        _ = try backend.signUp()
        let first = fixture.service(base: server.baseURL)
        try await first.finishTutorial()
        _ = try await first.login(id: "jisu2026", password: "k9-leash!")
        isArmed.withLock { $0 = true }
        let decision = await fixture.service(base: server.baseURL, launchLimit: limit).restoreSession()
        return (decision, server.requests)
    }

    @Test("No token: verification")
    func noToken() async throws {
        let server = try serve(backend)
        defer { server.stop() }
        let service = fixture.service(base: server.baseURL)
        try await service.finishTutorial()
        #expect(await service.restoreSession() == LaunchDecision(.verification))
        #expect(server.requests.isEmpty)
    }

    @Test("A token and status 200: main")
    func accepted() async throws {
        let (decision, requests) = try await decision { _ in nil }
        #expect(decision.branch == .main(Self.profile) && decision.notices.isEmpty)
        #expect(requests.last?.path == "/user")
    }

    private static let profile = Profile(
        id: "jisu2026",
        nickname: "지수",
        phone: "+821012345678",
        birth: "2001-03-09",
        email: "jisu@example.com",
        gender: .female
    )

    @Test("Status 401: one refresh, and then main")
    func refreshed() async throws {
        let refusals = Locked(1)
        let (decision, requests) = try await decision { request in
            guard request.path == "/user" else { return nil }
            return refusals.withLock { count in
                defer { count -= 1 }
                return count > 0 ? ServedResponse(status: 401) : nil
            }
        }
        #expect(decision == LaunchDecision(.main(Self.profile)))
        #expect(requests.suffix(3).map(\.path) == ["/user", "/session/refresh", "/user"])
    }

    @Test("A refresh that is refused leads to login, after one attempt")
    func refusedRefresh() async throws {
        let (decision, requests) = try await decision { request in
            ["/user", "/session/refresh"].contains(request.path) ? ServedResponse(status: 401) : nil
        }
        #expect(decision.branch == .login && decision.notices == [AccountError.sessionEnded.text])
        #expect(requests.count { $0.path == "/session/refresh" } == 1)
    }

    @Test("Any other status leads to the nickname, with a notice", arguments: [404, 406, 418, 500, 501])
    func otherStatus(status: Int) async throws {
        let (decision, _) = try await decision { request in
            request.path == "/user" ? ServedResponse(status: status) : nil
        }
        #expect(decision.branch == .nickname && decision.notices.count == 1)
    }

    @Test(
        "A server that cannot be reached, is slow or sends garbage leads to main with the stored profile and a notice"
    )
    func offline() async throws {
        let faults: [ServedResponse] = [
            .failing(.closed), .failing(.noAnswer),
            .failing(.truncated(after: 5), body: Data("{\"id\":\"jisu\"}".utf8)),
            .text("<html>"), .failing(.raw(Data("garbage\r\n\r\n".utf8))),
            ServedResponse(status: 302, headers: [("Location", "http://127.0.0.2:1/user")]),
        ]
        for fault in faults {
            let fixture = try AccountFixture()
            let tests = LaunchTests(fixture)
            let (decision, _) = try await tests.decision(limit: .milliseconds(300)) { request in
                request.path == "/user" ? fault : nil
            }
            #expect(decision.branch == .main(Self.profile), "\(fault)")
            #expect(decision.notices.count == 1, "\(fault)")
        }
    }

    private init(_ fixture: AccountFixture) {
        self.fixture = fixture
        backend = TestBackend(fixture.folder.path + "/server", date: fixture.date)
    }

    // MARK: Damage

    @Test("A state of a newer version is set aside, and the app starts as new")
    func newerRecord() async throws {
        let store = AccountStore(location: fixture.location, keyPath: fixture.keyPath, server: EmbeddedTransport.base)
        try await store.updateLaunch { $0.isTutorialSeen = true }
        #expect(await fixture.service().restoreSession().branch != .tutorial)
        try await store.updateLaunch { $0.version += 1 }
        let decision = await fixture.service().restoreSession()
        #expect(decision.branch == .tutorial)
        #expect(decision.notices.first?(.english).contains("set-aside.launch") == true)
        #expect(await fixture.service().restoreSession() == LaunchDecision(.tutorial))
        let journal = try Data(contentsOf: URL(fileURLWithPath: fixture.location.path + "/account.journal"))
        #expect(String(decoding: journal, as: UTF8.self).contains("set-aside.launch"))
    }

    @Test("A state of another type is set aside, and the app starts as new")
    func undecodable() async throws {
        let defaults = JSONDefaults(location: fixture.location, name: AccountStore.name)
        try defaults.set(JSONValue.string("x"), for: LocalIdentifier("launch"), rule: .set, durability: nil)
        let decision = await fixture.service().restoreSession()
        #expect(decision.branch == .tutorial && decision.notices.count == 1)
        #expect(decision.notices.first?(.korean).contains("할 일은 그대로") == true)
        try await fixture.service().finishTutorial()
        #expect(await fixture.service().restoreSession() == LaunchDecision(.verification))
    }

    @Test("A damaged journal is replaced, its copy is named, and other files are not touched")
    func damaged() async throws {
        try await fixture.service().finishTutorial()
        let todos = URL(fileURLWithPath: fixture.location.path + "/todos.journal")
        try Data("todos".utf8).write(to: todos)
        let path = fixture.location.path + "/account.journal"
        try Data(repeating: 0x41, count: 3_000).write(to: URL(fileURLWithPath: path))
        let decision = await fixture.service().restoreSession()
        #expect(decision.branch == .tutorial)
        #expect(decision.notices.contains { $0(.english).contains("account.journal.damaged") }, "\(decision.notices)")
        #expect(try Data(contentsOf: todos) == Data("todos".utf8))
        try await fixture.service().finishTutorial()
        #expect(await fixture.service().restoreSession().branch == .verification)
    }

    @Test("Damaged accounts of the embedded backend are named at each start until the copy of their file is deleted")
    func damagedAccounts() async throws {
        try await fixture.service().finishTutorial()
        try await fixture.signUp(fixture.service())
        let path = fixture.location.path + "/backend/accounts.journal"
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: path))
        for count in [1, 1, 0] {
            if count == 0 { try FileManager.default.removeItem(atPath: path + ".damaged") }
            let notices = await fixture.service().restoreSession().notices
            #expect(notices.count { $0(.korean).contains(path + ".damaged") } == count)
        }
    }

    @Test("A journal of a newer version is set aside with its backup, which does not come back")
    func newerJournal() async throws {
        try await fixture.service().finishTutorial()
        let path = fixture.location.path + "/account.journal"
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        var options = JSONDefaults.Options()
        options.schema = options.schema.migrating("a later version") { _ in }
        try JSONDefaults(location: fixture.location, name: AccountStore.name, options: options).migrate()
        let newer = try Data(contentsOf: URL(fileURLWithPath: path))
        try whole.write(to: URL(fileURLWithPath: path + ".backup"))
        let decision = await fixture.service().restoreSession()
        #expect(decision.branch == .tutorial)
        #expect(decision.notices.map { $0(.english).contains("account.journal.set-aside-1") } == [true])
        #expect(await fixture.service().restoreSession() == LaunchDecision(.tutorial))
        #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".set-aside-1")) == newer)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".set-aside-1.backup")) == whole)
        #expect(!FileManager.default.fileExists(atPath: path + ".backup"))
        // Each further one has a place of its own.
        for number in 2...3 {
            try newer.write(to: URL(fileURLWithPath: path))
            let next = await fixture.service().restoreSession()
            #expect(next.notices.map { $0(.english).contains("account.journal.set-aside-\(number)") } == [true])
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".set-aside-\(number)")) == newer)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path + ".set-aside-1")) == newer)
    }

    @Test("A journal that cannot be read does not stop the app, and the notice names it")
    func unreadable() async throws {
        let path = fixture.location.path + "/account.journal"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let decision = await fixture.service().restoreSession()
        #expect(decision.branch == .tutorial)
        #expect(decision.notices.first?(.english).contains("account.journal") == true)
    }

    @Test("A key file that is damaged or missing leads to login, and a new login works")
    func lostKey() async throws {
        let service = fixture.service()
        try await service.finishTutorial()
        try await fixture.signUp(service)
        try FileManager.default.removeItem(atPath: fixture.keyPath)
        let decision = await fixture.service().restoreSession()
        #expect(decision.branch == .login && decision.notices.count == 1)
        let again = fixture.service()
        _ = try await again.login(id: "jisu2026", password: "k9-leash!")
        #expect(await fixture.service().restoreSession().branch == .main(Self.profile))
    }

    @Test("A crash between the two writes of a login leaves the user signed out, not half signed in")
    func halfWritten() async throws {
        let service = fixture.service()
        try await service.finishTutorial()
        try await fixture.signUp(service)
        // The tokens are stored, the state is still that of before.
        let store = AccountStore(location: fixture.location, keyPath: fixture.keyPath, server: EmbeddedTransport.base)
        try await store.setServerState(ServerState(.signedOut))
        let next = fixture.service()
        #expect(await next.restoreSession() == LaunchDecision(.login))
        await #expect(throws: AccountError.sessionEnded) { try await next.loadProfile() }
    }
}

/// A server with a fault.
enum BrokenServer: String, CaseIterable, Sendable {
    case closed, silent, slow, garbage, half, failing, redirecting, html

    static let closedPort = "http://127.0.0.1:1"

    /// The response with the fault.
    var response: ServedResponse {
        switch self {
        case .closed: .failing(.closed)
        case .silent: .failing(.noAnswer)
        case .slow: .failing(.slow(bytes: 1, pause: .seconds(1)), body: Data(repeating: 0x20, count: 100))
        case .garbage: .failing(.raw(Data("NOT HTTP\r\n\r\n".utf8)))
        case .half: .failing(.truncated(after: 10), body: Data(#"{"required":"0.1.0"}"#.utf8))
        case .failing: ServedResponse(status: 500)
        case .redirecting: ServedResponse(status: 307, headers: [("Location", "http://127.0.0.2:1/")])
        case .html: .text("<html>", contentType: "text/html")
        }
    }

    /// Starts the server; `nil` for a closed port.
    func start() throws -> LoopbackServer? {
        let response = response
        guard self != .closed else { return nil }
        return try LoopbackServer(immediateHandler: { _ in response })
    }
}
