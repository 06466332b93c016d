import AccountCore
import AppLanguage
import AppUI
import RIBs
import TerminalUI
import TodoSync

/// The form with the user's settings, the account, the numbers of todos and the place of the files.
@MainActor
final class ProfileViewController: FormViewController, ProfilePresentable, ProfileViewControllable, KeyHinting {
    /// The maximum number of characters of a name or a breed.
    private static let limit = 60

    weak var listener: (any ProfilePresentableListener)?

    private let animal: String
    private let language: AppLanguage
    private var model = ProfileModel()
    private var name = ""
    private var breed = ""
    private var isEdited = false
    private var problem: String?
    private let discardQuestion = DiscardQuestion()

    private lazy var form = Form(spacing: 1) {
        VStack {
            row(ProfileText.name, ProfileText.nameHint, \.name)
            row(ProfileText.breed, ProfileText.anyBreed(animal), \.breed)
            ProblemText(lines: 2) { [weak self] in self?.problem ?? "" }
        }
        HStack(spacing: 2) {
            Action(CommonText.save(language), kind: .primary) { [weak self] in self?.save() }
            Action(CommonText.back(language)) { [weak self] in self?.listener?.didChooseClose() }
        }
        VStack {
            Row(ProfileText.account(language)) { Text { [weak self] in self?.accountName ?? "" } }
            Row("") {
                HStack(spacing: 2) {
                    // Login becomes logout with the session.
                    Choice(
                        title: { [weak self] in self?.sessionTitle ?? "" },
                        next: { [weak self] in self?.changeSession() }
                    )
                    Choice(
                        title: { [weak self] in self?.accountTitle ?? "" },
                        next: { [weak self] in self?.openAccount() }
                    )
                }
            }
        }
        VStack {
            Row(CommonText.todos(language)) { Text(lines: 0) { [weak self] in self?.counts ?? "" } }
            Row(ProfileText.sync(language)) { Text(lines: 0) { [weak self] in self?.syncPlace ?? "" } }
            Row(ProfileText.version(language)) { Text { [weak self] in self?.model.version ?? "" } }
            Row(ProfileText.files(language)) { Text(lines: 0) { [weak self] in self?.model.dataDirectory ?? "" } }
        }
    }

    init(appearance: Appearance) {
        animal = appearance.animal
        language = appearance.language
        super.init()
        title = CommonText.profile(appearance.language)
    }

    var keyHints: [KeyHint] { [KeyHint(Key(.escape), CommonText.back)] }

    override func viewDidLoad() {
        super.viewDidLoad()
        form.onProblem { [weak self] in self?.show(problem: $0) }
        panel.show(form, width: 72)
    }

    override func goBack() { listener?.didChooseClose() }

    // MARK: - ProfilePresentable

    func show(_ model: ProfileModel) {
        self.model = model
        problem = model.problem
        if !isEdited {
            name = model.settings.name ?? model.session.profile?.nickname ?? ""
            breed = model.settings.favouriteBreed ?? ""
        }
        form.refresh()
    }

    func show(problem: LocalizedText) { show(problem(language)) }

    func restore(name: String, breed: String) {
        isEdited = true
        self.name = name
        self.breed = breed
        form.refresh()
    }

    func confirmDiscard(_ discard: @escaping @MainActor () -> Void) {
        discardQuestion.ask(over: self, message: ProfileText.unsaved, language: language, discard: discard)
    }

    // MARK: - ProfileViewControllable

    var isConfirmingDiscard: Bool { discardQuestion.isOpen }

    func push(_ child: any ViewControllable) { pushScreen(child) }

    func pop(_ child: any ViewControllable) { popScreen(child) }

    // MARK: - Elements

    private func show(_ problem: String) {
        self.problem = problem
        form.refresh()
    }

    private func row(
        _ title: LocalizedText,
        _ hint: LocalizedText,
        _ path: ReferenceWritableKeyPath<ProfileViewController, String>
    ) -> Row {
        Row(title(language)) {
            Field(
                hint(language),
                limit: Self.limit,
                text: Binding(self, path, fallback: ""),
                onSubmit: { [weak self] in self?.save() },
                onChange: { [weak self] in self?.changed() }
            )
        }
    }

    private var counts: String {
        if let counts = model.counts { return ProfileText.counts(counts)(language) }
        return (model.problem == nil ? ProfileText.counting : ProfileText.unknown)(language)
    }

    private var syncPlace: String {
        guard let account = model.syncAccount else { return ProfileText.onlyHere(language) }
        return "\(account.user) · \(account.address)"
    }

    private var accountName: String {
        guard let profile = model.session.profile else { return ProfileText.guest(language) }
        let id = profile.id.isEmpty ? profile.provider ?? "" : profile.id
        return profile.nickname.isEmpty ? id : "\(profile.nickname) (\(id))"
    }

    private var sessionTitle: String {
        (model.session.profile == nil ? CommonText.logIn : CommonText.logOut)(language)
    }

    private var accountTitle: String {
        (model.session.profile == nil ? CommonText.signUp : ProfileText.account)(language)
    }

    private func changeSession() {
        if model.session.profile == nil { listener?.didChooseLogin() } else { listener?.didChooseLogout() }
    }

    private func openAccount() {
        if model.session.profile == nil { listener?.didChooseSignUp() } else { listener?.didChooseAccount() }
    }

    private func changed() {
        isEdited = true
        listener?.didChange(name: name, breed: breed)
    }

    private func save() { listener?.didChooseSave(name: name, breed: breed) }
}
