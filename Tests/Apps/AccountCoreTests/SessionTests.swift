import AppLanguage
import Foundation
import LocalProvider
import LocalSecrets
import LoopbackServer
import NetworkProvider
import TestSupport
import Testing
import Threading

@testable import AccountCore

@Suite("Sessions over the embedded backend")
struct SessionTests {
    private let fixture: AccountFixture

    init() throws { fixture = try AccountFixture() }

    @Test("Sign-up, account calls, logout, login and withdrawal, with the status of each result")
    func wholeWay() async throws {
        let service = fixture.service()
        let created = try await fixture.signUp(service)
        #expect(created.status == 201)
        #expect(created.value.nickname == "지수" && created.value.phone == "+821012345678")
        #expect(await service.session() == .signedIn(created.value))

        #expect(try await service.changeNickname("새이름").value.nickname == "새이름")
        let updated = try await service.updateProfile(ProfileChange(email: "new@example.com", gender: .other))
        #expect(updated.status == 200 && updated.value.email == "new@example.com" && updated.value.gender == .other)
        try await service.updatePushToken("push-2")
        #expect(try await service.setQueued(true) == QueueStatus(isQueued: true, position: 1, count: 1))
        #expect(try await service.queueStatus() == QueueStatus(isQueued: true, position: 1, count: 1))
        #expect(try await service.setQueued(false) == QueueStatus(isQueued: false, position: 0, count: 0))

        #expect(try await service.logout() == .everywhere)
        #expect(await service.session() == .signedOut)
        await #expect(throws: AccountError.sessionEnded) { try await service.loadProfile() }

        let back = try await service.login(id: "JISU2026", password: "k9-leash!")
        #expect(back.status == 200 && back.value == updated.value)
        try await service.changePassword(from: "k9-leash!", to: "new-leash!")
        await #expect(throws: AccountError.wrongPassword) { try await service.withdraw(password: "k9-leash!") }
        try await service.withdraw(password: "new-leash!")
        #expect(await service.session() == .signedOut)
        await #expect(throws: AccountError.wrongCredentials) {
            try await service.login(id: "jisu2026", password: "new-leash!")
        }
    }

    @Test("A second process has the session: the profile in the defaults store, the tokens sealed")
    func stored() async throws {
        let created = try await fixture.signUp(fixture.service())
        let second = fixture.service()
        #expect(await second.session() == .signedIn(created.value))
        #expect(try await second.loadProfile().value == created.value)

        let file = URL(fileURLWithPath: fixture.location.path + "/account.journal")
        let journal = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(journal.contains("지수"))
        #expect(!journal.contains("pka_") && !journal.contains("pkr_"))
        let attributes = try FileManager.default.attributesOfItem(atPath: fixture.keyPath)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        // The sealed bytes of a session that has ended are not in the file any more.
        let sealed = journal.matches(of: /[A-Za-z0-9+\/=_-]{80,}/).map { String($0.output) }
        #expect(!sealed.isEmpty)
        _ = try await second.logout()
        let after = try String(decoding: Data(contentsOf: file), as: UTF8.self)
        #expect(sealed.allSatisfy { !after.contains($0) })
    }

    @Test("A code that was requested can be entered in a later process until it expires; the request is stored sealed")
    func codeOfEarlierProcess() async throws {
        #expect(await fixture.service().pendingCodeRequest() == nil)
        let request = try await fixture.service().requestCode(phone: "010-1234-5678")
        fixture.date.advance(10)
        let second = fixture.service()
        let pending = try #require(await second.pendingCodeRequest())
        #expect(pending.length == request.length && pending.code == nil && pending.message == nil)
        #expect(pending.validSeconds == request.validSeconds - 10)
        #expect(pending.resendSeconds == request.resendSeconds - 10)
        let journal = try Data(contentsOf: URL(fileURLWithPath: fixture.location.path + "/account.journal"))
        #expect(journal.range(of: Data("821012345678".utf8)) == nil, "the number is in the journal")
        try await second.verify(code: try AccountFixture.code(in: request))
        #expect(await second.pendingCodeRequest() == nil)
        #expect(await fixture.service().pendingCodeRequest() == nil)

        fixture.date.advance(60)
        _ = try await second.requestCode(phone: "010-1234-5678")
        fixture.date.advance(601)
        #expect(await fixture.service().pendingCodeRequest() == nil, "the code has expired")
    }

    @Test("The numbers of a server that are not possible are limited, and a time that is far ahead is no pending code")
    func impossibleNumbers() async throws {
        let server = try LoopbackServer(immediateHandler: { _ in
            .json(#"{"request":"pkv_x","length":\#(Int.max),"valid":\#(Int.max),"resend":\#(Int.min)}"#)
        })
        defer { server.stop() }
        let request = try await fixture.service(base: server.baseURL).requestCode(phone: "010-1234-5678")
        let expected = CodeRequest(length: 12, validSeconds: 86_400, resendSeconds: 0)
        #expect(request == expected)
        #expect(await fixture.service(base: server.baseURL).pendingCodeRequest() == expected)
        let store = AccountStore(location: fixture.location, keyPath: fixture.keyPath, server: server.baseURL)
        let far = Date(timeIntervalSince1970: 1e19)
        let dates = [(far, far), (far, fixture.date.now), (fixture.date.now + 60, far)]
        for (expires, resends) in dates {
            let code = PendingCode(phone: "+821012345678", request: "x", length: 6, expires: expires, resends: resends)
            try await store.set(code)
            #expect(await fixture.service(base: server.baseURL).pendingCodeRequest() == nil)
        }
    }

    @Test("A withdrawal after which nothing can be stored on this machine ends the session all the same")
    func withdrawalWithoutDisk() async throws {
        let data = fixture.location.path
        let (server, service) = try await fixture.signedIn { request in
            if request.path == "/user/withdraw" {
                try? FileManager.default.removeItem(atPath: data)
                try? Data().write(to: URL(filePath: data))
            }
            return nil
        }
        defer { server.stop() }
        try await service.withdraw(password: "k9-leash!")
        #expect(await service.session() == .signedOut)
        await #expect(throws: AccountError.wrongCredentials) {
            try await service.login(id: "jisu2026", password: "k9-leash!")
        }
    }

    @Test("After failed logins the service solves the server's challenge, so that the right password signs in at once")
    func challengedLogin() async throws {
        let service = fixture.service()
        let created = try await fixture.signUp(service)
        _ = try await service.logout()
        for _ in 0..<7 {
            await #expect(throws: AccountError.wrongCredentials) {
                try await service.login(id: "jisu2026", password: "other-1!")
            }
        }
        #expect(try await service.login(id: "jisu2026", password: "k9-leash!").value == created.value)
    }

    @Test("Cancelling a login ends the request on the socket, and stores nothing")
    func cancelledLogin() async throws {
        let backend = TestBackend(fixture.folder.path + "/server")
        let server = try serve(backend) { request in
            request.path == "/session" ? ServedResponse(delay: .seconds(600)) : nil
        }
        defer { server.stop() }
        let service = fixture.service(base: server.baseURL)
        let login = Task { try await service.login(id: "jisu2026", password: "k9-leash!") }
        try await eventually { !server.requests.isEmpty }
        login.cancel()
        await #expect(throws: AccountError.cancelled) { try await login.value }
        try await eventually { server.connections.first?.peerClosed != nil }
        #expect(await service.session() == .signedOut)
        #expect(!FileManager.default.fileExists(atPath: fixture.location.path + "/account.journal"))
    }

    @Test("An expired token is refreshed once for all requests, and the requests are repeated")
    func refresh() async throws {
        let (server, service) = try await fixture.signedIn()
        defer { server.stop() }
        fixture.date.advance(901)
        try await withThrowingTaskGroup(of: Profile.self) { group in
            for _ in 0..<8 { group.addTask { try await service.loadProfile().value } }
            for try await profile in group { #expect(profile.nickname == "지수") }
        }
        #expect(server.requests.count { $0.path == "/session/refresh" } == 1)
    }

    @Test("Two processes that refresh at the same time send one refresh token once, and both continue")
    func parallelProcesses() async throws {
        let (server, first) = try await fixture.signedIn()
        defer { server.stop() }
        let others = (0..<4).map { _ in fixture.service(base: server.baseURL) }
        for _ in 0..<3 {
            fixture.date.advance(901)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for service in others + [first] { group.addTask { _ = try await service.loadProfile() } }
                try await group.waitForAll()
            }
        }
        // Another password replaces the tokens, and the session continues in all of them.
        try await first.changePassword(from: "k9-leash!", to: "new-leash!")
        for service in others { _ = try await service.loadProfile() }
        #expect(server.requests.count { $0.path == "/session/refresh" } == 3)
    }

    @Test("A process whose account another one has replaced does not act for the new user, who stays signed in")
    func otherUser() async throws {
        let backend = TestBackend(fixture.folder.path + "/server", date: fixture.date)
        let server = try serve(backend)
        defer { server.stop() }
        _ = try backend.signUp()
        _ = try backend.signUp(["phoneNumber": "010-8765-4321", "id": "minji26", "nick": "민지"])
        let (first, second) = (fixture.service(base: server.baseURL), fixture.service(base: server.baseURL))
        _ = try await first.login(id: "jisu2026", password: "k9-leash!")
        fixture.date.advance(901)
        _ = try await second.login(id: "minji26", password: "k9-leash!")
        await #expect(throws: AccountError.sessionEnded) { try await first.changeNickname("새이름") }
        #expect(await first.session() == .signedOut)
        #expect(await fixture.service(base: server.baseURL).session().profile?.id == "minji26")
        #expect(try await second.loadProfile().value.nickname == "민지")
    }

    @Test(
        "A refresh that ends after the user has logged out, or logged in again, changes nothing",
        arguments: [nil, "new"],
        [true, false]
    )
    func lateRefresh(access: String?, isRefused: Bool) async throws {
        let store = AccountStore(location: fixture.location, keyPath: fixture.keyPath, server: "http://a.test")
        let next = access.map { StoredSession(access: $0) }
        try await store.set(StoredSession(access: "old", refresh: "r"))
        let refresher = SessionRefresher(store: store, now: { [fixture] in fixture.date.now }) { _ in
            try await store.set(next)
            if isRefused { throw AccountError.sessionEnded }
            return StoredSession(access: "late")
        }
        await #expect(throws: AccountError.cancelled) { try await refresher.refreshed { _ in false } }
        #expect(try await store.session() == next)
    }

    @Test("A session is replaced or removed by a refresh only if it is still stored, whatever a logout does meanwhile")
    func replacedSession() async throws {
        func store() -> AccountStore {
            AccountStore(location: fixture.location, keyPath: fixture.keyPath, server: "http://a.test")
        }
        let (own, other) = (store(), store())
        let old = StoredSession(access: "old", refresh: "r")
        for new in [StoredSession(access: "new"), nil] {
            #expect(try await !own.replaceSession(StoredSession(access: "other"), by: new))
            try await own.set(old)
            #expect(try await !own.replaceSession(StoredSession(access: "other"), by: new))
            #expect(try await other.session() == old)
            // A logout of another process, before or after the refresh.
            async let isReplaced = own.replaceSession(old, by: new)
            async let logout: Void = other.set(StoredSession?.none)
            _ = try await (isReplaced, logout)
            #expect(try await own.session() == nil)
            try await own.set(old)
            #expect(try await other.replaceSession(old, by: new))
            #expect(try await own.session() == new)
            try await own.set(StoredSession?.none)
        }
    }

    @Test(
        "A response that arrives after the user has logged out, or logged in again, changes nothing",
        arguments: ["/user/nickname", "/user/password", "/user/withdraw"],
        [nil, "minji26"]
    )
    func lateResponse(path: String, next: String?) async throws {
        let backend = TestBackend(fixture.folder.path + "/server")
        let (gate, isAnswered) = (DispatchSemaphore(value: 0), Locked(false))
        let server = try serve(backend) { request in
            guard request.path == path else { return nil }
            let response = backend.response(to: request)
            isAnswered.withLock { $0 = true }
            _ = gate.wait(timeout: .now() + 60)
            return response
        }
        defer {
            gate.signal()
            server.stop()
        }
        _ = try backend.signUp()
        _ = try backend.signUp(["phoneNumber": "010-8765-4321", "id": "minji26", "nick": "민지"])
        let service = fixture.service(base: server.baseURL, requestLimit: .seconds(60))
        _ = try await service.login(id: "jisu2026", password: "k9-leash!")
        let late = Task {
            switch path {
            case "/user/nickname": _ = try await service.changeNickname("새이름")
            case "/user/password": try await service.changePassword(from: "k9-leash!", to: "new-leash!")
            default: try await service.withdraw(password: "k9-leash!")
            }
        }
        try await eventually { isAnswered.withLock { $0 } }
        _ = try await service.logout()
        if let next { _ = try await service.login(id: next, password: "k9-leash!") }
        gate.signal()
        if path == "/user/withdraw" {
            // The account is gone, whoever is signed in by now.
            try await late.value
        } else {
            await #expect(throws: AccountError.cancelled) { try await late.value }
        }
        let store = AccountStore(location: fixture.location, keyPath: fixture.keyPath, server: server.baseURL)
        #expect(await service.session().profile?.id == next)
        #expect(await fixture.service(base: server.baseURL).session().profile?.id == next)
        #expect(try await (store.session() == nil) == (next == nil))
        if next != nil { #expect(try await service.loadProfile().value.nickname == "민지") }
    }

    @Test("A refused refresh token ends the session on this machine, once; so does the lack of stored tokens")
    func refusedRefresh() async throws {
        let (server, service) = try await fixture.signedIn()
        defer { server.stop() }
        fixture.date.advance(31 * 86_400)
        var sessions = await service.sessions().makeAsyncIterator()
        _ = await sessions.next()
        await #expect(throws: AccountError.sessionEnded) { try await service.loadProfile() }
        #expect(await sessions.next() == .signedOut)
        #expect(await fixture.service(base: server.baseURL).session() == .signedOut)

        _ = try await service.login(id: "jisu2026", password: "k9-leash!")
        let store = AccountStore(location: fixture.location, keyPath: fixture.keyPath, server: server.baseURL)
        try await store.set(StoredSession?.none)
        let next = fixture.service(base: server.baseURL)
        #expect(await next.session().profile?.id == "jisu2026")
        await #expect(throws: AccountError.sessionEnded) { try await next.loadProfile() }
        #expect(await next.session() == .signedOut)
        #expect(await fixture.service(base: server.baseURL).session() == .signedOut)
    }

    @Test("A token is never sent to another server")
    func otherServer() async throws {
        let backend = TestBackend(fixture.folder.path + "/server")
        let (home, other) = (try serve(backend), try serve(TestBackend(fixture.folder.path + "/other")))
        defer {
            home.stop()
            other.stop()
        }
        _ = try backend.signUp()
        _ = try await fixture.service(base: home.baseURL).login(id: "jisu2026", password: "k9-leash!")
        let elsewhere = fixture.service(base: other.baseURL)
        try await elsewhere.finishTutorial()
        #expect(await elsewhere.restoreSession().branch == .verification)
        await #expect(throws: AccountError.sessionEnded) { try await elsewhere.loadProfile() }
        #expect(other.requests.allSatisfy { $0.header("Authorization") == nil })
        #expect(await fixture.service(base: home.baseURL).session().profile?.id == "jisu2026")
    }

    @Test("A logout without a network ends the session on this machine, and says that the server was not reached")
    func offlineLogout() async throws {
        let (server, service) = try await fixture.signedIn()
        #expect(try await service.logout() == .everywhere)
        #expect(server.requests.last?.header("Authorization")?.hasPrefix("Bearer pkr_") == true, "the refresh token")
        _ = try await service.login(id: "jisu2026", password: "k9-leash!")
        server.stop()
        let ended = Locked(AccountSession?.none)
        let result = try await service.logout { [present = fixture.service(base: server.baseURL)] in
            Task {
                let session = await present.session()
                ended.withLock { $0 = session }
            }
        }
        #expect(result == .onThisMachineOnly)
        try await eventually { ended.withLock { $0 } == .signedOut }
        #expect(await fixture.service(base: server.baseURL).session() == .signedOut)
        #expect(try await service.logout() == .everywhere)
        // The credential is gone from the running process as well: no request is sent.
        await #expect(throws: AccountError.sessionEnded) { try await service.loadProfile() }
    }

    @Test("A login over another account that cannot be stored leaves no session of either")
    func failedReplacement() async throws {
        let service = fixture.service()
        try await fixture.signUp(service)
        // The key cannot be read any more, so that the tokens of the other session cannot be sealed.
        try Data("damaged".utf8).write(to: URL(filePath: fixture.keyPath))
        await #expect(throws: AccountError.self) { try await service.login(id: "jisu2026", password: "k9-leash!") }
        #expect(await fixture.service().session() == .signedOut)
    }

    @Test("A guest is stored, and a login replaces it")
    func guest() async throws {
        let service = fixture.service()
        try await service.continueAsGuest()
        #expect(await service.session() == .guest)
        #expect(await fixture.service().session() == .guest)
        try await fixture.signUp(service)
        #expect(await service.session().profile?.id == "jisu2026")
    }

    @Test("The queue counts the users in their order")
    func queue() async throws {
        let backend = TestBackend(fixture.folder.path + "/server")
        let one = try #require(try backend.signUp().access)
        let two = try #require(try backend.signUp(["phoneNumber": "010-8765-4321", "id": "minji26"]).access)
        #expect(backend.send("POST", "/queue", token: one).status == 200)
        #expect(backend.send("POST", "/queue", token: two).status == 200)
        #expect(backend.send("POST", "/queue", token: one).status == 200)
        func status(_ token: String) throws -> QueueStatus {
            try JSONDecoder().decode(QueueStatus.self, from: backend.send("GET", "/queue/onqueue", token: token).body)
        }
        #expect(try status(one) == QueueStatus(isQueued: true, position: 1, count: 2))
        #expect(try status(two) == QueueStatus(isQueued: true, position: 2, count: 2))
        _ = backend.send("DELETE", "/queue", token: one)
        #expect(try status(two) == QueueStatus(isQueued: true, position: 1, count: 1))
        // Whoever enters again is behind those who stayed.
        _ = backend.send("POST", "/queue", token: one)
        #expect(try status(two) == QueueStatus(isQueued: true, position: 1, count: 2))
        #expect(try status(one) == QueueStatus(isQueued: true, position: 2, count: 2))
    }
}
