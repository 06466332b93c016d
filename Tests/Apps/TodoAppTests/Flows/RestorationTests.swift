import AccountCore
import AppTestSupport
import RIBs
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@testable import TodoApp

@Suite("The screen after a kill", .timeLimit(.minutes(3)))
@MainActor
struct ScreenRestorationTests {
    /// Starts the app with the stored state of an earlier process.
    private func app(
        _ snapshot: RouterSnapshot?,
        _ branch: LaunchBranch = .main(nil),
        _ prepare: (FakeAccount) -> Void = { _ in }
    ) async throws -> AppOnScreen {
        let account = FakeAccount(branch: branch)
        prepare(account)
        let pictures = FakePictureService()
        pictures.repeated = .sample("Pug")
        return try await AppOnScreen(
            width: 100,
            height: 30,
            todos: ["walk the dog"],
            pictures: pictures,
            account: account,
            waitsForTodos: false,
            screenState: snapshot
        )
    }

    @Test("A draft of the entry field, of a row, of the editor and of the profile is stored and restored")
    func drafts() async throws {
        let drafts = [
            ("nbuy milk", "buy milk"), ("i today", "walk the dog today"), ("e quickly", "walk the dog quickly"),
            ("oJisu", "Jisu"),
        ]
        for (keys, text) in drafts {
            let screen = try await app(nil)
            try await screen.wait(for: "walk the dog")
            try await screen.type(keys, waitingFor: text)
            let next = try await app(try await place(of: screen))
            try await next.wait(for: text)
            guard keys.hasPrefix("i") else { continue }
            #expect(next.root.unsavedText == [text])
            await next.app.press(.enter)
            try await eventually { next.services.store.takeCalls().contains { "\($0)".contains(text) } }
        }
    }

    @Test("A sign-up is restored over the logged-out screen with its texts; a password is never stored")
    func signUp() async throws {
        let screen = try await app(nil, .nickname)
        try await screen.wait(for: "Your number is verified")
        await screen.type("maxdog\tsecret7\tMax")
        let snapshot = try await place(of: screen)
        #expect("\(snapshot)".contains("maxdog") && !"\(snapshot)".contains("secret7"))

        let next = try await app(snapshot, .nickname)
        try await next.wait(for: "maxdog")
        #expect(next.text.contains("Max") && !next.text.contains("••"))
        // Who is signed in needs no sign-up.
        let signedIn = try await app(snapshot, .main(Profile(id: "minji26", nickname: "Minji")))
        try await signedIn.wait(for: "walk the dog")
        #expect(signedIn.root.children.count == 1)
    }

    @Test("The tutorial is restored at its page, and the account with its changed values, but not with its push token")
    func pages() async throws {
        let tutorial = try await app(
            RouterSnapshot(id: "root", children: [RouterSnapshot(id: "tutorial", state: ["page": "3"])]),
            .tutorial
        )
        try await tutorial.wait(for: "An account is optional")

        let profile = Profile(id: "maxdog", nickname: "Max")
        let account = try await app(nil, .main(profile))
        try await account.wait(for: "walk the dog")
        try await account.type("o", waitingFor: "Max (maxdog)")
        try await account.type("\t\t\t\t\t\n", waitingFor: "Delete account")
        await account.type("ie\t\tmax@example.com")
        #expect(await account.app.click(on: "from the device"))
        await account.type("push-secret")
        let snapshot = try await place(of: account, containing: "max@example.com")
        #expect(!"\(snapshot)".contains("push-secret"))
        let next = try await app(snapshot, .main(profile))
        try await next.wait(for: "Delete account")
        #expect(next.text.contains("Maxie") && next.text.contains("max@example.com"))
        let other = try await app(snapshot, .main(Profile(id: "minji26", nickname: "Minji")))
        try await other.wait(for: "Delete account")
        #expect(!other.text.contains("Maxie") && !other.text.contains("max@example.com"))
        // Without a session, the place is the profile.
        let guest = try await app(snapshot, .main(nil))
        try await guest.wait(for: "/data/dog")
        #expect(!guest.text.contains("Delete account"))
    }

    @Test("The login is restored with its id and the consent, and the step of the code while the code is valid")
    func login() async throws {
        let screen = try await app(nil, .login)
        try await screen.wait(for: "PRESS START")
        try await screen.type("lmaxdog\tsecret7\t ", waitingFor: "[x] I agree")
        let snapshot = try await place(of: screen, containing: "consent")
        #expect(!"\(snapshot)".contains("secret7"))
        let next = try await app(snapshot, .login)
        try await next.wait(for: "[x] I agree")
        #expect(next.text.contains("maxdog") && !next.text.contains("••"))

        let code = RouterSnapshot(
            id: "root",
            children: [
                RouterSnapshot(id: "loggedOut"),
                RouterSnapshot(id: "signUp", state: ["phone": "010-1234-5678", "step": "code"]),
            ]
        )
        let expired = try await app(code, .login)
        try await expired.wait(for: "010-1234-5678")
        let valid = try await app(code, .login) {
            $0.pendingCode = CodeRequest(length: 6, validSeconds: 90, resendSeconds: 0)
        }
        try await valid.wait(for: "The code is valid for 1:30")
        try await valid.type("123456\n", waitingFor: "Your number is verified")
    }

    /// Waits until a place is stored that contains a text, and returns it.
    private func place(of screen: AppOnScreen, containing text: String? = nil) async throws -> RouterSnapshot {
        try await waitForPlace(of: screen) { place in
            guard let place else { return false }
            return text.map("\(place)".contains) ?? true
        }
        return try #require(screen.services.screenStateFake.stored)
    }

    private func waitForPlace(of screen: AppOnScreen, _ condition: (RouterSnapshot?) -> Bool) async throws {
        try await eventually {
            screen.services.manualClock.advance(by: .seconds(1))
            await screen.app.settle()
            return condition(screen.services.screenStateFake.stored)
        }
    }

    @Test(
        "The menu, the settings and the list of the keys are restored, also over another screen",
        arguments: [("m", "Log in", "menu"), (",", "Log in automatically", "settings"), ("?", "─ Keys ─", "keys")]
    )
    func panels(key: String, text: String, name: String) async throws {
        for opening in ["", "F"] {
            let screen = try await app(nil)
            try await screen.wait(for: "walk the dog")
            try await screen.type(opening + key, waitingFor: text)
            let snapshot = try await place(of: screen, containing: name)

            let next = try await app(snapshot)
            try await next.wait(for: text)
            #expect((next.root.children.first?.children.count ?? 0) == (opening.isEmpty ? 2 : 3))
            await next.app.press(.escape)
            #expect(!next.text.contains(text))
            try await waitForPlace(of: next) { $0?.state == [:] }
        }
    }

    @Test("The open details and the calendar at its month are restored, and Escape closes them")
    func places() async throws {
        let ways = [
            ([Key(.enter)], "─ Details ─", "detail"), ([.character("t"), Key(.pageDown)], "April 2026", "2026-04"),
        ]
        for (keys, text, name) in ways {
            let screen = try await app(nil)
            try await screen.wait(for: "walk the dog")
            for key in keys { await screen.app.press(key) }
            try await screen.wait(for: text)
            let snapshot = try await place(of: screen, containing: name)

            let next = try await app(snapshot)
            try await next.wait(for: text)
            await next.app.press(.escape)
            try await next.wait { !$0.contains(text) }
            try await waitForPlace(of: next) { !"\(String(describing: $0))".contains(name) }
        }
    }

    @Test("Details of a todo that has gone stay closed, without a message; what was typed for it is not lost")
    func missingPlace() async throws {
        let gone = RouterSnapshot(
            id: "root",
            children: [
                RouterSnapshot(id: "home", children: [RouterSnapshot(id: "todos", state: ["detail": "zzzz"])])
            ]
        )
        let screen = try await app(gone)
        try await screen.wait(for: "walk the dog")
        try await waitForPlace(of: screen) { !"\(String(describing: $0))".contains("zzzz") }
        #expect(!screen.text.contains("Details"))
        let texts = [
            ["editing": "zzzz", "title": "call Jisu", "note": "at\nhome"],
            ["row": "zzzz", "line": "call Jisu at home"],
        ]
        let lines = ["row": "zzzz", "line": "run", "row1": "yyyy", "line1": "call Jisu"]
        let list = RouterSnapshot(id: "home", children: [RouterSnapshot(id: "todos", state: lines)])
        let both = try await app(RouterSnapshot(id: "root", children: [list]))
        try await both.wait { $0.contains("not saved: call Jisu") && $0.contains(" run") }
        for text in texts {
            for (entry, shown) in [("", "call Jisu at home"), ("run", "not saved: call Jisu at home")] {
                let state = entry.isEmpty ? text : text.merging(["entry": entry]) { $1 }
                let todos = RouterSnapshot(id: "todos", state: state)
                let home = RouterSnapshot(id: "home", children: [todos])
                let screen = try await app(RouterSnapshot(id: "root", children: [home]))
                try await screen.wait(for: shown)
            }
        }
    }

    @Test("The width of the list that the user has chosen is restored; an invalid one is ignored")
    func share() async throws {
        let screen = try await app(nil)
        try await screen.wait { $0.contains("walk the dog") && screen.pictureArea != nil }
        await screen.app.press(Key(.left, .alt))
        let picture = try #require(screen.pictureArea)
        let snapshot = try await place(of: screen, containing: "share")
        let next = try await app(snapshot)
        try await next.wait { $0.contains("walk the dog") && next.pictureArea?.minX == picture.minX }
        #expect(picture.minX == 68)
        let damaged = RouterSnapshot(id: "root", children: [RouterSnapshot(id: "home", state: ["share": "-nan"])])
        let standard = try await app(damaged)
        try await standard.wait { $0.contains("walk the dog") && standard.pictureArea?.minX == 70 }
    }

    @Test("The question whether to discard the profile or the account is restored with the changed text")
    func questions() async throws {
        let profile = Profile(id: "maxdog", nickname: "Max")
        for (keys, wanted, text) in [("oJisu", "Jisu", "Jisu"), ("o", "Max (maxdog)", "Maxie")] {
            let screen = try await app(nil, .main(profile))
            try await screen.wait(for: "walk the dog")
            try await screen.type(keys, waitingFor: wanted)
            if text == "Maxie" {
                try await screen.type("\t\t\t\t\t\n", waitingFor: "Delete account")
                await screen.type("ie")
            }
            try await screen.press(.escape, waitingFor: "Discard the changes?")
            let snapshot = try await place(of: screen, containing: "discard")

            let next = try await app(snapshot, .main(profile))
            try await next.wait(for: "Discard the changes?")
            await next.app.press(.escape)
            #expect(!next.text.contains("Discard the changes?") && next.text.contains(text))
        }
    }

    @Test("The terms of automatic login are restored; questions that wait for a password or delete the account are not")
    func otherAlerts() async throws {
        let screen = try await app(nil, .login) { $0.hasConsent = true }
        try await screen.wait(for: "PRESS START")
        await screen.type("l")
        try await screen.click(on: "Terms of automatic login", waitingFor: "Log out to remove it.")
        let terms = try await place(of: screen, containing: "terms")
        let next = try await app(terms, .login) { $0.hasConsent = true }
        try await next.wait(for: "Log out to remove it.")

        let consent = try await app(nil, .login)
        try await consent.wait(for: "PRESS START")
        try await consent.type("lmaxdog\tsecret7\n", waitingFor: "Stay logged in on this machine?")
        let login = try await app(try await place(of: consent, containing: "maxdog"), .login)
        try await login.wait(for: "maxdog")
        #expect(!login.text.contains("Stay logged in on this machine?") && login.text.contains("Password"))

        let profile = Profile(id: "maxdog", nickname: "Max")
        let account = try await app(nil, .main(profile))
        try await account.wait(for: "walk the dog")
        try await account.type("o", waitingFor: "Max (maxdog)")
        try await account.type("\t\t\t\t\t\n", waitingFor: "Delete account")
        try await account.click(on: "Delete account", waitingFor: "Enter your password")
        let restored = try await app(try await place(of: account, containing: "account"), .main(profile))
        try await restored.wait(for: "Delete account")
        #expect(!restored.text.contains("Enter your password"))
    }

    @Test("A stored state of another branch, of a newer version or damaged is ignored, and the app starts")
    func unknown() async throws {
        let foreign = RouterSnapshot(
            id: "root",
            state: ["version": "99"],
            children: [
                RouterSnapshot(id: "loggedOut", children: [RouterSnapshot(id: "login", state: ["id": "maxdog"])]),
                RouterSnapshot(id: "home", children: [RouterSnapshot(id: "rocket")]),
            ]
        )
        let screen = try await app(foreign)
        try await screen.wait(for: "walk the dog")
        #expect(screen.root.children.count == 1)
    }
}
