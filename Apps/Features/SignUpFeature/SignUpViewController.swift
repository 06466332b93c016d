import AccountCore
import AppLanguage
import AppUI
import RIBs
import TerminalUI

/// The form of the current step; it scrolls where the room is short, and the focused field stays visible.
@MainActor
final class SignUpViewController: FormViewController, SignUpPresentable, ViewControllable, KeyHinting {
    weak var listener: (any SignUpPresentableListener)?

    private let language: AppLanguage
    private var model = SignUpModel()
    private var output = SignUpModel().output
    private var shownStep: SignUpStep?
    private let discardQuestion = DiscardQuestion()
    /// Whether a snackbar shows the message with the code.
    private var showsMessage = false

    init(appearance: Appearance) {
        language = appearance.language
        super.init()
        title = CommonText.signUp(appearance.language)
    }

    var keyHints: [KeyHint] { [KeyHint(Key(.escape), CommonText.back)] }

    override func viewDidLoad() {
        super.viewDidLoad()
        build()
    }

    override func goBack() { listener?.didChooseBack() }

    // MARK: - SignUpPresentable

    func show(_ model: SignUpModel) {
        (self.model, output) = (model, model.output)
        panel.show(activity: model.activity?(language))
        if model.step != shownStep, viewIfLoaded != nil { build() } else { refresh() }
    }

    func focusFirstField() { panel.focusFirst() }

    func focus(_ field: AccountField) { panel.form?.focus(row: field.name(language)) }

    func confirmDiscard(_ discard: @escaping @MainActor () -> Void) {
        discardQuestion.ask(
            over: self,
            title: SignUpText.discardTitle,
            message: SignUpText.discardMessage,
            language: language,
            discard: discard
        )
    }

    func show(message: LocalizedText) {
        snackbarController?.show(message(language), duration: .seconds(60), replacesVisible: true)
        showsMessage = true
    }

    // MARK: - Layout

    private func build() {
        shownStep = model.step
        // The message contains a code that has been entered.
        if showsMessage, model.step != .code {
            showsMessage = false
            snackbarController?.close()
        }
        let form = Form(spacing: 1) {
            introduction
            VStack {
                for (index, field) in model.step.fields.enumerated() {
                    row(field, isLast: index == model.step.fields.count - 1)
                }
                if model.step == .details { genderRow }
                ProblemText { [weak self] in self?.statusText ?? "" }
            }
            buttons
            if model.step == .details {
                // Below the button, which stays visible in a small window.
                Text(role: .secondary, lines: 0) { [language] in CommonText.loginTerms(language) }
            }
        }
        panel.show(form)
    }

    private var introduction: VStack {
        VStack {
            Text(lines: 0) { [weak self] in self?.introductionText ?? "" }
            if model.step == .code {
                Text(role: .secondary) { [weak self] in self?.validityText ?? "" }
                Gauge { [weak self] in self?.model.validShare ?? 0 }
            }
        }
    }

    private var introductionText: String {
        switch model.step {
        case .phone: SignUpText.phoneIntroduction(language)
        case .code: SignUpText.codeIntroduction(language)
        case .details:
            (model.hasVerifiedNumber ? SignUpText.detailsIntroduction : SignUpText.accountIntroduction)(language)
        }
    }

    private func row(_ field: AccountField, isLast: Bool) -> Row {
        var onSubmit: (@MainActor () -> Void)?
        if isLast { onSubmit = { [weak self] in self?.submit() } }
        return Row(field.name(language)) {
            Field(
                field.example(language),
                limit: 254,
                isSecure: field == .password,
                text: binding(field),
                onSubmit: onSubmit,
                validity: { [weak self] in TextField.Validity(self?.output.validity(field).mark) }
            )
        }
    }

    private func binding(_ field: AccountField) -> Binding<String> {
        Binding(
            get: { [weak self] in self?.model.input.text(field) ?? "" },
            set: { [weak self] in self?.listener?.didChange(field, to: $0) }
        )
    }

    private func submit() { listener?.didSubmit() }

    private var genderRow: Row {
        Row(SignUpText.gender(language)) {
            Options(
                Profile.Gender.allCases.map { $0.name(language) },
                selected: Binding { [weak self] in
                    self.flatMap { Profile.Gender.allCases.firstIndex(of: $0.model.input.gender) } ?? 0
                } set: { [weak self] in
                    self?.listener?.didChoose(Profile.Gender.allCases[$0])
                }
            )
        }
    }

    private var buttons: VStack {
        VStack {
            HStack(spacing: 2) {
                Action(
                    actionTitle(language),
                    kind: .primary,
                    isEnabled: { [weak self] in self?.canSubmit ?? false },
                    perform: { [weak self] in self?.submit() }
                )
                Action(CommonText.back(language)) { [weak self] in self?.listener?.didChooseBack() }
            }
            if model.step == .code {
                HStack {
                    Choice(
                        title: { [weak self] in self?.resendTitle ?? "" },
                        isEnabled: { [weak self] in self?.model.resendSeconds == 0 },
                        next: { [weak self] in self?.listener?.didChooseResend() }
                    )
                }
            }
        }
    }

    private var actionTitle: LocalizedText {
        switch model.step {
        case .phone: SignUpText.send
        case .code: SignUpText.verify
        case .details: SignUpText.create
        }
    }

    private var resendTitle: String { SignUpText.resend(in: model.resendSeconds)(language) }

    private var validityText: String { SignUpText.validity(seconds: model.validSeconds)(language) }

    private var statusText: String {
        if let problem = model.problem { return problem(language) }
        return output.invalidField?.rule(language) ?? ""
    }

    private var canSubmit: Bool { output.isEnabled && model.activity == nil }

    private func refresh() { panel.refresh() }
}
