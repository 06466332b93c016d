import AccountCore
import AppLanguage
import AppTestSupport
import AppUI
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import TodoApp

@Suite("The way through the app", .timeLimit(.minutes(2)))
@MainActor
struct LaunchFlowTests {
    private func app(
        _ branch: LaunchBranch,
        notices: [LocalizedText] = [],
        width: Int = 100,
        height: Int = 30,
        language: AppLanguage = .english,
        _ prepare: (FakeAccount) -> Void = { _ in }
    ) async throws -> AppOnScreen {
        let account = FakeAccount(branch: branch, notices: notices)
        prepare(account)
        let pictures = FakePictureService(.picture(.sample("Beagle")), .picture(.sample("Pug")))
        let screen = try await AppOnScreen(
            width: width,
            height: height,
            todos: ["walk the dog"],
            pictures: pictures,
            account: account,
            language: language,
            waitsForTodos: false
        )
        return screen
    }

    /// Accepts that not every prepared picture was requested.
    private func finish(_ screen: AppOnScreen) { screen.services.pictures.answers = [] }

    @Test("The tutorial leads to the logged-out screen, is stored, and Sign up leads on to the sign-up")
    func tutorial() async throws {
        let screen = try await app(.tutorial)
        defer { finish(screen) }
        try await screen.wait(for: "Todos, typed on one line")
        try await screen.type("nnn", waitingFor: "PRESS START")
        try await eventually { screen.services.accountFake.calls.contains(.finishTutorial) }
        #expect(screen.text.contains("Continue as a guest"))
        #expect(screen.root.treeDescription == "RootRouter (active)\n└─ LoggedOutRouter (active)")

        let other = try await app(.tutorial)
        defer { finish(other) }
        try await other.wait(for: "Todos, typed on one line")
        try await other.type("nns", waitingFor: "Enter your telephone number")
    }

    @Test("Who has signed in before the first screen continues after the tutorial, without the start screen")
    func tutorialOfUser() async throws {
        let branches: [LaunchBranch] = [.main(Profile(id: "maxdog", nickname: "Max")), .main(nil)]
        for (branch, keys) in zip(branches, ["nns", "\u{1B}"]) {
            let screen = try await app(branch) { $0.decision = LaunchDecision(.tutorial) }
            defer { finish(screen) }
            let account = screen.services.accountFake
            try await screen.wait(for: "Todos, typed on one line")
            account.decision = LaunchDecision(branch)
            try await screen.type(keys, waitingFor: "walk the dog")
            #expect(account.calls == [.checkVersion, .restoreSession, .finishTutorial, .restoreSession])
            #expect(screen.root.children.count == 1)
        }
    }

    @Test("The splash screen offers to quit while it waits")
    func quitsWhileWaiting() async throws {
        let screen = try await app(.main(nil)) { $0.isHeld = true }
        defer { finish(screen) }
        try await screen.wait { $0.contains("Checking the version") && $0.lowercased().contains("q quit") }
        await screen.type("q")
        #expect(screen.quits == 1)
    }

    @Test("A guest reaches the list in two keys from the first start")
    func guest() async throws {
        let screen = try await app(.tutorial)
        defer { finish(screen) }
        try await screen.wait(for: "Todos, typed on one line")
        try await screen.type("\u{1B}g", waitingFor: "walk the dog")
        try await eventually { screen.services.accountFake.calls.contains(.continueAsGuest) }
    }

    @Test("Without an account the start screen says PRESS START", arguments: [LaunchBranch.verification, .login])
    func loggedOut(branch: LaunchBranch) async throws {
        let screen = try await app(branch)
        defer { finish(screen) }
        try await screen.wait(for: "PRESS START")
        #expect(screen.line(0).contains("PRESS START"))
    }

    @Test("A verified number without an account leads to the details of the sign-up, and back to the start screen")
    func nickname() async throws {
        let screen = try await app(.nickname)
        defer { finish(screen) }
        try await screen.wait(for: "Your number is verified")
        try await screen.press(.escape, waitingFor: "PRESS START")
    }

    @Test("A login from the start screen leads to the list; the profile then offers logout, which leads back")
    func login() async throws {
        let screen = try await app(.login) { $0.hasConsent = true }
        defer { finish(screen) }
        try await screen.wait(for: "PRESS START")
        try await screen.type("l", waitingFor: "Terms of automatic login")
        try await screen.type("maxdog\tsecret\n", waitingFor: "walk the dog")
        try await screen.wait(for: "Welcome, Max.")
        try await screen.type("o", waitingFor: "Max (maxdog)")
        try await screen.click(on: "Log out", waitingFor: "1 on this machine")
        try await screen.click(on: "Keep ", waitingFor: "PRESS START")
        try await screen.wait(for: "Logged out.")
        #expect(screen.root.children.count == 1)
    }

    @Test("A guest logs in from the profile; the login pops and the profile's button becomes logout")
    func loginFromProfile() async throws {
        let screen = try await app(.main(nil)) { $0.hasConsent = true }
        defer { finish(screen) }
        try await screen.wait(for: "walk the dog")
        try await screen.type("o", waitingFor: "guest")
        try await screen.click(on: "Log in", waitingFor: "Terms of automatic login")
        try await screen.type("maxdog\tsecret\n", waitingFor: "Max (maxdog)")
        #expect(screen.text.contains("Log out") && screen.text.contains("Logged in as Max."))
    }

    @Test("A guest signs in with an outside provider from the login over the profile; the menu closes both")
    func providerFromProfile() async throws {
        let screen = try await app(.main(nil)) { $0.deviceSteps = [.requesting, .denied] }
        defer { finish(screen) }
        try await screen.wait(for: "walk the dog")
        try await screen.type("o", waitingFor: "guest")
        try await screen.click(on: "Log in", waitingFor: "Password")
        try await screen.click(on: "Google Login", waitingFor: "The sign-in was refused")
        let home = try #require(screen.root.children.first)
        await screen.app.click(on: "Menu")
        try await screen.click(on: "Todos", waitingFor: "walk the dog")
        #expect(home.children.count == 2)
        try await screen.type("o", waitingFor: "guest")
        try await screen.click(on: "Log in", waitingFor: "Password")
        try await screen.click(on: "Facebook Login", waitingFor: "The sign-in was refused")
        try await screen.press(.escape, waitingFor: "Password")
        screen.services.accountFake.deviceSteps = [.finished(Profile(id: "", nickname: "Ji", provider: "Google"))]
        try await screen.click(on: "Google Login", waitingFor: "Logged in as Ji.")
        #expect(home.children.count == 3 && screen.services.accountFake.hasConsent)
    }

    @Test("The sign-up leads from the start screen to the list")
    func signUp() async throws {
        let screen = try await app(.verification)
        defer { finish(screen) }
        try await screen.wait(for: "PRESS START")
        try await screen.type("s", waitingFor: "Enter your telephone number")
        try await screen.type("01012345678\n", waitingFor: "Your code is 123456")
        try await screen.type("123456\n", waitingFor: "Your number is verified")
        try await screen.type("maxdog\tsecret7\tMax\t2001-03-09\tmax@example.com\n", waitingFor: "walk the dog")
        try await screen.wait(for: "Welcome, Max.")
    }

    @Test("Escape on a filled sign-up asks before it discards the text; an empty one closes at once")
    func leavesSignUp() async throws {
        let screen = try await app(.nickname)
        defer { finish(screen) }
        try await screen.wait(for: "Your number is verified")
        await screen.type("maxdog\tsecret7\tMax")
        await screen.app.press(.escape)
        #expect(screen.text.contains("Discard the sign-up?"))
        #expect(await screen.app.click(on: "Edit on"))
        #expect(screen.text.contains("maxdog") && screen.text.contains("Max"), "the typed text is still there")
        await screen.app.press(.escape)
        try await screen.click(on: "Discard  ", waitingFor: "PRESS START")
        try await screen.type("s", waitingFor: "Enter your telephone number")
        try await screen.press(.escape, waitingFor: "PRESS START")
    }

    @Test("The menu leads from a sign-up over the profile back to the todos, and closes both")
    func menuOverSignUp() async throws {
        let screen = try await app(.main(nil))
        defer { finish(screen) }
        try await screen.wait(for: "walk the dog")
        try await screen.type("o", waitingFor: "guest")
        try await screen.click(on: "Sign up", waitingFor: "Enter your telephone number")
        await screen.type("010")
        await screen.app.click(on: "Menu")
        try await screen.click(on: "Todos", waitingFor: "walk the dog")
        let home = try #require(screen.root.children.first)
        #expect(screen.root.children.count == 1 && home.children.count == 2)
        // The profile that opens now is a new one that handles its keys.
        try await screen.type("o", waitingFor: "guest")
        #expect(home.children.count == 3)
        try await screen.press(.escape, waitingFor: "walk the dog")
        #expect(home.children.count == 2)
    }

    @Test("The menu asks before it closes an account and a profile with changed text, each for itself")
    func menuOverProfile() async throws {
        let screen = try await app(.main(Profile(id: "maxdog", nickname: "Max")))
        defer { finish(screen) }
        try await screen.wait(for: "walk the dog")
        try await screen.type("o", waitingFor: "Max (maxdog)")
        await screen.type("well")
        try await screen.type("\t\t\t\t\t\n", waitingFor: "Delete account")
        await screen.type("ie")
        await screen.app.click(on: "Menu")
        try await screen.click(on: "Todos", waitingFor: "Discard the changes?")
        await screen.app.press(.escape)
        #expect(screen.text.contains("Maxie") && screen.text.contains("Delete account"))
        // The profile is below the account.
        await screen.app.click(on: "Menu")
        try await screen.click(on: "Profile", waitingFor: "Discard the changes?")
        await screen.app.press(.escape)
        #expect(screen.text.contains("Maxie") && screen.text.contains("Delete account"))
        await screen.app.click(on: "Menu")
        try await screen.click(on: "Favourites", waitingFor: "Discard the changes?")
        try await screen.click(on: "Discard  ", waitingFor: "Maxwell")
        #expect(screen.text.contains("Discard the changes?"))
        await screen.app.click(on: "Discard  ")
        try await screen.wait { !$0.contains("Maxwell") && !$0.contains("Discard the changes?") }
        let home = try #require(screen.root.children.first)
        #expect(home.children.count == 3 && screen.text.contains("Favourites"))
    }

    @Test("After the session has ended, the account waits: the same user finds the text, for another it closes")
    func endedSession() async throws {
        let screen = try await app(.main(Profile(id: "maxdog", nickname: "Max"))) { $0.hasConsent = true }
        defer { finish(screen) }
        let account = screen.services.accountFake
        try await screen.wait(for: "walk the dog")
        try await screen.type("o", waitingFor: "Max (maxdog)")
        try await screen.type("\t\t\t\t\t\n", waitingFor: "Delete account")
        try await screen.type("ie", waitingFor: "Maxie")
        for isSame in [true, false] {
            account.endSession()
            try await screen.wait(for: "Log in again.")
            account.profile = isSame ? account.profile : Profile(id: "minji26", nickname: "Minji")
            await screen.app.click(on: "Maxie")
            // Birth, email, gender, Log in.
            try await screen.type("\t\t\t\t\n", waitingFor: "Terms of automatic login")
            await screen.type("maxdog\tsecret7\n")
            try await screen.wait {
                $0.contains(isSame ? "Delete account" : "The account of Max was closed")
                    && $0.contains("Maxie") == isSame && !$0.contains("Log in again.")
            }
        }
        #expect(screen.text.contains("Minji (minji26)") && !account.calls.contains(.changeNickname("Maxie")))
    }

    @Test("The account is deleted after a confirmation with the password, and the todos stay")
    func withdraw() async throws {
        let screen = try await app(.main(Profile(id: "maxdog", nickname: "Max")))
        defer { finish(screen) }
        try await screen.wait(for: "walk the dog")
        try await screen.type("o", waitingFor: "Max (maxdog)")
        // Name, breed, Save, Back, Log out, Account.
        try await screen.type("\t\t\t\t\t\n", waitingFor: "Delete account")
        try await screen.click(on: "Delete account", waitingFor: "Enter your password")
        await screen.type("secret")
        #expect(await screen.app.click(on: "Back"))
        #expect(!screen.services.accountFake.calls.contains(.withdraw("secret")))
        #expect(await screen.app.click(on: "Delete account"))
        try await screen.type("secret\t\t\n", waitingFor: "PRESS START")
        #expect(screen.services.accountFake.calls.contains(.withdraw("secret")))
        try await screen.type("g", waitingFor: "walk the dog")
    }

    @Test("A version that is too old blocks with both versions, and Quit ends the app")
    func outdated() async throws {
        let screen = try await app(.main(nil)) {
            $0.version = .outdated(
                OutdatedVersion(
                    current: "0.1.0",
                    required: "2.0",
                    instructions: LocalizedText("Run Scripts/install.", ko: "Scripts/install을 실행하세요.")
                )
            )
        }
        defer { finish(screen) }
        try await screen.wait(for: "the server requires 2.0")
        #expect(screen.text.contains("0.1.0") && screen.text.contains("Run Scripts/install."))
        await screen.type("mo?")
        #expect(screen.text.contains("the server requires 2.0"))
        await screen.app.resize(GridSize(width: 20, height: 5))
        await screen.type("r")
        try await screen.wait { $0.contains("This") && $0.contains("old") && !$0.contains("Checking") }
        await screen.type("q")
        #expect(screen.quits == 1)
    }

    @Test("An unknown version and other notices do not stop the app", arguments: AppLanguage.allCases)
    func notices(language: AppLanguage) async throws {
        let reason = LocalizedText("The server cannot be reached.", ko: "서버에 연결할 수 없습니다.")
        let screen = try await app(.main(nil), language: language) { $0.version = .unknown(reason) }
        defer { finish(screen) }
        try await screen.wait(for: "walk the dog")
        try await screen.wait(for: reason(language))
    }
}
