import AccountCore
import AppLanguage
import AppUI
import RIBs

/// The logic of the sign-up: verifies the telephone number by a code, then creates the account.
@MainActor
final class SignUpInteractor: PresentableInteractor<any SignUpPresentable>, SignUpPresentableListener {
    weak var listener: (any SignUpListener)?

    private let account: any AccountServing
    private let clock: any Clock<Duration>
    private var model = SignUpModel()
    private var isBusy = false
    private var countdown: Task<Void, Never>?
    /// The code whose times are counted down.
    private var codeRequest: CodeRequest?
    /// The request under way.
    private var request: Task<Void, Never>?
    /// The number that the last code was requested for, as it was typed, and the message that contains the code.
    private var requested: (phone: String, message: LocalizedText?)?

    init(presenter: any SignUpPresentable, account: any AccountServing, clock: any Clock<Duration>, step: SignUpStep) {
        self.account = account
        self.clock = clock
        model.input.step = step
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        presenter.show(model)
        guard model.step == .details else { return }
        let account = account
        task { [weak self] in
            // The launch leads here with a session, too, if the server does not know the account.
            guard await account.session().profile != nil, let self, isActive else { return }
            model.hasVerifiedNumber = false
            presenter.show(model)
        }
    }

    /// The text in the fields that is not saved; never the password or the code.
    var unsavedText: [String] {
        Self.restoredFields.map { model.input.text($0) }.filter { !$0.isEmpty }
    }

    /// The typed texts, for a start after a kill; never the password or the code.
    var draft: [String: String] {
        var draft: [String: String] = [:]
        let input = model.input
        for field in Self.restoredFields where !input.text(field).isEmpty { draft[field.rawValue] = input.text(field) }
        if input.gender != .unspecified { draft[Self.gender] = input.gender.rawValue }
        if model.step != .phone { draft[Self.step] = model.step.rawValue }
        return draft
    }

    /// Fills the fields with a ``draft``. A code that was requested before a kill can be entered until it expires, and a
    /// verified number leads to the details.
    func restore(_ draft: [String: String]) {
        for field in Self.restoredFields {
            if let text = draft[field.rawValue] { model.input.texts[field] = text }
        }
        if let gender = draft[Self.gender].flatMap(Profile.Gender.init(rawValue:)) { model.input.gender = gender }
        if draft[Self.step] == SignUpStep.details.rawValue { model.input.step = .details }
        presenter.show(model)
        guard draft[Self.step] == SignUpStep.code.rawValue, model.step == .phone else { return }
        let account = account
        task { [weak self] in
            guard let request = await account.pendingCodeRequest(), let self else { return }
            guard isActive, model.step == .phone else { return }
            showCode(of: request)
        }
    }

    private func showCode(of request: CodeRequest) {
        requested = (model.input.text(.phone), request.message ?? requested?.message)
        go(to: .code)
        startCountdown(request)
        // The button of a further request would have the focus otherwise.
        presenter.focusFirstField()
        if let message = requested?.message { presenter.show(message: message) }
    }

    private static let step = "step"
    private static let gender = "gender"

    private static let restoredFields: [AccountField] = [.phone, .id, .nickname, .birth, .email]

    func didChange(_ field: AccountField, to text: String) {
        model.input.texts[field] = text
        model.problem = nil
        presenter.show(model)
    }

    func didChoose(_ gender: Profile.Gender) {
        model.input.gender = gender
        presenter.show(model)
    }

    func didChooseResend() {
        guard model.step == .code, model.resendSeconds == 0 else { return }
        requestCode()
    }

    func didChooseBack() {
        switch model.step {
        case .phone, .details: leave()
        case .code:
            countdown?.cancel()
            request?.cancel()
            isBusy = false
            model.activity = nil
            go(to: .phone)
        }
    }

    /// Closes the sign-up, after asking if details of the account were typed, and then calls a closure.
    func leave(then completion: @escaping @MainActor () -> Void = {}) {
        let close: @MainActor () -> Void = { [weak self] in
            self?.listener?.signUpDidCancel()
            completion()
        }
        // The number alone is typed quickly.
        let isFilled = SignUpStep.details.fields.contains { !model.input.text($0).isEmpty }
        if isFilled { presenter.confirmDiscard(close) } else { close() }
    }

    // MARK: - Steps

    func didSubmit() {
        guard model.output.isEnabled else { return }
        switch model.step {
        case .phone: continueWithCode()
        case .code: verify()
        case .details: signUp()
        }
    }

    /// Returns to the code that was requested for the number, while it can be entered; otherwise requests one.
    private func continueWithCode() {
        let phone = AccountValidator.normalizedPhone(model.input.text(.phone))
        guard let requested, AccountValidator.normalizedPhone(requested.phone) == phone else { return requestCode() }
        let account = account
        task { [weak self] in
            let request = await account.pendingCodeRequest()
            guard let self, isActive, model.step == .phone, !isBusy else { return }
            if let request { showCode(of: request) } else { requestCode() }
        }
    }

    private func requestCode() {
        let phone = model.input.text(.phone)
        run(SignUpText.requesting) { account throws(AccountError) in
            try await account.requestCode(phone: phone)
        } then: { interactor, request in
            interactor.showCode(of: request)
        }
    }

    private func verify() {
        let code = model.input.text(.code)
        run(SignUpText.verifying) { account throws(AccountError) in
            try await account.verify(code: code)
        } then: { interactor, _ in
            interactor.countdown?.cancel()
            interactor.requested = nil
            interactor.model.hasVerifiedNumber = true
            interactor.go(to: .details)
        }
    }

    private func signUp() {
        let form = SignUpForm(
            id: model.input.text(.id),
            password: model.input.text(.password),
            nickname: model.input.text(.nickname),
            birth: model.input.text(.birth),
            email: model.input.text(.email),
            gender: model.input.gender
        )
        run(SignUpText.signingUp) { account throws(AccountError) in
            let result = try await account.signUp(form)
            // The session stays until the user withdraws the consent, which the settings then show as given.
            try? await account.setAutoLoginConsent(true)
            return result
        } then: { interactor, result in
            interactor.listener?.signUpDidFinish(result.value)
        }
    }

    /// Runs a request without blocking the screen. Closing the screen cancels it down to the socket, as does leaving the code.
    private func run<Value: Sendable>(
        _ activity: LocalizedText,
        _ request: @escaping @MainActor (any AccountServing) async throws(AccountError) -> Value,
        then succeed: @escaping @MainActor (SignUpInteractor, Value) -> Void
    ) {
        guard !isBusy else { return }
        isBusy = true
        model.activity = activity
        model.problem = nil
        presenter.show(model)
        let account = account
        self.request = task { [weak self] in
            do throws(AccountError) {
                let value = try await request(account)
                guard let self, isActive, !Task.isCancelled else { return }
                finish(nil)
                succeed(self, value)
            } catch {
                if !Task.isCancelled { self?.finish(error) }
            }
        }
    }

    private func finish(_ error: AccountError?) {
        guard isActive else { return }
        isBusy = false
        model.activity = nil
        if let error, error != .cancelled { model.problem = error.text }
        if error == .codeEnded { endCode() }
        if let field = error?.refusedField, model.step.fields.contains(field) {
            model.input.refused[field] = model.input.text(field)
            // First, so that the problem scrolls into view together with the field.
            presenter.focus(field)
        }
        presenter.show(model)
        // An expired verification leads back to the number.
        if error == .notVerified, model.step == .details { go(to: .phone, problem: AccountError.notVerified.text) }
    }

    private func go(to step: SignUpStep, problem: LocalizedText? = nil) {
        model.input.step = step
        model.problem = problem
        model.input.texts[.code] = ""
        model.input.refused = [:]
        presenter.show(model)
    }

    /// Shows that the code is not valid any more, although its time is not over.
    private func endCode() {
        requested = nil
        codeRequest = codeRequest.map {
            CodeRequest(length: $0.length, validSeconds: 0, resendSeconds: $0.resendSeconds)
        }
        model.validSeconds = 0
        model.input.isCodeExpired = true
    }

    /// Counts the seconds of the code and of the next request down, once a second.
    private func startCountdown(_ request: CodeRequest) {
        countdown?.cancel()
        codeRequest = request
        model.validSeconds = request.validSeconds
        model.input.isCodeExpired = false
        model.wholeSeconds = request.validSeconds
        model.resendSeconds = request.resendSeconds
        presenter.show(model)
        let clock = clock
        countdown = task { [weak self] in await Self.countDown(by: clock) { self?.show(passed: $0) ?? false } }
    }

    /// Calls a closure with the seconds that have passed, once a second, until it returns `false`. A process that was stopped
    /// meanwhile has not counted them.
    private static func countDown(by clock: some Clock<Duration>, _ show: @MainActor (_ passed: Int) -> Bool) async {
        let start = clock.now
        while (try? await clock.sleep(for: .seconds(1))) != nil {
            guard show(Int(start.duration(to: clock.now).components.seconds)) else { return }
        }
    }

    /// Shows what is left of the times of a code, and returns whether anything is.
    private func show(passed: Int) -> Bool {
        guard isActive, let request = codeRequest else { return false }
        model.validSeconds = max(0, request.validSeconds - passed)
        model.input.isCodeExpired = model.validSeconds == 0
        model.resendSeconds = max(0, request.resendSeconds - passed)
        presenter.show(model)
        return model.validSeconds > 0 || model.resendSeconds > 0
    }
}

extension AccountError {
    /// The field whose text the server has refused.
    fileprivate var refusedField: AccountField? {
        switch self {
        case .wrongCode, .codeEnded: .code
        case .idTaken: .id
        case .commonPassword: .password
        case .invalid(let field): field
        default: nil
        }
    }
}

/// The values that the sign-up shows besides its fields.
struct SignUpModel: Hashable, Sendable {
    /// What is typed.
    var input = SignUpPresenter.Input()
    /// The request under way, in words; otherwise `nil`.
    var activity: LocalizedText?
    /// Why the last request failed, and what to do; `nil` if it did not.
    var problem: LocalizedText?
    /// How long the code is valid.
    var validSeconds = 0
    /// How long the code was valid when its countdown began.
    var wholeSeconds = 0
    /// After how many seconds another code can be requested.
    var resendSeconds = 0
    /// Whether the details are those of a verified number.
    var hasVerifiedNumber = true

    /// The current step.
    var step: SignUpStep { input.step }
    /// Whether what is typed is valid.
    var output: SignUpPresenter.Output { SignUpPresenter.transform(input) }
    /// The share of the time of the code that is left, from 0 to 1.
    var validShare: Double { wholeSeconds > 0 ? Double(validSeconds) / Double(wholeSeconds) : 0 }
}

/// The screen of the sign-up, as its interactor uses it.
@MainActor
protocol SignUpPresentable: Presentable {
    var listener: (any SignUpPresentableListener)? { get set }

    /// Shows the step, what is typed, and its state.
    func show(_ model: SignUpModel)

    /// Moves the focus to the first field of the step.
    func focusFirstField()

    /// Moves the focus to a field of the step.
    func focus(_ field: AccountField)

    /// Asks whether to discard the typed text, and calls a closure if the user agrees.
    func confirmDiscard(_ discard: @escaping @MainActor () -> Void)

    /// Shows a message that was delivered on this machine, such as the code of the embedded backend.
    func show(message: LocalizedText)
}

/// The user's actions during the sign-up.
@MainActor
protocol SignUpPresentableListener: AnyObject {
    /// A field was changed.
    func didChange(_ field: AccountField, to text: String)

    /// A gender was chosen.
    func didChoose(_ gender: Profile.Gender)

    /// The step is to be submitted.
    func didSubmit()

    /// Another code is to be requested.
    func didChooseResend()

    /// The step before is to be shown, or the screen closed.
    func didChooseBack()
}
