import AppLanguage
import AppUI
import RIBs
import TerminalUI
import TodoCore
import TodoSync

/// The form of the sync: the login, the lists of the server, or the account with its state and what was done.
@MainActor
final class SyncViewController: FormViewController, SyncPresentable, ViewControllable, KeyHinting {
    weak var listener: (any SyncPresentableListener)?

    private let language: AppLanguage
    private let today: @Sendable () -> Day
    private var model = SyncModel()
    private var password = ""
    /// What the present form is built for: other values are refreshed.
    private var built: (page: SyncModel.Page, refusals: [SyncReport.Refusal])?

    /// What has the focus while a request disables the button that is the first element.
    private weak var substitute: View?

    init(appearance: Appearance, today: @escaping @Sendable () -> Day) {
        language = appearance.language
        self.today = today
        super.init()
        title = SyncText.title(appearance.language)
    }

    var keyHints: [KeyHint] { [KeyHint(Key(.escape), CommonText.back)] }

    override func viewDidLoad() {
        super.viewDidLoad()
        build()
    }

    override func goBack() { listener?.didClose() }

    func show(_ model: SyncModel) {
        self.model = model
        guard viewIfLoaded != nil else { return }
        panel.show(activity: model.activity?(language))
        let isSame = built?.page == model.page && built?.refusals == model.state.refusals
        let before = view.window?.firstResponder
        if isSame { panel.refresh() } else { build() }
        let focus = view.window?.firstResponder
        if isIdle() {
            // What the user has chosen in the meantime retains the focus.
            if let substitute, substitute === focus { panel.focusFirst() }
            substitute = nil
        } else if !isSame || before !== focus {
            substitute = focus
        }
    }

    private func build() {
        built = (model.page, model.state.refusals)
        if model.page != .login { password = "" }
        let form =
            switch model.page {
            case .loading: Form {}
            case .login: login
            case .lists(let offers): lists(offers)
            case .account: account
            }
        form.onProblem { [weak self] in self?.problemText = $0(self?.language ?? .english) }
        panel.show(form, width: 72)
    }

    // MARK: - Login

    private var login: Form {
        Form(spacing: 1) {
            VStack {
                Row(SyncText.server(language)) {
                    Field(SyncText.serverHint(language), limit: 500, text: binding(\.address))
                }
                Row(SyncText.user(language)) { Field("", limit: 200, text: binding(\.user)) }
                Row(SyncText.password(language)) {
                    Field(
                        "",
                        limit: 500,
                        isSecure: true,
                        text: Binding(self, \.password, fallback: ""),
                        onSubmit: { [weak self] in self?.connect() }
                    )
                }
            }
            problem
            HStack(spacing: 2) {
                Action(SyncText.connect(language), kind: .primary, isEnabled: isIdle) { [weak self] in self?.connect() }
                back
            }
            Text(role: .secondary, lines: 0) { [language] in SyncText.introduction(language) }
        }
    }

    private func binding(_ path: any WritableKeyPath<SyncModel, String> & Sendable) -> Binding<String> {
        Binding { [weak self] in
            self?.model[keyPath: path] ?? ""
        } set: { [weak self] in
            self?.model[keyPath: path] = $0
            if let model = self?.model { self?.listener?.didChange(address: model.address, user: model.user) }
        }
    }

    private func connect() { listener?.didChooseConnect(password: password) }

    // MARK: - Lists

    private func lists(_ offers: [SyncOffer]) -> Form {
        let targets = [SyncModel.LocalList.stay] + offers.filter { !$0.isReadOnly }.map { .offer($0.id) } + [.new]
        return Form(spacing: 1) {
            VStack {
                Text(lines: 0) { [language] in (offers.isEmpty ? SyncText.noLists : SyncText.chooseLists)(language) }
                for offer in offers {
                    Check(
                        offer.isReadOnly ? "\(offer.name) (\(SyncText.readOnly(language)))" : offer.name,
                        isOn: Binding { [weak self] in
                            self?.model.chosen.contains(offer.id) ?? false
                        } set: { [weak self] in
                            self?.listener?.didChoose(offer.id, $0)
                        }
                    )
                }
            }
            VStack {
                Text(SyncText.localTodos(language), role: .secondary)
                Options(
                    targets.map { name(of: $0, offers)(language) },
                    selected: Binding { [weak self] in
                        self.flatMap { targets.firstIndex(of: $0.model.localList) } ?? 0
                    } set: { [weak self] in
                        self?.listener?.didChoose(targets[$0])
                    }
                )
                Row(SyncText.newList(language)) {
                    Field(
                        SyncText.newListHint(language),
                        limit: TodoList.nameLimit,
                        text: Binding(self, \.model.newList, fallback: ""),
                        onSubmit: { [weak self] in self?.listener?.didChooseSave() },
                        onChange: { [weak self] in if let self { listener?.didChange(newList: model.newList) } }
                    )
                }
            }
            problem
            HStack(spacing: 2) {
                Action(
                    (model.state.account == nil ? SyncText.start : CommonText.save)(language),
                    kind: .primary,
                    isEnabled: isIdle,
                    perform: { [weak self] in self?.listener?.didChooseSave() }
                )
                back
            }
        }
    }

    private func name(of target: SyncModel.LocalList, _ offers: [SyncOffer]) -> LocalizedText {
        switch target {
        case .stay: SyncText.stay
        case .new: SyncText.toNew
        case .offer(let id): SyncText.to(offers.first { $0.id == id }?.name ?? "")
        }
    }

    // MARK: - Account

    /// The state with the next step comes first, since a small screen shows nothing else.
    private var account: Form {
        Form(spacing: 1) {
            VStack {
                row(SyncText.state) { "\(SyncText.sign($0.summary).prefix(1)) \(SyncText.name($0.summary)($1))" }
                text(role: .error) { $0.problem?.reason($1) }
                text(role: .text) { $0.problem?.nextStep($1) }
                text(role: .error) { state, language in
                    state.failures.prefix(3).map { $0.text(language) }.joined(separator: "\n")
                }
                problem
            }
            for refusal in model.state.refusals {
                Text(role: .error, lines: 0) { [language] in refusal.text(language) }
            }
            if !model.state.refusals.isEmpty {
                HStack(spacing: 2) {
                    Action(SyncText.keep(language), isEnabled: isIdle) { [weak self] in self?.request(.restoring) }
                    Action(SyncText.delete(language), kind: .destructive, isEnabled: isIdle) { [weak self] in
                        self?.request(.deleting)
                    }
                }
            }
            HStack(spacing: 2) {
                Action(SyncText.now(language), kind: .primary, isEnabled: isIdle) { [weak self] in self?.request(.now) }
                back
            }
            VStack {
                row(SyncText.last) { [today] state, language in
                    (state.success.map { SyncText.time($0, today: today()) } ?? SyncText.never)(language)
                }
                row(SyncText.server) { state, _ in state.account?.address ?? "" }
                row(SyncText.user) { state, _ in state.account?.user ?? "" }
                row(SyncText.lists) { state, _ in state.account?.lists.joined(separator: ", ") ?? "" }
            }
            HStack(spacing: 2) {
                Action(SyncText.change(language)) { [weak self] in self?.listener?.didChooseLists() }
                Action(SyncText.signIn(language)) { [weak self] in self?.listener?.didChooseSignIn() }
            }
            HStack {
                Action(SyncText.remove(language), kind: .destructive) { [weak self] in self?.confirmRemoval() }
            }
            VStack {
                text(role: .secondary) { state, _ in state.problem.map { "\($0.detail)\n" } }
                text(role: .secondary) { $0.log.isEmpty ? nil : SyncText.log($1) }
                text(role: .text, hangs: true) { [today] in Self.log($0.log, today: today(), $1) }
            }
        }
    }

    /// Returns the lines of the log. Their times have the same width.
    private static func log(_ events: [SyncEvent], today: Day, _ language: AppLanguage) -> String {
        let times = events.map { SyncText.time($0.date, today: today)(language) }
        let width = times.map { DisplayWidth.of($0) }.max() ?? 0
        return zip(times, events).map { time, event in
            time + String(repeating: " ", count: width - DisplayWidth.of(time) + 2) + event.text(language)
        }.joined(separator: "\n")
    }

    private func row(_ name: LocalizedText, value: @escaping @MainActor (SyncState, AppLanguage) -> String) -> Row {
        Row(name(language)) { text(role: .text) { value($0, $1) } }
    }

    private func text(
        role: Label.Role,
        hangs: Bool = false,
        _ text: @escaping @MainActor (SyncState, AppLanguage) -> String?
    ) -> Text {
        Text(role: role, lines: 0, hangs: hangs) { [weak self] in
            self.flatMap { text($0.model.state, $0.language) } ?? ""
        }
    }

    private func request(_ request: SyncRequest) { listener?.didChooseSync(request) }

    private func confirmRemoval() {
        let alert = AlertController(title: SyncText.removeQuestion(language), message: SyncText.removeMessage(language))
        alert.addAction(CommonText.cancel(language), kind: .cancel)
        alert.addAction(SyncText.remove(language), kind: .destructive) { [weak self] in
            self?.listener?.didChooseRemove()
        }
        present(alert)
    }

    // MARK: - Elements

    /// What is wrong with the input of a field.
    private var problemText = "" { didSet { panel.refresh() } }

    private var problem: VStack {
        VStack {
            Text(role: .error, lines: 0) { [weak self] in
                guard let self else { return "" }
                return model.problem?.reason(language) ?? problemText
            }
            Text(lines: 0) { [weak self] in
                guard let self else { return "" }
                let isSetUp = model.state.account != nil
                return (model.problem?.nextStep(isSetUp: isSetUp) ?? model.message)?(language) ?? ""
            }
            Text(role: .secondary, lines: 0) { [weak self] in self?.model.problem?.detail ?? "" }
        }
    }

    private var back: Action { Action(CommonText.back(language)) { [weak self] in self?.listener?.didClose() } }

    private var isIdle: @MainActor () -> Bool {
        { [weak self] in self.map { $0.model.activity == nil && !$0.model.state.isRunning } ?? false }
    }
}
