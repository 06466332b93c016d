import AccountCore
import AppLanguage
import AppUI
import RIBs

/// The logic of the sign-up: verifies the telephone number by a code, then creates the account.
@MainActor
final class SignUpInteractor: PresentableInteractor<any SignUpPresentable>, SignUpPresentableListener {
    weak var listener: (any SignUpListener)?

    let input = SignUpPresenter.Input()
    let output: SignUpPresenter.Output

    private let account: any AccountServing
    private let clock: any Clock<Duration>
    private var model = SignUpModel()
    private var isBusy = false
    private var countdown: Task<Void, Never>?

    init(
        presenter: any SignUpPresentable,
        account: any AccountServing,
        clock: any Clock<Duration>,
        step: SignUpStep
    ) {
        self.account = account
        self.clock = clock
        output = SignUpPresenter().transform(input)
        input.step.value = step
        model.step = step
        super.init(presenter: presenter)
        presenter.listener = self
        output.submission.bind { [weak self] in self?.submit($0) }
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        presenter.bind(input: input, output: output)
        presenter.show(model)
    }

    /// The text in the fields that is not saved; never the password or the code.
    var unsavedText: [String] {
        Self.restoredFields.map { input.text($0) }.filter { !$0.isEmpty }
    }

    /// The typed texts, for a start after a kill; never the password or the code.
    var draft: [String: String] {
        var draft: [String: String] = [:]
        for field in Self.restoredFields where !input.text(field).isEmpty { draft[field.rawValue] = input.text(field) }
        if input.gender.value != .unspecified { draft[Self.gender] = input.gender.value.rawValue }
        if model.step == .code { draft[Self.step] = model.step.rawValue }
        return draft
    }

    /// Fills the fields with a ``draft``. A code that was requested before a kill can be entered until it expires.
    func restore(_ draft: [String: String]) {
        for field in Self.restoredFields {
            if let text = draft[field.rawValue] { input.texts[field]?.value = text }
        }
        if let gender = draft[Self.gender].flatMap(Profile.Gender.init(rawValue:)) { input.gender.value = gender }
        presenter.show(model)
        guard draft[Self.step] == SignUpStep.code.rawValue, model.step == .phone else { return }
        let account = account
        task { [weak self] in
            guard let request = await account.pendingCodeRequest() else { return }
            guard let self, isActive, model.step == .phone else { return }
            go(to: .code)
            startCountdown(request)
        }
    }

    private static let step = "step"
    private static let gender = "gender"

    private static let restoredFields: [AccountField] = [.phone, .id, .nickname, .birth, .email]

    func didChooseResend() {
        guard model.step == .code, model.resendSeconds == 0 else { return }
        requestCode()
    }

    func didChooseBack() {
        switch model.step {
        case .phone, .details: listener?.signUpDidCancel()
        case .code:
            countdown?.cancel()
            go(to: .phone)
        }
    }

    // MARK: - Steps

    private func submit(_ step: SignUpStep) {
        switch step {
        case .phone: requestCode()
        case .code: verify()
        case .details: signUp()
        }
    }

    private func requestCode() {
        let phone = input.text(.phone)
        run(SignUpText.requesting) { account throws(AccountError) in
            try await account.requestCode(phone: phone)
        } then: { interactor, request in
            interactor.go(to: .code)
            interactor.startCountdown(request)
            // The button of a further request would have the focus otherwise.
            interactor.presenter.focusFirstField()
            if let message = request.message { interactor.presenter.show(message: message) }
        }
    }

    private func verify() {
        let code = input.text(.code)
        run(SignUpText.verifying) { account throws(AccountError) in
            try await account.verify(code: code)
        } then: { interactor, _ in
            interactor.countdown?.cancel()
            interactor.go(to: .details)
        }
    }

    private func signUp() {
        let form = SignUpForm(
            id: input.text(.id),
            password: input.text(.password),
            nickname: input.text(.nickname),
            birth: input.text(.birth),
            email: input.text(.email),
            gender: input.gender.value
        )
        run(SignUpText.signingUp) { account throws(AccountError) in
            try await account.signUp(form)
        } then: { interactor, result in
            interactor.listener?.signUpDidFinish(result.value)
        }
    }

    /// Runs a request without blocking the screen. Closing the screen cancels it down to the socket.
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
        task { [weak self] in
            do throws(AccountError) {
                let value = try await request(account)
                guard let self, isActive else { return }
                finish(nil)
                succeed(self, value)
            } catch {
                self?.finish(error)
            }
        }
    }

    private func finish(_ error: AccountError?) {
        guard isActive else { return }
        isBusy = false
        model.activity = nil
        if let error, error != .cancelled { model.problem = error.text }
        presenter.show(model)
        // An expired verification leads back to the number.
        if error == .notVerified, model.step == .details { go(to: .phone, problem: AccountError.notVerified.text) }
    }

    private func go(to step: SignUpStep, problem: LocalizedText? = nil) {
        model.step = step
        model.problem = problem
        input.texts[.code]?.value = ""
        input.step.value = step
        presenter.show(model)
    }

    /// Counts the seconds of the code and of the next request down, once a second.
    private func startCountdown(_ request: CodeRequest) {
        countdown?.cancel()
        model.validSeconds = request.validSeconds
        model.wholeSeconds = request.validSeconds
        model.resendSeconds = request.resendSeconds
        presenter.show(model)
        let clock = clock
        countdown = task { [weak self] in
            while (try? await clock.sleep(for: .seconds(1))) != nil {
                guard let self, isActive, model.validSeconds > 0 else { return }
                model.validSeconds -= 1
                model.resendSeconds = max(0, model.resendSeconds - 1)
                presenter.show(model)
            }
        }
    }
}

/// The values that the sign-up shows besides its fields.
struct SignUpModel: Hashable, Sendable {
    /// The present step.
    var step = SignUpStep.phone
    /// The request under way, in words; `nil` if there is none.
    var activity: LocalizedText?
    /// Why the last request failed, and what to do; `nil` if it did not.
    var problem: LocalizedText?
    /// How long the code is valid.
    var validSeconds = 0
    /// How long the code was valid when its countdown began.
    var wholeSeconds = 0
    /// After how many seconds another code can be requested.
    var resendSeconds = 0

    /// The share of the time of the code that is left, from 0 to 1.
    var validShare: Double { wholeSeconds > 0 ? Double(validSeconds) / Double(wholeSeconds) : 0 }
}

/// The screen of the sign-up, as its interactor uses it.
@MainActor
protocol SignUpPresentable: Presentable {
    var listener: (any SignUpPresentableListener)? { get set }

    /// Connects the fields and the button.
    func bind(input: SignUpPresenter.Input, output: SignUpPresenter.Output)

    /// Shows the step and its state.
    func show(_ model: SignUpModel)

    /// Moves the focus to the first field of the step.
    func focusFirstField()

    /// Shows a message that was delivered on this machine, such as the code of the embedded backend.
    func show(message: LocalizedText)
}

/// The user's actions during the sign-up.
@MainActor
protocol SignUpPresentableListener: AnyObject {
    /// Another code is to be requested.
    func didChooseResend()

    /// The step before is to be shown, or the screen closed.
    func didChooseBack()
}
