import AccountCore
import AppLanguage
import AppUI
import RIBs
import TerminalUI

/// The texts of the login.
enum LoginText {
    static let consent = LocalizedText("I agree to automatic login", ko: "자동 로그인에 동의합니다")
    static let terms = LocalizedText("Terms of automatic login", ko: "자동 로그인 약관")
    static let termsText = LocalizedText(
        "The app stores a token on this machine, sealed with a key file, so that you stay logged in. Log out to remove it.",
        ko: "로그인을 유지하기 위해 토큰을 암호화하여 이 컴퓨터에 저장합니다. 로그아웃하면 삭제됩니다."
    )
    static let consentTitle = LocalizedText("Automatic login", ko: "자동 로그인")
    static let consentQuestion = LocalizedText("Stay logged in on this machine?", ko: "이 컴퓨터에서 로그인을 유지할까요?")
    static let agree = LocalizedText("Agree", ko: "동의")
    static let once = LocalizedText("Just once", ko: "이번만")
    static let loggingIn = LocalizedText("Logging in…", ko: "로그인하는 중…")
    static let close = LocalizedText("Close", ko: "닫기")
}

/// The form with id and password, and the consent to automatic login in one of two layouts.
@MainActor
final class LoginViewController: FormViewController, LoginPresentable, ViewControllable, KeyHinting {
    weak var listener: (any LoginPresentableListener)?

    private let language: AppLanguage
    private var input = LoginPresenter.Input()
    private var output = LoginPresenter.transform(LoginPresenter.Input())
    private var state = LoginState.ready
    private var consent = LoginConsent.notGiven
    private weak var termsAlert: AlertController?

    init(appearance: Appearance) {
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
            message: LoginText.consentQuestion(language) + "\n" + LoginText.termsText(language)
        )
        alert.addAction(CommonText.back(language), kind: .cancel) { [weak self] in self?.listener?.didDecline() }
        alert.addAction(LoginText.once(language)) { [weak self] in self?.listener?.didChooseOnce() }
        alert.addAction(LoginText.agree(language), kind: .primary) { [weak self] in self?.listener?.didAgree() }
        present(alert)
    }

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
            if let input = self?.input { self?.listener?.didChange(input) }
        }
    }

    private var consentBox: VStack {
        VStack {
            Text(lines: 0) { [language] in LoginText.termsText(language) }
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
        if case .failed = state { state = .ready }
        listener?.didSubmit()
    }

    private func didTick(_ isGiven: Bool) {
        consent = isGiven ? .given : .notGiven
        listener?.didChangeConsent(isGiven)
    }

    /// Whether the terms of automatic login are open.
    var isShowingTerms: Bool { termsAlert?.presenting != nil }

    /// Opens the terms of automatic login.
    func showTerms() {
        let alert = AlertController(title: LoginText.terms(language), message: LoginText.termsText(language))
        alert.addAction(LoginText.close(language), kind: .cancel)
        termsAlert = alert
        present(alert)
    }

    private func refresh() { panel.refresh() }
}
