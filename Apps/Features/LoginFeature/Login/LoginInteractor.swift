import AccountCore
import AppLanguage
import AppUI
import RIBs

/// The logic of the login: asks for the consent to automatic login, then signs in without blocking the screen.
@MainActor
final class LoginInteractor: PresentableInteractor<any LoginPresentable>, LoginPresentableListener {
    weak var listener: (any LoginListener)?

    let input = LoginPresenter.Input()
    let output: LoginPresenter.Output

    private let account: any AccountServing
    private var hasConsent = false
    /// Whether the consent was stored on an earlier visit.
    private var isStored = false
    private var isLoggingIn = false
    /// The credentials that wait for the consent.
    private var waiting: Credentials?

    init(presenter: any LoginPresentable, account: any AccountServing) {
        self.account = account
        output = LoginPresenter().transform(input)
        super.init(presenter: presenter)
        presenter.listener = self
        output.submission.bind { [weak self] in self?.submit($0) }
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        presenter.bind(input: input, output: output)
        task { [weak self] in await self?.readConsent() }
    }

    /// The id and the consent, for a start after a kill; never the password.
    var draft: [String: String] {
        var draft: [String: String] = [:]
        if !input.id.value.isEmpty { draft["id"] = input.id.value }
        if hasConsent, !isStored { draft["consent"] = "given" }
        return draft
    }

    /// Fills the form with a ``draft``.
    func restore(_ draft: [String: String]) {
        if let id = draft["id"] { input.id.value = id }
        if draft["consent"] == "given", !isStored { didAgree() }
    }

    func didChangeConsent(_ isGiven: Bool) {
        hasConsent = isGiven
    }

    func didAgree() {
        hasConsent = true
        presenter.show(consent: .given)
        if let credentials = waiting { logIn(credentials) }
        waiting = nil
    }

    func didDecline() {
        waiting = nil
    }

    func didCancel() {
        listener?.loginDidCancel()
    }

    private func readConsent() async {
        guard await account.hasAutoLoginConsent(), isActive else { return }
        (isStored, hasConsent) = (true, true)
        presenter.show(consent: .givenBefore)
    }

    private func submit(_ credentials: Credentials) {
        guard !isLoggingIn else { return }
        guard hasConsent else {
            waiting = credentials
            return presenter.askForConsent()
        }
        logIn(credentials)
    }

    private func logIn(_ credentials: Credentials) {
        isLoggingIn = true
        presenter.show(.loggingIn)
        let account = account
        // Cancelled down to the socket when the screen is closed.
        task { [weak self] in
            do throws(AccountError) {
                try await account.setAutoLoginConsent(true)
                let profile = try await account.login(id: credentials.id, password: credentials.password).value
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

/// The screen of the login, as its interactor uses it.
@MainActor
protocol LoginPresentable: Presentable {
    var listener: (any LoginPresentableListener)? { get set }

    /// Connects the fields and the button.
    func bind(input: LoginPresenter.Input, output: LoginPresenter.Output)

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
    /// The box of the consent was ticked or cleared.
    func didChangeConsent(_ isGiven: Bool)

    /// The user has agreed in the alert.
    func didAgree()

    /// The user has not agreed in the alert.
    func didDecline()

    /// The screen is to be closed.
    func didCancel()
}
