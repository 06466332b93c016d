import AccountCore
import AppLanguage
import AppTestSupport
import LocalProvider
import RIBs
import TerminalTesting
import TerminalUI
import Testing

@testable import ProfileFeature

@Suite("Profile and account on a screen")
@MainActor
struct ProfileScreenTests {
    /// Records what the screens report.
    @MainActor
    final class Listener: ProfilePresentableListener, AccountPresentableListener {
        var events: [String] = []
        var drafts: [AccountDraft] = []

        func didChange(name: String, breed: String) { events.append("\(name)/\(breed)") }
        func didChooseSave(name: String, breed: String) { events.append("save \(name)/\(breed)") }
        func didChooseClose() { events.append("close") }
        func didChooseLogin() { events.append("log in") }
        func didChooseLogout() { events.append("log out") }
        func didChooseSignUp() { events.append("sign up") }
        func didChooseAccount() { events.append("account") }
        func didChange(_ draft: AccountDraft) { drafts.append(draft) }
        func didChooseSave() { events.append("save") }
        func didChoosePushToken() { events.append("token") }
        func didChooseQueue() { events.append("queue") }
        func didConfirmWithdrawal(password: String) { events.append("withdraw \(password)") }
        func didChangePassword(from old: String, to new: String) { events.append("password \(old) \(new)") }
    }

    private let listener = Listener()
    private let max = Profile(id: "maxdog", nickname: "Max", birth: "2001-03-09", email: "max@example.com")

    @Test("The profile shows the second settings, until a field is edited; a restored draft stays")
    func profile() async throws {
        let controller = ProfileViewController(appearance: .dog())
        controller.listener = listener
        let app = TestApplication(root: controller, size: GridSize(width: 80, height: 30))
        await app.settle()
        #expect(app.text.contains("counting") && app.text.contains("Log in") && app.text.contains("Sign up"))
        for (name, breed) in [("Rex", "akita"), ("Bo", "pug")] {
            var model = ProfileModel(counts: .init(open: 3, done: 2, archived: 1))
            (model.settings.name, model.settings.favouriteBreed) = (name, breed)
            controller.show(model)
            await app.settle()
            #expect(app.text.contains(name) && app.text.contains(breed))
            #expect(app.text.contains("3 open, 2 done, 1 archived"))
        }
        #expect(await app.click(on: "Log in"))
        #expect(await app.click(on: "Sign up"))
        controller.show(ProfileModel(session: .signedIn(max), problem: "broken"))
        await app.settle()
        #expect(app.text.contains("Max (maxdog)") && app.text.contains("broken"))
        #expect(app.text.contains("unknown") && !app.text.contains("counting"))
        #expect(!app.text.contains("pug"), "the nickname is the name until another one is set")
        #expect(await app.click(on: "Log out"))
        await app.press(.tab, .enter)
        controller.show(ProfileModel(session: .signedIn(Profile(id: "", nickname: "", provider: "google"))))
        await app.settle()
        #expect(app.text.contains("google") && !app.text.contains("broken"))
        controller.restore(name: "Draft", breed: "beagle")
        await app.settle()
        #expect(app.text.contains("Draft") && app.text.contains("beagle"))
        controller.show(ProfileModel(session: .signedIn(max)))
        await app.settle()
        #expect(app.text.contains("Draft") && app.text.contains("beagle"), "typed text stays")
        #expect(await app.click(on: "Draft"))
        await app.press(.end)
        await app.type("y\t")
        await app.press(.end)
        await app.type("s\n")
        #expect(
            listener.events == [
                "log in", "sign up", "log out", "account", "Drafty/beagle", "Drafty/beagles", "save Drafty/beagles",
            ]
        )
        controller.confirmDiscard {}
        await app.settle()
        #expect(controller.isConfirmingDiscard && app.text.contains("Discard"))
        await app.press(.escape)
        #expect(!controller.isConfirmingDiscard)
        await app.press(.escape)
        #expect(listener.events.last == "close")
    }

    @Test("The account's fields change the draft one by one, and it is saved while it is valid and no request runs")
    func account() async throws {
        let controller = AccountViewController(appearance: .dog())
        controller.listener = listener
        let app = TestApplication(root: controller, size: GridSize(width: 80, height: 40))
        var draft = AccountDraft(max, pushToken: "abc")
        controller.show(draft)
        controller.show(AccountModel(profile: max))
        await app.settle()
        for text in ["Max", "2001-03-09", "max@example.com", "abc", "Join the"] { #expect(app.text.contains(text)) }
        for (text, path) in [
            ("Max", \AccountDraft.nickname), ("2001-03-09", \.birth), ("max@example.com", \.email),
            ("abc", \.pushToken),
        ] {
            #expect(await app.click(on: text))
            await app.press(.end)
            await app.press(.backspace)
            draft[keyPath: path].removeLast()
            #expect(listener.drafts.last == draft)
        }
        #expect(listener.drafts.count == 4)
        // The date is not valid any more.
        controller.show(AccountModel(profile: max))
        await app.settle()
        #expect(await app.click(on: "Save"))
        #expect(listener.events.isEmpty)
        draft = AccountDraft(max)
        controller.show(draft)
        await app.settle()
        #expect(await app.click(on: "Save"))
        #expect(listener.events == ["save"])
        controller.show(
            AccountModel(
                profile: max,
                queue: QueueStatus(isQueued: true, position: 2, count: 3),
                isBusy: true,
                message: LocalizedText(verbatim: "saved"),
                problem: LocalizedText(verbatim: "refused")
            )
        )
        await app.settle()
        for text in ["saved", "refused", "Leave"] { #expect(app.text.contains(text), "\(app.text)") }
        #expect(await app.click(on: "Save"))
        #expect(await app.click(on: "Leave"))
        #expect(listener.events == ["save", "queue"])
        controller.confirmDiscard { [listener] in listener.events.append("discard") }
        await app.settle()
        await app.press(.tab, .enter, .escape)
        #expect(listener.events == ["save", "queue", "discard", "close"])
    }

    @Test("The account asks for passwords, and again after a refusal; without a session only the login is left")
    func questions() async throws {
        let controller = AccountViewController(appearance: .dog())
        controller.listener = listener
        let app = TestApplication(root: controller, size: GridSize(width: 80, height: 40))
        controller.show(AccountDraft(max))
        controller.show(AccountModel(profile: max))
        await app.settle()
        #expect(await app.click(on: "Change password"))
        #expect(app.text.contains("Every other session"))
        // Enter in a field that is not the last one moves on.
        await app.type("secret\nsecret7\n")
        controller.ask(.password, problem: AccountField.password.rule)
        await app.settle()
        #expect(app.text.contains("The password has 6 to 12"))
        await app.press(.escape)
        controller.ask(.withdrawal, problem: AccountError.wrongPassword.text)
        await app.settle()
        #expect(app.text.contains("The password is wrong."))
        await app.type("secret\t\t\n")
        #expect(listener.events == ["password secret secret7", "withdraw secret"])
        var emptied = AccountDraft(max)
        emptied.email = ""
        controller.show(emptied)
        await app.settle()
        #expect(app.text.contains("!"), "a known value cannot be removed")
        controller.show(AccountModel(profile: max, isSignedIn: false))
        await app.settle()
        for text in ["Save the push token", "Join the", "Change password", "Delete account"] {
            #expect(await app.click(on: text))
        }
        #expect(!app.text.contains("password to confirm"))
        #expect(await app.click(on: "Log in"))
        #expect(listener.events == ["password secret secret7", "withdraw secret", "log in"])
    }
}
