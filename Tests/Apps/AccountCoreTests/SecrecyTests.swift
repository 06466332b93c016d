import AccountCore
import AppLanguage
import Foundation
import HTTPTransport
import LoopbackServer
import NetworkProvider
import TestSupport
import Testing
import Threading

@Suite("Secrets")
struct SecrecyTests {
    private let fixture: AccountFixture

    init() throws { fixture = try AccountFixture() }

    @Test("No password, code or token is in any log, error, description or dump, of the client or of the backend")
    func logs() async throws {
        let lines = Locked<[String]>([])
        let backend = TestBackend(fixture.folder.path + "/server", date: fixture.date)
        let isFailing = Locked(false)
        let server = try serve(backend) { request in
            guard isFailing.withLock({ $0 }) else { return nil }
            // A server that repeats what it was sent, in a response that cannot be used.
            return .text(request.target + String(decoding: request.body, as: UTF8.self), status: 502)
        }
        defer { server.stop() }
        let log = LoggingPlugin(headers: true) { line in lines.withLock { $0.append(line) } }
        let service = fixture.service(base: server.baseURL, plugins: [log])
        func note(_ value: Any) {
            var dumped = ""
            dump(value, to: &dumped)
            lines.withLock { $0 += ["\(value)", String(reflecting: value), dumped] }
        }

        var secrets = ["k9-leash!", "new-leash!", "wrong-pw-1"]
        _ = try await service.requestCode(phone: "010-1234-5678")
        secrets.append(try #require(backend.lastCode))
        await #expect(throws: AccountError.wrongCode) { try await service.verify(code: "000000") }
        try await service.verify(code: secrets[3])
        note(AccountFixture.form)
        note(try await service.signUp(AccountFixture.form))
        fixture.date.advance(901)
        note(try await service.loadProfile())
        note(await service.restoreSession())
        try await service.changePassword(from: "k9-leash!", to: "new-leash!")
        isFailing.withLock { $0 = true }
        let calls: [@Sendable () async throws -> Void] = [
            { _ = try await service.login(id: "jisu2026", password: "wrong-pw-1") },
            { try await service.withdraw(password: "new-leash!") },
            { try await service.changePassword(from: "new-leash!", to: "wrong-pw-1") },
            { _ = try await service.loadProfile() },
            { _ = try await service.requestCode(phone: "010-8765-4321") },
        ]
        for call in calls {
            do {
                try await call()
                Issue.record("the call succeeded")
            } catch {
                note(error)
            }
        }
        isFailing.withLock { $0 = false }
        _ = try await service.logout()

        // Every token that went over the wire, in requests and in responses.
        for request in server.requests {
            secrets += [request.header("Authorization"), request.header("idtoken")].compactMap {
                $0?.replacing("Bearer ", with: "")
            }
            secrets += ServedRequest.formItems(String(decoding: request.body, as: UTF8.self))
                .filter { ["refresh_token", "password", "new_password", "request"].contains($0.name) }.map(\.value)
        }
        #expect(secrets.count > 15)
        let text = (lines.withLock { $0 } + backend.log + backend.reports).joined(separator: "\n")
        #expect(text.contains("/session") && text.contains("Authorization"))
        for secret in Set(secrets) where secret.count >= 6 {
            #expect(!text.contains(secret), "a log contains \(secret)")
        }
        #expect(!text.contains("pka_") && !text.contains("pkr_") && !text.contains("pki_") && !text.contains("pkv_"))
    }

    @Test(
        "A redirect is not followed: no request and no secret reaches the other host",
        arguments: [301, 302, 303, 307, 308]
    )
    func redirects(status: Int) async throws {
        let other = try LoopbackServer(immediateHandler: { _ in .json("{}") })
        defer { other.stop() }
        let target = other.baseURL
        let server = try LoopbackServer(immediateHandler: { request in
            ServedResponse(status: status, headers: [("Location", target + request.target)])
        })
        defer { server.stop() }
        let service = fixture.service(base: server.baseURL)
        await #expect(throws: AccountError.unusable(.redirect)) {
            try await service.login(id: "jisu2026", password: "k9-leash!")
        }
        await #expect(throws: AccountError.unusable(.redirect)) {
            try await service.requestCode(phone: "010-1234-5678")
        }
        #expect(other.requests.isEmpty)
        #expect(await service.session() == .signedOut)
    }

    @Test(
        "Every fault at every step has an error that says what to do next, and stores nothing",
        arguments: BrokenServer.allCases
    )
    func faults(fault: BrokenServer) async throws {
        let backend = TestBackend(fixture.folder.path + "/server", date: fixture.date)
        let broken = Locked<String?>(nil)
        let faulty = fault.response
        let server = try serve(backend) { request in
            broken.withLock { $0 } == "\(request.method) \(request.path)" ? faulty : nil
        }
        defer { server.stop() }
        let service = fixture.service(base: server.baseURL, plugins: [Hurry(broken: broken)])

        /// Breaks one request, and returns the error of the call, which has to leave the session as it was.
        func expectFailure(of request: String, _ call: () async throws -> Void) async throws {
            broken.withLock { $0 = request }
            let before = await fixture.service(base: server.baseURL).session()
            do {
                try await call()
                Issue.record("\(request) succeeded with \(fault)")
            } catch let error as AccountError {
                #expect(error.isServerProblem, "\(request), \(fault): \(error)")
                #expect(
                    error.text(.english).contains("Check") || error.text(.english).contains("Try again"),
                    "\(error)"
                )
            }
            #expect(await fixture.service(base: server.baseURL).session() == before)
            broken.withLock { $0 = nil }
        }

        try await expectFailure(of: "POST /verification") { _ = try await service.requestCode(phone: "010-1234-5678") }
        backend.date.advance(31)
        _ = try await service.requestCode(phone: "010-1234-5678")
        let code = try #require(backend.lastCode)
        try await expectFailure(of: "POST /verification/check") { try await service.verify(code: code) }
        try await service.verify(code: code)
        try await expectFailure(of: "POST /user") { _ = try await service.signUp(AccountFixture.form) }
        let created = try await service.signUp(AccountFixture.form)
        try await expectFailure(of: "GET /user") { _ = try await service.loadProfile() }
        try await expectFailure(of: "POST /user/nickname") { _ = try await service.changeNickname("새이름") }
        try await expectFailure(of: "POST /queue") { _ = try await service.setQueued(true) }
        try await expectFailure(of: "POST /user/withdraw") { try await service.withdraw(password: "k9-leash!") }
        fixture.date.advance(901)
        try await expectFailure(of: "POST /session/refresh") { _ = try await service.loadProfile() }
        #expect(try await service.loadProfile().value == created.value)
        _ = try await service.logout()
        try await expectFailure(of: "POST /session") {
            _ = try await service.login(id: "jisu2026", password: "k9-leash!")
        }
        _ = try await service.login(id: "jisu2026", password: "k9-leash!")
    }
}

/// Bounds the time of the request that is broken, so that the test does not wait for a silent server.
private struct Hurry: NetworkPlugin {
    let broken: Locked<String?>

    func prepare(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPRequest {
        var request = request
        if broken.withLock({ $0 }) == "\(request.method) \(request.url.path())" {
            request.timeouts.total = .milliseconds(500)
        }
        return request
    }
}
