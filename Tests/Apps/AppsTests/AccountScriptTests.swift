import Foundation
import LoopbackServer
import PictureAPIs
import SystemCalls
import TestSupport
import Testing

@Suite("The account commands")
struct AccountScriptTests {
    private static let options = [
        "--phone", "010-1234-5678", "--id", "jisu2026", "--nickname", "지수", "--birth", "2001-03-09", "--email",
        "jisu@example.com", "--gender", "female",
    ]

    @Test(
        "Signup, status, logout, login and withdraw in Dog and in Cat, with the password from standard input",
        arguments: AppFixture.FlavourName.allCases
    )
    func wholeWay(flavour: AppFixture.FlavourName) async throws {
        let app = try AppFixture(flavour)
        #expect(try await app.run("account", "status").output == "not signed in\n")
        #expect(try await app.json("account", "status")["profile"] is NSNull)
        let created = try await app.run(["account", "signup"] + Self.options, input: Data("k9-leash!\n".utf8))
        #expect(created.status == 0, "\(created.errors)")
        #expect(created.output == "signed up and signed in as jisu2026 (지수)\n")
        #expect(created.errors.contains("Your verification code is"))
        #expect(try await app.run("account", "status").output == "signed in as jisu2026 (지수)\n")
        let document = try await app.json("account", "status")
        #expect(document["status"] as? String == "signed-in" && document["server"] as? String == "embedded")
        #expect((document["profile"] as? [String: Any])?["phone"] as? String == "+821012345678")
        #expect(try await app.run("account", "logout").output == "Logged out.\n")
        #expect(try await app.run("account", "status").output == "not signed in\n")
        let wrong = try await app.run("account", "login", "jisu2026", input: "other-1!\n")
        #expect(wrong.status == 1 && wrong.errors.contains("The id or the password is wrong"))
        let back = try await app.run("account", "login", "jisu2026", input: "k9-leash!\n")
        #expect(back.output == "signed in as jisu2026 (지수)\n")
        _ = try await app.run("todo", "add", "Buy milk")
        let unconfirmed = try await app.run("account", "withdraw", input: "k9-leash!\n")
        #expect(unconfirmed.status == 2 && unconfirmed.errors.contains("--yes"))
        let gone = try await app.run("account", "withdraw", "--yes", input: "k9-leash!\n")
        #expect(gone.status == 0 && gone.output.contains("your todos and settings stay"))
        #expect(try await app.run("account", "status").output == "not signed in\n")
        #expect(try await app.todos("todo", "list").count == 1)
    }

    @Test("The password is no argument, and what is missing on standard input is named")
    func missing() async throws {
        let app = try AppFixture()
        for option in ["--password", "--password=x"] {
            #expect(try await app.run("account", "login", "jisu2026", option).status == 2)
        }
        let ended = try await app.run("account", "login", "jisu2026")
        #expect(ended.status == 2 && ended.errors.contains("the next line should be: password"))
        let invalid = try await app.run("account", "login", "jisu", input: "k9-leash!\n")
        #expect(invalid.status == 2 && invalid.errors.contains("6 to 12 visible characters"))
        for (password, words) in [("k9-l\n", "6 to 12 characters"), ("password1\n", "easy to guess")] {
            let early = try await app.run(["account", "signup"] + Self.options, input: Data(password.utf8))
            #expect(early.status == 2 && early.errors.contains(words))
            #expect(!early.errors.contains("verification code"), "a code was requested")
        }
    }

    @Test("The terminal does not show the password, and works as before afterwards")
    func withoutEcho() async throws {
        let app = try AppFixture()
        _ = try await app.run(["account", "signup"] + Self.options, input: Data("k9-leash!\n".utf8))
        func login() throws -> PseudoTerminal {
            try PseudoTerminal(app.executable, ["account", "login", "jisu2026"], environment: app.environment)
        }
        let terminal = try login()
        try await terminal.waitForText("Password: ")
        #expect(try await terminal.waitForExit(typing: "k9-leasx\u{7f}h!\r") == 0)
        #expect(terminal.text.contains("signed in as jisu2026") && !terminal.text.contains("leas"))

        let interrupted = try login()
        try await interrupted.waitForText("Password: ")
        #expect(try await interrupted.waitForExit(typing: "k9\u{3}") == 130)
        #expect(interrupted.settings == terminal.settings)
        let fresh = try PseudoTerminal(app.executable, ["--version"])
        _ = try await fresh.waitForExit()
        #expect(interrupted.settings == fresh.settings)
    }

    @Test(
        "A signal that ends the process during the password restores the terminal",
        arguments: [SIGTERM, SIGHUP, SIGQUIT]
    )
    func killedPrompt(signal: Int32) async throws {
        let app = try AppFixture()
        let fresh = try PseudoTerminal(app.executable, ["--version"])
        _ = try await fresh.waitForExit()
        let terminal = try PseudoTerminal(
            app.executable,
            ["account", "login", "jisu2026"],
            environment: app.environment
        )
        try await terminal.waitForText("Password: ")
        #expect(terminal.settings != fresh.settings, "the label appears once what is typed is not shown")
        terminal.type("k9")
        terminal.signal(signal)
        #expect(try await terminal.waitForExit() != 0)
        #expect(terminal.settings == fresh.settings)
        #expect(!terminal.text.contains("k9"))
    }

    @Test(
        "A server that cannot be reached or fails: exit status 4, and what to do",
        arguments: ["down", "account-500", "account-html", "account-half", "account-redirect"]
    )
    func faults(fault: String) async throws {
        let app = try AppFixture()
        let base = fault == "down" ? "http://127.0.0.1:1" : "\(app.server.baseURL)/fault/\(fault)"
        let result = try await app.run("account", "login", "jisu2026", "--backend", base, input: "k9-leash!\n")
        #expect(result.status == 4 && result.output.isEmpty)
        #expect(result.errors.contains("Check") || result.errors.contains("Try again"), "\(result.errors)")
        #expect(!result.errors.contains("k9-leash!"))
        #expect(try await app.run("account", "status", "--backend", base).output == "not signed in\n")
    }

    @Test("A provider that is not configured is named")
    func unknownProvider() async throws {
        let app = try AppFixture()
        let result = try await app.run("account", "login", "--provider", "gogle")
        #expect(result.status == 2 && result.errors.contains("\"gogle\""))
    }

    @Test("Login with a provider shows the address and the code, waits for the approval, and logs out at the provider")
    func provider() async throws {
        let app = try AppFixture()
        let server = try LoopbackServer(immediateHandler: { request in
            let base = "http://\(request.header("Host") ?? "")"
            switch request.path {
            case "/.well-known/oauth-authorization-server":
                return .json(
                    """
                    {"issuer":"\(base)","device_authorization_endpoint":"\(base)/device","token_endpoint":"\(base)/token",\
                    "revocation_endpoint":"\(base)/revoke","userinfo_endpoint":"\(base)/me"}
                    """
                )
            case "/device":
                return .json(
                    """
                    {"device_code":"dc","user_code":"WDJB-MJHT","verification_uri":"https://example.com/device",\
                    "expires_in":300,"interval":1}
                    """
                )
            case "/token": return .json(#"{"access_token":"at-secret","token_type":"Bearer","expires_in":3600}"#)
            case "/me": return .json(#"{"name":"지수 김"}"#)
            default: return ServedResponse()
            }
        })
        defer { server.stop() }
        let variables: [String: String?] = ["PAWKIT_GOOGLE_ISSUER": server.baseURL]
        let login = try await app.run(["account", "login", "--provider", "google"], environment: variables)
        #expect(login.status == 0 && login.output == "signed in as Google (지수 김)\n", "\(login.errors)")
        #expect(login.errors.contains("https://example.com/device") && login.errors.contains("WDJB-MJHT"))
        #expect(!login.errors.contains("secret"))
        let logout = try await app.run(["account", "logout"], environment: variables)
        #expect(logout.output == "Logged out.\n")
        #expect(server.requests.last?.path == "/revoke")
    }
}
