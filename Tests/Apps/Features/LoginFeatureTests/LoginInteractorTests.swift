import AccountCore
import AppLanguage
import AppTestSupport
import AppUI
import RIBs
import TestSupport
import Testing

@testable import LoginFeature

@Suite("The login's logic", .timeLimit(.minutes(3)))
@MainActor
struct LoginInteractorTests {
    @MainActor
    final class Screen: LoginPresentable {
        weak var listener: (any LoginPresentableListener)?
        var states: [LoginState] = []
        var consents: [LoginConsent] = []
        var questions = 0

        func show(_ input: LoginPresenter.Input, _ output: LoginPresenter.Output) {}
        func show(_ state: LoginState) { states.append(state) }
        func show(consent: LoginConsent) { consents.append(consent) }
        func askForConsent() { questions += 1 }
    }

    @MainActor
    final class Listener: LoginListener {
        var profiles: [Profile] = []
        var cancels = 0

        func loginDidSucceed(_ profile: Profile) { profiles.append(profile) }
        func loginDidCancel() { cancels += 1 }
    }

    private let account = FakeAccount(branch: .login)
    private let screen = Screen()
    private let listener = Listener()
    private let interactor: LoginInteractor

    init() {
        interactor = LoginInteractor(presenter: screen, account: account)
        interactor.listener = listener
        interactor.activate()
        interactor.didChange(LoginPresenter.Input(id: "maxdog", password: "secret"))
    }

    @Test("An invalid id or password is not sent, and neither is a text that was cleared")
    func invalid() async {
        interactor.didChangeConsent(true)
        for (id, password) in [("maxdog", "short"), ("", "secret"), ("max dog", "secret"), ("", "")] {
            interactor.didChange(LoginPresenter.Input(id: id, password: password))
            interactor.didSubmit()
        }
        await Task.yield()
        #expect(account.takeCalls().isEmpty && screen.states.isEmpty && screen.questions == 0)
    }

    @Test("A login without the consent asks for it in an alert; declining sends nothing")
    func asks() async {
        interactor.didSubmit()
        #expect(screen.questions == 1)
        interactor.didDecline()
        await Task.yield()
        #expect(account.takeCalls().isEmpty && screen.states.isEmpty)
        // The credentials were forgotten: agreeing without another tap sends none.
        interactor.didAgree()
        for _ in 0..<10 { await Task.yield() }
        #expect(screen.states.isEmpty)
        #expect(account.takeCalls().allSatisfy { $0 == .setConsent(true) })
    }

    @Test("Agreeing stores the consent and logs in; the next visit shows the second layout")
    func agrees() async throws {
        interactor.didSubmit()
        interactor.didAgree()
        #expect(screen.consents == [.given])
        try await eventually { !listener.profiles.isEmpty }
        #expect(account.takeCalls() == [.setConsent(true), .login(id: "maxdog", password: "secret")])
        #expect(screen.states == [.loggingIn, .succeeded])

        // Without the consent a login is possible, too: the next launch ends its session.
        account.hasConsent = false
        let other = LoginInteractor(presenter: screen, account: account)
        other.activate()
        other.didChange(LoginPresenter.Input(id: "maxdog", password: "secret"))
        other.didSubmit()
        other.didChooseOnce()
        other.didChooseOnce()
        try await eventually { screen.states.count == 4 }
        let login = FakeAccount.Call.login(id: "maxdog", password: "secret")
        #expect(account.takeCalls() == [.setConsent(true), .setConsent(false), login])
        account.hasConsent = true

        let later = Screen()
        let visit = LoginInteractor(presenter: later, account: account)
        visit.activate()
        try await eventually { later.consents == [.givenBefore] }
    }

    @Test("A login takes a while without blocking, a second tap sends nothing, and going back cancels it")
    func cancels() async throws {
        interactor.didChangeConsent(true)
        account.isHeld = true
        interactor.didSubmit()
        interactor.didSubmit()
        try await eventually { account.waitingCount == 1 }
        #expect(screen.states == [.loggingIn])
        interactor.didCancel()
        #expect(listener.cancels == 1)
        interactor.deactivate()
        try await eventually { account.cancellations == 1 }
        #expect(listener.profiles.isEmpty)
        #expect(account.takeCalls() == [.setConsent(true), .login(id: "maxdog", password: "secret")])
    }

    @Test("A login that fails says what to do next, and can be tried again")
    func fails() async throws {
        interactor.didChangeConsent(true)
        account.failure = .wrongCredentials
        interactor.didSubmit()
        try await eventually { screen.states.last == .failed(AccountError.wrongCredentials.text) }
        account.failure = nil
        interactor.didSubmit()
        try await eventually { listener.profiles.map(\.id) == ["maxdog"] }
    }
}
