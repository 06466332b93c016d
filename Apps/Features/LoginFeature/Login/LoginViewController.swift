import AccountCore
import AppLanguage
import AppUI
import RIBs
import TerminalUI

/// The texts of the login.
enum LoginText {
    static let consent = LocalizedText("I agree to automatic login", ko: "자동 로그인에 동의합니다")
    static let terms = LocalizedText("Terms of automatic login", ko: "자동 로그인 약관")
    static let consentTitle = LocalizedText("Automatic login", ko: "자동 로그인")
    static let consentQuestion = LocalizedText("Stay logged in on this machine?", ko: "이 컴퓨터에서 로그인을 유지할까요?")
    static let agree = LocalizedText("Agree", ko: "동의")
    static let once = LocalizedText("Just once", ko: "이번만")
    static let loggingIn = LocalizedText("Logging in…", ko: "로그인하는 중…")
    static let close = LocalizedText("Close", ko: "닫기")
}

/// The form with id and password, and the consent to automatic login in one of two layouts.
@MainActor
final class LoginViewController: FormViewController, LoginPresentable, LoginViewControllable, KeyHinting {
    weak var listener: (any LoginPresentableListener)?

    let providers: [DeviceProvider]
    private let language: AppLanguage
    private var input = LoginPresenter.Input()
    private var output = LoginPresenter.transform(LoginPresenter.Input())
    private var state = LoginState.ready
    private var consent = LoginConsent.notGiven
    private weak var termsAlert: AlertController?

    init(appearance: Appearance, providers: [DeviceProvider] = []) {
        self.providers = providers
        language = appearance.language
        super.init()
        title = CommonText.logIn(appearance.language)
    }

    var keyHints: [KeyHint] { [KeyHint(Key(.escape), CommonText.back)] }

    override func viewDidLoad() {
        super.viewDidLoad()
        build()
    }

    override func goBack() { listener?.didCancel() }

    // MARK: - LoginPresentable

    func show(_ input: LoginPresenter.Input, _ output: LoginPresenter.Output) {
        (self.input, self.output) = (input, output)
        refresh()
    }

    func show(_ state: LoginState) {
        self.state = state
        panel.show(activity: state == .loggingIn ? LoginText.loggingIn(language) : nil)
        refresh()
    }

    func show(consent: LoginConsent) {
        guard consent != self.consent else { return }
        let isOtherLayout = (consent == .givenBefore) != (self.consent == .givenBefore)
        self.consent = consent
        if isOtherLayout, viewIfLoaded != nil { build() } else { refresh() }
    }

    func askForConsent() {
        let alert = AlertController(
            title: LoginText.consentTitle(language),
            message: LoginText.consentQuestion(language) + "\n" + CommonText.loginTerms(language)
        )
        alert.addAction(CommonText.back(language), kind: .cancel) { [weak self] in self?.listener?.didDecline() }
        alert.addAction(LoginText.once(language)) { [weak self] in self?.listener?.didChooseOnce() }
        alert.addAction(LoginText.agree(language), kind: .primary) { [weak self] in self?.listener?.didAgree() }
        present(alert)
    }

    // MARK: - LoginViewControllable

    func push(_ child: any ViewControllable) { pushScreen(child) }

    func pop(_ child: any ViewControllable) { popScreen(child) }

    // MARK: - Layout

    /// Builds the form in the layout of the consent: the terms above the button before it is given, lower down afterwards.
    private func build() {
        let form = Form(spacing: 1) {
            fields
            if consent != .givenBefore { consentBox }
            HStack(spacing: 2) {
                Action(
                    CommonText.logIn(language),
                    kind: .primary,
                    isEnabled: { [weak self] in self?.canSubmit ?? false },
                    perform: { [weak self] in self?.submit() }
                )
                Action(CommonText.back(language)) { [weak self] in self?.listener?.didCancel() }
            }
            if consent == .givenBefore { termsButton }
            if !providers.isEmpty { providerButtons }
        }
        panel.show(form)
    }

    private var fields: VStack {
        VStack {
            Row(AccountField.id.name(language)) {
                Field(
                    AccountField.password.example(language),
                    limit: 64,
                    text: binding(\.id),
                    validity: { [weak self] in TextField.Validity(self?.output.idValidity.mark) }
                )
            }
            Row(AccountField.password.name(language)) {
                Field(
                    AccountField.password.example(language),
                    limit: 64,
                    isSecure: true,
                    text: binding(\.password),
                    onSubmit: { [weak self] in self?.submit() },
                    validity: { [weak self] in TextField.Validity(self?.output.passwordValidity.mark) }
                )
            }
            ProblemText { [weak self] in self?.statusText ?? "" }
        }
    }

    private func binding(_ path: any WritableKeyPath<LoginPresenter.Input, String> & Sendable) -> Binding<String> {
        Binding { [weak self] in
            self?.input[keyPath: path] ?? ""
        } set: { [weak self] in
            self?.input[keyPath: path] = $0
            self?.removeFailure()
            if let input = self?.input { self?.listener?.didChange(input) }
        }
    }

    private var consentBox: VStack {
        VStack {
            Text(lines: 0) { [language] in CommonText.loginTerms(language) }
            Check(
                LoginText.consent(language),
                isOn: Binding { [weak self] in
                    self?.consent != .notGiven
                } set: { [weak self] in
                    self?.didTick($0)
                }
            )
        }
    }

    private var providerButtons: VStack {
        VStack {
            for provider in providers {
                let look = ProviderLook(name: provider.name)
                Action(
                    LoggedOutText.provider(provider.name)(language),
                    icon: look.icon.map { ($0, look.colors) }
                ) { [weak self] in
                    self?.listener?.didChoose(provider)
                }
            }
        }
    }

    private var termsButton: Action { Action(LoginText.terms(language)) { [weak self] in self?.showTerms() } }

    private var statusText: String {
        switch state {
        case .ready, .loggingIn: output.invalidField?.rule(language) ?? ""
        case .succeeded: CommonText.loggedIn(language)
        case .failed(let text): text(language)
        }
    }

    private var canSubmit: Bool { output.isEnabled && state != .loggingIn }

    private func submit() {
        removeFailure()
        listener?.didSubmit()
    }

    /// Removes why the last login failed, which was about what was typed before.
    private func removeFailure() {
        if case .failed = state { state = .ready }
    }

    private func didTick(_ isGiven: Bool) {
        consent = isGiven ? .given : .notGiven
        listener?.didChangeConsent(isGiven)
    }

    /// Whether the terms of automatic login are open.
    var isShowingTerms: Bool { termsAlert?.presenting != nil }

    /// Opens the terms of automatic login.
    func showTerms() {
        let alert = AlertController(title: LoginText.terms(language), message: CommonText.loginTerms(language))
        alert.addAction(LoginText.close(language), kind: .cancel)
        termsAlert = alert
        present(alert)
    }

    private func refresh() { panel.refresh() }
}
