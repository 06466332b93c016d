import AccountCore
import Foundation
import TestSupport
import Testing

/// The device grant with a real authorization server, django-allauth. `.ci/run` installs it into
/// `.build/authorization-server`; without it the tests are skipped.
@Suite(
    "Sign-in with a real authorization server",
    .enabled(if: AuthorizationServer.python != nil, "needs django-allauth in .build/authorization-server; see .ci/run"),
    .serialized
)
struct AuthorizationServerTests {
    private let fixture: AccountFixture

    init() throws { fixture = try AccountFixture() }

    @Test("Approved on another device: signed in, refreshed with rotation, and revoked at the logout")
    func approved() async throws {
        let server = try await AuthorizationServer(fixture.folder)
        let service = fixture.service(providers: [server.provider])
        var last: DeviceSignIn?
        for await step in service.signIn(with: server.provider) {
            if case .waiting(let code, problem: nil) = step {
                #expect(code.completeAddress?.hasSuffix(code.userCode) == true)
                try await server.act("confirm", on: code.userCode)
            }
            last = step
        }
        let profile = Profile(id: "", nickname: "jisu", provider: "Google")
        #expect(last == .finished(profile))
        try await service.finishTutorial()
        // Two refreshes: the second one with the token that the first one returned.
        for _ in 0..<2 {
            fixture.date.advance(3_600)
            #expect(
                await fixture.service(providers: [server.provider]).restoreSession() == LaunchDecision(.main(profile))
            )
        }
        #expect(try await fixture.service(providers: [server.provider]).logout() == .everywhere)
    }

    @Test("Denied on another device")
    func denied() async throws {
        let server = try await AuthorizationServer(fixture.folder)
        let service = fixture.service(providers: [server.provider])
        var last: DeviceSignIn?
        for await step in service.signIn(with: server.provider) {
            if case .waiting(let code, problem: nil) = step { try await server.act("deny", on: code.userCode) }
            last = step
        }
        #expect(last == .denied)
        #expect(await service.session() == .signedOut)
    }

    @Test("The server does not know another client")
    func otherClient() async throws {
        let server = try await AuthorizationServer(fixture.folder)
        var provider = server.provider
        provider.clientID = "another"
        var last: DeviceSignIn?
        for await step in fixture.service(providers: [provider]).signIn(with: provider) { last = step }
        #expect(last?.failure != nil, "\(String(describing: last))")
    }
}

/// A process of django-allauth.
private final class AuthorizationServer: @unchecked Sendable {
    private static let root = Project.root
    private static let scripts = root.appendingPathComponent("Tests/Apps/AccountCoreTests/AuthorizationServer")

    /// The interpreter with the packages; `nil` if they are not installed.
    static var python: URL? {
        let url = root.appendingPathComponent(".build/authorization-server/bin/python")
        return FileManager.default.isExecutableFile(atPath: url.path) ? url : nil
    }

    private let process = Process()
    private var base = ""

    init(_ folder: TemporaryDirectory) async throws {
        let (output, log) = (folder.file("authorization-server"), folder.file("authorization-server.log"))
        for file in [output, log] { try Data().write(to: file) }
        process.executableURL = Self.python
        process.arguments = [Self.scripts.appendingPathComponent("server.py").path, folder.path]
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: log)
        try process.run()
        try await eventually {
            guard process.isRunning else { throw ServerFailed(log: try String(contentsOf: log, encoding: .utf8)) }
            let text = try String(contentsOf: output, encoding: .utf8)
            base = text.trimmingCharacters(in: .newlines)
            return text.hasSuffix("\n")
        }
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    struct ServerFailed: Error { let log: String }

    var provider: DeviceProvider {
        DeviceProvider(name: "Google", endpoints: .issuer(base), clientID: "pawkit-dog")
    }

    /// Confirms or denies a code, as a person in a browser.
    func act(_ action: String, on code: String) async throws {
        let python = try #require(Self.python)
        let result = try await ChildProcess.run(
            python,
            [Self.scripts.appendingPathComponent("approve.py").path, base, code, action]
        )
        #expect(result.status == 0, "\(result.errors)")
    }
}
