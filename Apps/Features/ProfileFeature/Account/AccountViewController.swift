import AccountCore
import AppLanguage
import AppUI
import RIBs
import TerminalUI

/// The form of the account, which scrolls where the room is short.
@MainActor
final class AccountViewController: FormViewController, AccountPresentable, ViewControllable, KeyHinting {
    weak var listener: (any AccountPresentableListener)?

    private let language: AppLanguage
    private var draft = AccountDraft(Profile(id: "", nickname: ""))
    private var model = AccountModel(profile: Profile(id: "", nickname: ""))
    private let discardQuestion = DiscardQuestion()

    private lazy var form = Form(spacing: 1) {
        VStack {
            row(.nickname, \.nickname)
            row(.birth, \.birth)
            row(.email, \.email)
            Row(ProfileText.gender(language)) {
                Options(
                    Profile.Gender.allCases.map { $0.name(language) },
                    selected: Binding { [weak self] in
                        self.flatMap { Profile.Gender.allCases.firstIndex(of: $0.draft.gender) } ?? 0
                    } set: { [weak self] in
                        self?.draft.gender = Profile.Gender.allCases[$0]
                        self?.changed()
                    }
                )
            }
        }
        ProblemText { [weak self] in self?.problemText ?? "" }
        Text(role: .success, lines: 2) { [weak self] in self?.messageText ?? "" }
        Group { [weak self] in
            self?.model.isSignedIn
        } content: { [weak self] in
            if let self { buttons }
        }
        VStack {
            Row(ProfileText.pushToken(language)) {
                Field(
                    ProfileText.pushTokenHint(language),
                    limit: 512,
                    text: binding(\.pushToken),
                    onSubmit: { [weak self] in self?.listener?.didChoosePushToken() }
                )
            }
            Row("") {
                HStack {
                    Action(
                        ProfileText.savePushToken(language),
                        isEnabled: { [weak self] in self?.model.isSignedIn ?? false },
                        perform: { [weak self] in self?.listener?.didChoosePushToken() }
                    )
                }
            }
            Row(ProfileText.queue(language)) { Text { [weak self] in self?.queueText ?? "" } }
            Row("") {
                HStack {
                    Choice(
                        title: { [weak self] in self?.queueTitle ?? "" },
                        isEnabled: { [weak self] in self?.model.isSignedIn ?? false },
                        next: { [weak self] in self?.listener?.didChooseQueue() }
                    )
                }
            }
        }
        HStack(spacing: 2) {
            Action(
                ProfileText.changePassword(language),
                isEnabled: { [weak self] in self?.model.isSignedIn ?? false },
                perform: { [weak self] in self?.askForPassword(ProfileText.changePasswordMessage) }
            )
            Action(
                ProfileText.withdraw(language),
                kind: .destructive,
                isEnabled: { [weak self] in self?.model.isSignedIn ?? false },
                perform: { [weak self] in self?.askForWithdrawal(ProfileText.withdrawMessage) }
            )
        }
    }

    init(appearance: Appearance) {
        language = appearance.language
        super.init()
        title = ProfileText.account(appearance.language)
    }

    var keyHints: [KeyHint] { [KeyHint(Key(.escape), CommonText.back)] }

    override func viewDidLoad() {
        super.viewDidLoad()
        panel.show(form)
    }

    override func goBack() { listener?.didChooseClose() }

    // MARK: - AccountPresentable

    func show(_ draft: AccountDraft) {
        self.draft = draft
        form.refresh()
    }

    func show(_ model: AccountModel) {
        self.model = model
        panel.show(activity: model.isBusy ? ProfileText.working(language) : nil)
        form.refresh()
    }

    func ask(_ question: AccountQuestion, problem: LocalizedText) {
        switch question {
        case .withdrawal: askForWithdrawal(problem.followed(by: ProfileText.withdrawMessage))
        case .password: askForPassword(problem)
        }
    }

    func confirmDiscard(_ discard: @escaping @MainActor () -> Void) {
        discardQuestion.ask(over: self, message: ProfileText.unsaved, language: language, discard: discard)
    }

    /// Whether the user is asked whether to discard the changed text.
    var isConfirmingDiscard: Bool { discardQuestion.isOpen }

    // MARK: - Elements

    /// Save, or the login without which nothing can be saved.
    private var buttons: HStack {
        HStack(spacing: 2) {
            if model.isSignedIn {
                Action(
                    CommonText.save(language),
                    kind: .primary,
                    isEnabled: { [weak self] in self?.canSave ?? false },
                    perform: { [weak self] in self?.listener?.didChooseSave() }
                )
            } else {
                Action(CommonText.logIn(language), kind: .primary) { [weak self] in self?.listener?.didChooseLogin() }
            }
            Action(CommonText.back(language)) { [weak self] in self?.listener?.didChooseClose() }
        }
    }

    private func row(_ field: AccountField, _ path: any WritableKeyPath<AccountDraft, String> & Sendable) -> Row {
        Row(field.name(language)) {
            Field(
                field.name(language),
                limit: 254,
                text: binding(path),
                onSubmit: { [weak self] in self?.listener?.didChooseSave() },
                validity: { [weak self] in self?.validity(of: field, path) ?? .neutral }
            )
        }
    }

    private func binding(_ path: any WritableKeyPath<AccountDraft, String> & Sendable) -> Binding<String> {
        Binding { [weak self] in
            self?.draft[keyPath: path] ?? ""
        } set: { [weak self] in
            self?.draft[keyPath: path] = $0
            self?.changed()
        }
    }

    private func validity(
        of field: AccountField,
        _ path: any WritableKeyPath<AccountDraft, String> & Sendable
    ) -> TextField.Validity {
        // What is known cannot become unknown.
        let isRemoved = draft[keyPath: path].isEmpty && !AccountDraft(model.profile)[keyPath: path].isEmpty
        if isRemoved { return .invalid }
        return TextField.Validity(AccountValidator.validity(of: draft[keyPath: path], as: field).mark)
    }

    private var canSave: Bool { draft.invalidField(of: model.profile) == nil && !model.isBusy }

    private var problemText: String { model.problem?(language) ?? "" }

    private var messageText: String { model.message?(language) ?? "" }

    private var queueText: String {
        model.queue.map { ProfileText.status($0)(language) } ?? ProfileText.unknown(language)
    }

    private var queueTitle: String {
        (model.queue?.isQueued == true ? ProfileText.leaveQueue : ProfileText.enterQueue)(language)
    }

    private func changed() { listener?.didChange(draft) }

    private func askForWithdrawal(_ message: LocalizedText) {
        let alert = AlertController(title: ProfileText.withdrawTitle(language), message: message(language))
        let field = alert.addTextField(placeholder: ProfileText.password(language))
        field.isSecure = true
        alert.addAction(CommonText.back(language), kind: .cancel)
        alert.addAction(ProfileText.withdraw(language), kind: .destructive) { [weak self, weak field] in
            self?.listener?.didConfirmWithdrawal(password: field?.text ?? "")
        }
        present(alert)
    }

    private func askForPassword(_ message: LocalizedText) {
        let alert = AlertController(title: ProfileText.changePassword(language), message: message(language))
        let old = alert.addTextField(placeholder: ProfileText.presentPassword(language))
        let new = alert.addTextField(placeholder: ProfileText.newPassword(language))
        (old.isSecure, new.isSecure) = (true, true)
        alert.addAction(CommonText.back(language), kind: .cancel)
        alert.addAction(CommonText.save(language), kind: .primary) { [weak self, weak old, weak new] in
            self?.listener?.didChangePassword(from: old?.text ?? "", to: new?.text ?? "")
        }
        present(alert)
    }
}
