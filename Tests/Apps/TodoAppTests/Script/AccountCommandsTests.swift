import AccountCore
import AppLanguage
import AppTestSupport
import CommandKit
import Foundation
import Testing
import Threading
import TodoSync

@testable import TodoApp

@Suite("The account commands")
@MainActor
struct AccountCommandsTests {
    private static let (code, other) = (deviceCode("AB-12"), deviceCode("CD-34"))
    private static let signUp = [
        "signup", "--phone", "010-1234-5678", "--id", "jisu2026", "--nickname", "Jisu", "--birth", "2001-03-09",
        "--email",
        "j@a.test", "--gender", "female",
    ]
    private static let form = SignUpForm(
        id: "jisu2026",
        password: "qv7kzmw2",
        nickname: "Jisu",
        birth: "2001-03-09",
        email: "j@a.test",
        gender: .female
    )

    private static func deviceCode(_ text: String) -> DeviceCode {
        DeviceCode(userCode: text, address: "http://a.test", completeAddress: "http://a.test/\(text)", expires: .now)
    }

    private let account = FakeAccount(branch: .main(nil))
    private let sync = FakeSync()
    private let notes = Locked<[String]>([])
    private let storeCalls = Locked<[FakeTodoStore.Call]>([])

    /// Runs a command and returns what it prints, or its exit status and its message.
    private func run(
        _ arguments: [String],
        _ answers: [String],
        isTerminal: Bool = false,
        account: (any AccountServing)? = nil,
        server: String? = nil
    ) async throws -> String {
        let table = AppCommands.table(program: "Dog", animal: "dog", version: "1.2")
        guard case .run(let command) = try table.parse(["account"] + arguments) else { return "no command" }
        let rest = Locked(answers)
        let store = try FakeTodoStore(["walk"])
        defer { storeCalls.withLock { $0 += store.takeCalls() } }
        let commands = AccountCommands(
            account: account ?? self.account,
            console: Console(
                write: { _ in true },
                complain: { [notes] text in notes.withLock { $0.append(text) } },
                read: { _ in [] }
            ),
            prompt: Prompt(
                read: { _, _ throws(Prompt.Failure) in
                    guard let line = rest.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { throw .ended }
                    return line
                },
                isInteractive: isTerminal
            ),
            program: "Dog",
            server: server,
            todos: TodoRemoval(store: store, sync: sync)
        )
        do throws(ScriptFailure) {
            let output = try await commands.run(command).output
            #expect(rest.withLock { $0 } == [])
            return output
        } catch {
            return "\(error.exitCode.rawValue): \(error.message ?? "")"
        }
    }

    @Test(
        "A login and a sign-up store the consent to automatic login; what is wrong is refused before the first request"
    )
    func signingIn() async throws {
        let signedIn = "signed in as maxdog (Max)\n"
        #expect(try await run(["login", "maxdog"], ["secret7"]) == signedIn)
        #expect(account.takeCalls() == [.login(id: "maxdog", password: "secret7"), .setConsent(true)])
        #expect(
            try await run(Self.signUp, [Self.form.password, "123456"])
                == "signed up and \(signedIn.replacing("maxdog (Max)", with: "jisu2026 (Jisu)"))"
        )
        let calls: [FakeAccount.Call] = [
            .requestCode("010-1234-5678"), .verify("123456"), .signUp(Self.form), .setConsent(true),
        ]
        #expect(account.takeCalls() == calls)
        #expect(notes.withLock { $0 } == ["Dog: Your code is 123456\n"])
        var form = Self.form
        form.gender = .unspecified
        _ = try await run(Array(Self.signUp.dropLast(2)), [form.password, "123456"])
        #expect(account.takeCalls().contains(.signUp(form)))
        let wrong: [(arguments: [String], answers: [String], isTerminal: Bool, text: String)] = [
            (Self.signUp, [Self.form.password, "qv7kzmw3"], true, "2: the two passwords differ; nothing was created"),
            (Self.signUp, ["password1"], false, "2: \(AccountError.commonPassword.text(.english))"),
            (Self.signUp, ["short"], false, "2: \(AccountError.invalid(.password).text(.english))"),
            (["login"], ["maxdog"], false, "2: standard input ended; the next line should be: password"),
            (
                ["login", "--provider", "apple"], [], false,
                "2: there is no provider \"apple\"; the providers are Google, Facebook"
            ),
        ]
        for (arguments, answers, isTerminal, text) in wrong {
            let found = try await run(arguments, answers, isTerminal: isTerminal)
            #expect(found == text)
            #expect(account.takeCalls() == [])
        }
    }

    @Test(
        "A sign-up whose response was lost continues without another code; one that the server does not know asks for it"
    )
    func lostResponse() async throws {
        let services = try await FaultyServices()
        defer { services.stop() }
        let account = services.account
        for (phone, id, answers, text) in [
            ("010-1234-5678", "jisu2026", [Self.form.password], "signed up and signed in as jisu2026 (Jisu)\n"),
            ("010-8765-4321", "minji26", ["other-1!", "-"], "2: \(AccountError.invalid(.code).text(.english))"),
        ] {
            var changed = Self.form
            changed.id = id
            let form = changed
            _ = try await account.requestCode(phone: phone)
            try await account.verify(code: services.code)
            try services.fail("account-half")
            await #expect(throws: AccountError.self) { try await account.signUp(form) }
            try services.fail(nil)
            let other = ["010-1234-5678": "+82 \(phone.dropFirst())", "jisu2026": id]
            let found = try await run(Self.signUp.map { other[$0] ?? $0 }, answers, account: account)
            #expect(found == text)
        }
    }

    @Test("Each code of a provider is shown once, and a login with it stores the consent; its end is the exit status")
    func provider() async throws {
        let outside = Profile(id: "", nickname: "Ji", provider: "Google")
        account.deviceSteps = [
            .requesting, .waiting(Self.code, problem: nil), .waiting(Self.code, problem: .offline),
            .waiting(Self.other, problem: nil), .waiting(Self.other, problem: nil), .finished(outside),
        ]
        #expect(try await run(["login", "--provider", "GOOGLE"], []) == "signed in as Google (Ji)\n")
        #expect(account.takeCalls() == [.signIn("Google"), .setConsent(true)])
        let codes = notes.withLock { $0 }.compactMap { $0.firstMatch(of: #/the code (..-..)/#)?.1 }
        #expect(codes == ["AB-12", "CD-34"])
        for (step, status) in [
            (DeviceSignIn.denied, "denied at Google"), (.expired, "expired"),
            (.failed(.offline), AccountError.offline.text(.english)),
        ] {
            account.deviceSteps = [.waiting(Self.code, problem: nil), step]
            notes.withLock { $0 = [] }
            let text = try await run(["login", "--provider", "google"], [], isTerminal: true)
            let picture = try #require(QRCode("http://a.test/AB-12")).lines().map { $0 + "\n" }
            #expect(notes.withLock { $0.filter(picture.contains) } == picture)
            #expect(text.contains(status) && !text.hasPrefix("signed in"))
            #expect(account.takeCalls() == [.signIn("Google")])
        }
    }

    @Test("A flavour without a client id of its own has one of its name")
    func clientID() {
        let sample = Flavour.sample
        let own = Flavour(
            name: "Dog",
            animal: "dog",
            symbol: "🐶",
            accent: 0,
            oauthClient: "mine",
            pictures: sample.pictures,
            bundledPicture: []
        )
        #expect([sample, own].map(\.oauthClient) == ["pawkit-dog", "mine"])
    }

    @Test("The status of an account of a provider is known without its server")
    func status() async throws {
        #expect(try await run(["status"], []) == "guest: no account\n")
        let outside = FakeAccount(branch: .main(Profile(id: "", nickname: "Ji", provider: "Google")))
        #expect(try await run(["status"], [], account: outside) == "signed in as Google (Ji)\n")
        let ended = FakeAccount(branch: .main(account.profile))
        ended.failure = .sessionEnded
        #expect(try await run(["status"], [], account: ended) == "not signed in\n")
    }

    @Test("A logout keeps the todos unless the user agrees, and does not happen if they cannot be removed")
    func logout() async throws {
        sync.failure = .notSetUp
        for (arguments, answers) in [([], ["y"]), ([], [" Y"]), (["--remove-todos"], [])] as [([String], [String])] {
            let text = try await run(["logout"] + arguments, answers, isTerminal: true)
            let isAgreed = answers != [" Y"]
            #expect(text.hasPrefix("3: ") == isAgreed)
            #expect(account.takeCalls() == (isAgreed ? [] : [.logout]))
        }
        #expect(notes.withLock { $0.count { $0.hasPrefix("todos: ") } } == 2)
        sync.failure = nil
        for arguments in [[], ["--remove-todos"]] {
            let removed = try await run(["logout"] + arguments, []).contains(HomeText.todosRemoved(.english))
            #expect(removed == (arguments != []))
        }
        #expect(storeCalls.withLock { $0.count } == 1, "the todos were removed once")
    }

    @Test("A server that requires a newer version is not used; one whose version is not known is asked anyway")
    func version() async throws {
        let update = LocalizedText("Install the new version.", ko: "새 버전을 설치하세요.")
        let outdated = OutdatedVersion(current: "0.1.0", required: "9.0", instructions: update)
        account.version = .outdated(outdated)
        for arguments in [["login", "maxdog"], Self.signUp] {
            let text = try await run(arguments, ["secret7"], server: "http://a.test")
            #expect(text == "1: \(outdated.text(.english))" && text.contains("9.0"))
            #expect(account.takeCalls() == [.checkVersion])
        }
        account.version = .unknown(update)
        let signedIn = try await run(["login", "maxdog"], ["secret7"], server: "http://a.test")
        #expect(signedIn == "signed in as maxdog (Max)\n")
    }

    @Test("The password is changed with the present one, on a terminal after the new one was entered twice")
    func password() async throws {
        #expect(try await run(["password"], []).hasSuffix(AccountError.sessionEnded.text(.english)))
        _ = try await run(["login", "maxdog"], ["secret7"])
        _ = account.takeCalls()
        let differ = try await run(["password"], ["secret7", "secret8", "secret9"], isTerminal: true)
        #expect(differ == "2: the two passwords differ; nothing was changed")
        #expect(account.takeCalls() == [])
        for (answers, isTerminal) in [(["secret7", "secret8"], false), (["secret7", "secret8", "secret8"], true)] {
            let text = try await run(["password"], answers, isTerminal: isTerminal)
            #expect(text.hasPrefix("the password is changed"))
            #expect(account.takeCalls() == [.changePassword("secret7", "secret8")])
        }
        account.failure = .wrongPassword
        let wrong = try await run(["password"], ["secret9", "secret8"])
        #expect(wrong.hasSuffix(AccountError.wrongPassword.text(.english)))
    }

    @Test("A withdrawal asks for the id, and for the password in any case")
    func withdrawal() async throws {
        #expect(try await run(["withdraw", "--yes"], ["secret7"]).hasPrefix("2: ") == false)
        #expect(account.takeCalls() == [])
        _ = try await run(["login", "maxdog"], ["secret7"])
        _ = account.takeCalls()
        #expect(try await run(["withdraw"], ["maxdog", "secret7"]).contains("confirm with --yes"))
        #expect(
            try await run(["withdraw"], ["Maxdog", "secret7"], isTerminal: true).hasSuffix(
                "the id differs; nothing was deleted"
            )
        )
        #expect(account.takeCalls() == [])
        #expect(
            try await run(["withdraw"], ["maxdog", "secret7"], isTerminal: true).hasPrefix("the account is deleted")
        )
        #expect(account.takeCalls() == [.withdraw("secret7")])
        _ = try await run(["login", "maxdog"], ["secret7"])
        _ = account.takeCalls()
        _ = try await run(["withdraw", "--yes"], ["secret7"])
        #expect(account.takeCalls() == [.withdraw("secret7")])
    }
}
