import AccountCore
import AppLanguage
import Foundation
import LocalProvider
import LoopbackServer
import NetworkProvider
import TestSupport
import Testing
import Threading

@Suite("Sign-in with an outside provider")
struct DeviceGrantTests {
    private let fixture: AccountFixture
    private let clock = InstantClock()
    /// The sleeps in seconds.
    private var sleeps: [Int64] { clock.sleeps.map(\.components.seconds) }

    init() throws { fixture = try AccountFixture() }

    private func steps(
        _ scripted: ScriptedProvider,
        dialect: DeviceProvider.Dialect = .standard,
        requestLimit: Duration = .seconds(20)
    ) async -> [DeviceSignIn] {
        let provider = scripted.provider(dialect == .facebook ? "Facebook" : "Google", dialect: dialect)
        let service = fixture.service(providers: [provider], clock: clock, requestLimit: requestLimit)
        var steps: [DeviceSignIn] = []
        for await step in service.signIn(with: provider) { steps.append(step) }
        return steps
    }

    private static let profile = Profile(id: "", nickname: "지수 김", email: "jisu@example.com", provider: "Google")

    @Test("The code is shown, polled for at its interval, and the approved user is signed in")
    func approved() async throws {
        let scripted = try ScriptedProvider([.pending, .pending, .tokens])
        defer { scripted.server.stop() }
        let steps = await steps(scripted)
        #expect(steps.first == .requesting && steps.last == .finished(Self.profile))
        guard case .waiting(let code, problem: nil) = steps[1] else {
            Issue.record("\(steps)")
            return
        }
        #expect(code.userCode == "WDJB-MJHT" && code.address == "https://example.com/device")
        #expect(code.completeAddress == "https://example.com/device?user_code=WDJB-MJHT")
        #expect(sleeps == [5, 5, 5])
        #expect(
            scripted.forms("/device") == [
                ["client_id": "pawkit-dog", "client_secret": "cs-secret", "scope": "openid profile email"]
            ]
        )
        #expect(
            scripted.forms("/token").allSatisfy {
                $0["grant_type"] == "urn:ietf:params:oauth:grant-type:device_code" && $0["device_code"] == "dc-secret"
            }
        )
        let next = fixture.service(providers: [scripted.provider()])
        try await next.finishTutorial()
        #expect(await next.restoreSession() == LaunchDecision(.main(Self.profile)))
        let journal = try Data(contentsOf: URL(fileURLWithPath: fixture.location.path + "/account.journal"))
        #expect(!String(decoding: journal, as: UTF8.self).contains("secret-1"))
    }

    @Test("`slow_down` adds five seconds to this and all later polls, or the interval that the provider names")
    func slowDown() async throws {
        let named = ScriptedProvider.Poll(status: 200, body: #"{"error":"slow_down","interval":20}"#)
        let shorter = ScriptedProvider.Poll(status: 200, body: #"{"error":"slow_down","interval":3}"#)
        let scripted = try ScriptedProvider([.pending, .slowDown, .pending, named, shorter, .tokens])
        defer { scripted.server.stop() }
        #expect(await steps(scripted).last == .finished(Self.profile))
        #expect(sleeps == [5, 5, 10, 10, 20, 25])
    }

    @Test(
        "A missing interval is 5 s, 0 counts as 1, above 60 as 60",
        arguments: [("", 5), (#","interval":0"#, 1), (#","interval":"900""#, 60)]
    )
    func intervals(member: String, seconds: Int64) async throws {
        let body = """
            {"device_code":"dc","user_code":"A","verification_uri":"","verification_url":"https://example.com/d","expires_in":900\(member)}
            """
        let scripted = try ScriptedProvider([.tokens], device: ScriptedProvider.Poll(status: 200, body: body))
        defer { scripted.server.stop() }
        #expect(await steps(scripted).last == .finished(Self.profile))
        #expect(sleeps == [seconds])
    }

    @Test(
        "Denial and expiry end the sign-in, and nothing is stored",
        arguments: [
            (ScriptedProvider.Poll.denied, DeviceSignIn.denied), (.error("authorization_declined"), .denied),
            (.expired, .expired), (.error("invalid_grant"), .failed(.unusable(.status(400)))),
        ]
    )
    func refusals(poll: ScriptedProvider.Poll, end: DeviceSignIn) async throws {
        let scripted = try ScriptedProvider([.pending, poll])
        defer { scripted.server.stop() }
        #expect(await steps(scripted).last == end)
        #expect(await fixture.service().session() == .signedOut)
        #expect(scripted.forms("/token").count == 2)
    }

    @Test("A code that is not approved expires by the clock, and no new one is requested")
    func expires() async throws {
        // Some providers report the end as an invalid code.
        for last in [ScriptedProvider.Poll.pending, .error("invalid_grant")] {
            let scripted = try ScriptedProvider(Array(repeating: .pending, count: 58) + [last])
            defer { scripted.server.stop() }
            #expect(await steps(scripted).last == .expired)
            #expect(scripted.forms("/device").count == 1 && scripted.forms("/token").count == 59)
        }
        #expect(sleeps.reduce(0, +) == 300 + 295)
    }

    @Test(
        "Errors of the provider and of the network are shown, and the polls continue",
        arguments: [
            ScriptedProvider.Poll(status: 503, body: ""), ScriptedProvider.Poll(body: "", fault: .closed),
            ScriptedProvider.Poll(body: "{\"error\":\"x\"}", fault: .truncated(after: 3)),
        ]
    )
    func interruptions(poll: ScriptedProvider.Poll) async throws {
        let scripted = try ScriptedProvider([.pending, poll, .pending, .tokens])
        defer { scripted.server.stop() }
        let steps = await steps(scripted)
        let problems = steps.compactMap { step -> Bool? in
            if case .waiting(_, let problem) = step { problem != nil } else { nil }
        }
        #expect(problems == [false, true, false] && sleeps == [5, 5, 5, 5])
        #expect(steps.last == .finished(Self.profile))
    }

    @Test("A poll that times out doubles the interval of all later polls")
    func timeouts() async throws {
        let silent = ScriptedProvider.Poll(body: "", fault: .noAnswer)
        let scripted = try ScriptedProvider([.pending, silent, .pending, .tokens])
        defer { scripted.server.stop() }
        let steps = await steps(scripted, requestLimit: .seconds(10))
        #expect(steps.last == .finished(Self.profile))
        #expect(sleeps == [5, 5, 10, 10])
    }

    @Test(
        "A provider that is not usable is named, with the reason",
        arguments: [
            (ScriptedProvider.Poll.error("invalid_client", status: 401), "does not know the client id"),
            (.error("device_flow_disabled"), "does not allow"), (.error("invalid_scope"), "scopes"),
        ]
    )
    func unavailable(device: ScriptedProvider.Poll, words: String) async throws {
        let scripted = try ScriptedProvider([.pending], device: device)
        defer { scripted.server.stop() }
        let error = try #require(await steps(scripted).last?.failure)
        #expect(error.text(.english).contains("Google") && error.text(.english).contains(words))
    }

    @Test(
        "A reply that could control the terminal, or has no web address, is not shown",
        arguments: [
            ##"{"device_code":"d","user_code":"A\u001b[2J","verification_uri":"https://example.com"}"##,
            ##"{"device_code":"d","user_code":"A","verification_uri":"javascript:alert(1)"}"##,
            ##"{"device_code":"d","user_code":"A","verification_uri":"https://user@example.com"}"##,
            ##"{"user_code":"A","verification_uri":"https://example.com"}"##, "<html>", "",
        ]
    )
    func hostile(body: String) async throws {
        let scripted = try ScriptedProvider([.pending], device: ScriptedProvider.Poll(status: 200, body: body))
        defer { scripted.server.stop() }
        #expect(await steps(scripted) == [.requesting, .failed(.unusable(.malformed))])
    }

    @Test("GitHub's way: forms, and errors with status 200")
    func forms() async throws {
        let device = ScriptedProvider.Poll(
            status: 200,
            body:
                "device_code=dc&user_code=AB-CD&verification_uri=https%3A%2F%2Fexample.com%2Fd&expires_in=900&interval=5"
        )
        let pending = ScriptedProvider.Poll(status: 200, body: "error=authorization_pending")
        let granted = ScriptedProvider.Poll(status: 200, body: "access_token=at&token_type=bearer&scope=")
        let scripted = try ScriptedProvider([pending, granted], device: device)
        defer { scripted.server.stop() }
        #expect(await steps(scripted).last == .finished(Self.profile))
    }

    @Test("Facebook's way: an app token, commas between scopes, and errors as Graph objects")
    func facebook() async throws {
        func graph(_ subcode: Int) -> ScriptedProvider.Poll {
            ScriptedProvider.Poll(body: #"{"error":{"message":"x","code":31,"error_subcode":\#(subcode)}}"#)
        }
        let device =
            #"{"code":"dc","user_code":"A1NWZ9","verification_uri":"https://example.com/d","expires_in":420,"interval":5}"#
        let granted = ScriptedProvider.Poll(status: 200, body: #"{"access_token":"at","expires_in":5183996}"#)
        let scripted = try ScriptedProvider(
            [graph(1_349_174), graph(1_349_172), granted],
            device: ScriptedProvider.Poll(status: 200, body: device)
        )
        defer { scripted.server.stop() }
        let profile = try #require(await steps(scripted, dialect: .facebook).last?.profile)
        #expect(profile.provider == "Facebook" && profile.nickname == "지수 김")
        #expect(sleeps == [5, 5, 10])
        #expect(
            scripted.forms("/device") == [["access_token": "pawkit-dog|cs-secret", "scope": "openid,profile,email"]]
        )
        #expect(scripted.forms("/token").allSatisfy { $0 == ["access_token": "pawkit-dog|cs-secret", "code": "dc"] })
        #expect(scripted.server.requests.last?.queryItems.first?.value == "name")
    }

    @Test("Cancelling ends the request under way on the socket")
    func cancelled() async throws {
        let scripted = try ScriptedProvider([ScriptedProvider.Poll(body: "", fault: .noAnswer)])
        defer { scripted.server.stop() }
        let provider = scripted.provider()
        let service = fixture.service(providers: [provider], clock: clock)
        let task = Task { for await _ in service.signIn(with: provider) {} }
        try await eventually { scripted.server.requests.contains { $0.path == "/token" } }
        task.cancel()
        await task.value
        try await eventually { scripted.server.connections.contains { $0.peerClosed != nil } }
        #expect(await service.session() == .signedOut)
    }

    @Test(
        "An expired token is refreshed at the launch, once; a refused one leads to login, an unreachable provider to main"
    )
    func refresh() async throws {
        let scripted = try ScriptedProvider([.tokens])
        defer { scripted.server.stop() }
        #expect(await steps(scripted).last == .finished(Self.profile))
        let providers = [scripted.provider()]
        try await fixture.service(providers: providers).finishTutorial()
        // A token that is about to expire is no use for the requests that follow.
        fixture.date.advance(3_570)
        #expect(await fixture.service(providers: providers).restoreSession() == LaunchDecision(.main(Self.profile)))
        #expect(await fixture.service(providers: providers).restoreSession() == LaunchDecision(.main(Self.profile)))
        #expect(scripted.forms("/token").map { $0["refresh_token"] } == [nil, "rt-secret-1"])
        fixture.date.advance(3_600)
        scripted.setRefresh(ScriptedProvider.Poll(status: 503, body: ""))
        let offline = await fixture.service(providers: providers).restoreSession()
        // The refresh token was not rotated, and is used again.
        #expect(scripted.forms("/token").last?["refresh_token"] == "rt-secret-1")
        #expect(offline.notices.count == 1)
        scripted.setRefresh(.error("invalid_grant"))
        #expect(await fixture.service(providers: providers).restoreSession().branch == .login)
        #expect(await fixture.service(providers: providers).session() == .signedOut)
    }

    @Test("A logout revokes the tokens, the refresh token first; without the provider it says so")
    func revocation() async throws {
        typealias Poll = ScriptedProvider.Poll
        let cases: [(refresh: Int, access: Int, result: LogoutResult)] = [
            (200, 200, .everywhere), (503, 503, .onThisMachineOnly), (503, 200, .onThisMachineOnly),
            (200, 503, .onThisMachineOnly),
        ]
        for (refresh, access, result) in cases {
            let scripted = try ScriptedProvider(
                [.tokens],
                revocation: Poll(status: access, body: ""),
                refreshRevocation: Poll(status: refresh, body: "")
            )
            defer { scripted.server.stop() }
            #expect(await steps(scripted).last == .finished(Self.profile))
            let service = fixture.service(providers: [scripted.provider()])
            #expect(try await service.logout() == result)
            #expect(scripted.forms("/revoke").map { $0["token"] } == ["rt-secret-1", "at-secret-1"])
            #expect(scripted.forms("/revoke").map { $0["token_type_hint"] } == ["refresh_token", "access_token"])
            #expect(await fixture.service().session() == .signedOut)
        }
    }

    @Test("The metadata name the addresses; another issuer, http and a missing grant are refused")
    func discovery() async throws {
        let scripted = try ScriptedProvider([.tokens])
        defer { scripted.server.stop() }
        func last(_ issuer: String) async -> DeviceSignIn? {
            let provider = DeviceProvider(name: "Google", endpoints: .issuer(issuer), clientID: "pawkit-dog")
            let service = fixture.service(providers: [provider], clock: clock)
            var last: DeviceSignIn?
            for await step in service.signIn(with: provider) { last = step }
            return last
        }
        #expect(await last(scripted.server.baseURL)?.profile != nil)
        for (issuer, words) in [
            (scripted.server.baseURL + "/other", "not found"), ("http://example.com", "not https"),
            (scripted.server.baseURL + "/", "another issuer"),
        ] {
            let error = try #require(await last(issuer)?.failure, "\(issuer)")
            #expect(error.text(.english).contains(words), "\(issuer): \(error)")
        }
    }

    @Test("No code, token or secret is in a log or an error of the sign-in")
    func secrecy() async throws {
        let lines = Locked<[String]>([])
        let log = LoggingPlugin(headers: true) { line in lines.withLock { $0.append(line) } }
        for end in [
            ScriptedProvider.Poll.tokens, .error("dc-secret"),
            ScriptedProvider.Poll(status: 200, body: "<at-secret-9>"),
        ] {
            let scripted = try ScriptedProvider([.pending, end])
            defer { scripted.server.stop() }
            let service = fixture.service(providers: [scripted.provider()], plugins: [log], clock: clock)
            for await step in service.signIn(with: scripted.provider()) {
                if case .failed(let error) = step {
                    lines.withLock { $0.append("\(error) \(String(reflecting: error))") }
                }
            }
            _ = try await service.logout()
        }
        let text = lines.withLock { $0 }.joined(separator: "\n")
        #expect(text.contains("/token"))
        #expect(!text.contains("secret"), "\(text)")
    }
}
