import AccountCore
import AppLanguage
import AppUI
import RIBs

/// The logic of the login: asks for the consent to automatic login, then signs in without blocking the screen. Without the
/// consent the user can log in once; the next launch ends the session.
@MainActor
final class LoginInteractor: PresentableInteractor<any LoginPresentable>, LoginPresentableListener {
    weak var router: LoginRouter?
    weak var listener: (any LoginListener)?

    private var input = LoginPresenter.Input()
    private let account: any AccountServing
    private var hasConsent = false
    /// Whether the consent was stored on an earlier visit.
    private var isStored = false
    private var isLoggingIn = false
    /// The id and the password that wait for the consent.
    private var waiting: LoginPresenter.Input?

    init(presenter: any LoginPresentable, account: any AccountServing) {
        self.account = account
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        show()
        task { [weak self] in await self?.readConsent() }
    }

    /// The id and the consent, for a start after a kill; never the password.
    var draft: [String: String] {
        var draft: [String: String] = [:]
        if !input.id.isEmpty { draft["id"] = input.id }
        if hasConsent, !isStored { draft["consent"] = "given" }
        return draft
    }

    /// Fills the form with a ``draft``.
    func restore(_ draft: [String: String]) {
        if let id = draft["id"] { didChange(LoginPresenter.Input(id: id, password: input.password)) }
        if draft["consent"] == "given", !isStored { didAgree() }
    }

    func didChange(_ input: LoginPresenter.Input) {
        self.input = input
        show()
    }

    private func show() { presenter.show(input, LoginPresenter.transform(input)) }

    func didChangeConsent(_ isGiven: Bool) { hasConsent = isGiven }

    func didAgree() {
        hasConsent = true
        presenter.show(consent: .given)
        if let input = waiting { logIn(input, isOnce: false) }
        waiting = nil
    }

    func didChooseOnce() {
        if let input = waiting { logIn(input, isOnce: true) }
        waiting = nil
    }

    func didDecline() { waiting = nil }

    func didChoose(_ provider: DeviceProvider) { router?.routeToDevice(provider, requestsCode: true) }

    func didCancel() { listener?.loginDidCancel() }

    private func readConsent() async {
        guard await account.hasAutoLoginConsent(), isActive else { return }
        (isStored, hasConsent) = (true, true)
        presenter.show(consent: .givenBefore)
    }

    func didSubmit() {
        guard !isLoggingIn, LoginPresenter.transform(input).isEnabled else { return }
        guard hasConsent else {
            waiting = input
            return presenter.askForConsent()
        }
        logIn(input, isOnce: false)
    }

    private func logIn(_ input: LoginPresenter.Input, isOnce: Bool) {
        isLoggingIn = true
        presenter.show(.loggingIn)
        let account = account
        // Cancelled down to the socket when the screen is closed.
        task { [weak self] in
            do throws(AccountError) {
                try await account.setAutoLoginConsent(true)
                // A consent that is withdrawn again ends the session at the next launch.
                if isOnce { try await account.setAutoLoginConsent(false) }
                let profile = try await account.login(id: input.id, password: input.password).value
                self?.didLogIn(profile)
            } catch {
                self?.didFail(error)
            }
        }
    }

    private func didLogIn(_ profile: Profile) {
        guard isActive else { return }
        isLoggingIn = false
        presenter.show(.succeeded)
        listener?.loginDidSucceed(profile)
    }

    private func didFail(_ error: AccountError) {
        guard isActive else { return }
        isLoggingIn = false
        presenter.show(error == .cancelled ? .ready : .failed(error.text))
    }
}

extension LoginInteractor: DeviceListener {
    func deviceDidSucceed(_ profile: Profile) {
        router?.closeProvider()
        listener?.loginDidSucceed(profile)
    }

    func deviceDidCancel() { router?.closeProvider() }
}

/// The state of the login.
enum LoginState: Hashable, Sendable {
    /// The form can be submitted.
    case ready
    /// A login is under way.
    case loggingIn
    /// The login has succeeded.
    case succeeded
    /// The login has failed, with what to do next.
    case failed(LocalizedText)
}

/// The consent to automatic login, as the screen shows it.
enum LoginConsent: Hashable, Sendable {
    /// Not given: the terms are above the button.
    case notGiven
    /// Given on this visit.
    case given
    /// Given on an earlier visit: the terms are lower down.
    case givenBefore
}

/// The view controller of the login, as its router uses it.
@MainActor
protocol LoginViewControllable: ViewControllable {
    /// The outside providers that are offered below the form.
    var providers: [DeviceProvider] { get }

    /// Whether the terms of automatic login are open.
    var isShowingTerms: Bool { get }

    /// Opens the terms of automatic login.
    func showTerms()

    /// Opens a screen over this one.
    func push(_ child: any ViewControllable)

    /// Closes a screen that ``push(_:)`` has opened.
    func pop(_ child: any ViewControllable)
}

/// The screen of the login, as its interactor uses it.
@MainActor
protocol LoginPresentable: Presentable {
    var listener: (any LoginPresentableListener)? { get set }

    /// Shows what is typed, and whether it is valid.
    func show(_ input: LoginPresenter.Input, _ output: LoginPresenter.Output)

    /// Shows a state.
    func show(_ state: LoginState)

    /// Shows the consent, in one of two layouts.
    func show(consent: LoginConsent)

    /// Asks for the consent in an alert.
    func askForConsent()
}

/// The user's actions on the login.
@MainActor
protocol LoginPresentableListener: AnyObject {
    /// A field was changed.
    func didChange(_ input: LoginPresenter.Input)

    /// The form is to be submitted.
    func didSubmit()

    /// The box of the consent was ticked or cleared.
    func didChangeConsent(_ isGiven: Bool)

    /// The user has agreed in the alert.
    func didAgree()

    /// The user wants to log in without automatic login, in the alert.
    func didChooseOnce()

    /// The user has not agreed in the alert.
    func didDecline()

    /// The sign-in with an outside provider is to be opened.
    func didChoose(_ provider: DeviceProvider)

    /// The screen is to be closed.
    func didCancel()
}
