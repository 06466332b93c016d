import AccountCore
import AppLanguage
import AppUI
import LocalProvider
import RIBs
import TodoCore
import TodoSync

/// The logic of the profile: shows the user's settings and the number of todos, and saves changed settings.
@MainActor
final class ProfileInteractor: PresentableInteractor<any ProfilePresentable>, ProfilePresentableListener {
    weak var router: ProfileRouter?
    weak var listener: (any ProfileListener)?

    private let account: any AccountServing
    private let store: any TodoStoring
    private let sync: any SyncServing
    private let settings: any SettingsStoring
    private let pending: PendingChanges
    private var model = ProfileModel()
    /// The text in the fields, once the user has changed it.
    private var typed: Settings?
    private var isSaving = false
    /// Whether the saved settings cannot be decoded, and saving has to ask before it replaces them.
    private var mustConfirmReplacing = false
    /// The changed texts of the account that is to be opened when the session is known.
    private var accountToRestore: [String: String]?

    init(presenter: any ProfilePresentable, dependency: any ProfileDependency) {
        account = dependency.account
        store = dependency.todoStore
        sync = dependency.sync
        settings = dependency.settings
        pending = dependency.pendingChanges
        model.dataDirectory = dependency.dataDirectory
        model.version = dependency.version
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        presenter.show(model)
        task { [weak self] in await self?.load() }
        let account = account
        task { [weak self] in
            for await session in await account.sessions() { self?.show(session) }
        }
        let sync = sync
        task { [weak self] in
            for await state in await sync.states() {
                guard let self, state.account != model.syncAccount else { continue }
                model.syncAccount = state.account
                presenter.show(model)
            }
        }
    }

    /// The changed text that is not saved.
    var unsavedText: [String] {
        guard let typed, typed != model.settings else { return [] }
        return [typed.name, typed.favouriteBreed].compactMap(\.self)
    }

    /// The changed texts, for a start after a kill; empty if nothing was changed.
    var draft: [String: String] {
        guard let typed, typed != model.settings else { return [:] }
        return ["name": typed.name ?? "", "breed": typed.favouriteBreed ?? ""]
    }

    /// Shows the texts of a ``draft``, and the question whether to discard them if it was open.
    func restore(_ draft: [String: String]) {
        guard let name = draft["name"], let breed = draft["breed"] else { return }
        typed = settings(name: name, breed: breed)
        presenter.restore(name: name, breed: breed)
        if DiscardQuestion.isOpen(in: draft) { confirmDiscard() }
    }

    /// Opens the account with the changed texts of an earlier process as soon as the session is known.
    func restoreAccount(_ texts: [String: String]) {
        accountToRestore = texts
        openRestoredAccount()
    }

    private func openRestoredAccount() {
        guard let texts = accountToRestore, let profile = model.session.profile else { return }
        accountToRestore = nil
        router?.routeToAccount(profile, restoring: texts)
    }

    func didChange(name: String, breed: String) { typed = settings(name: name, breed: breed) }

    func didChooseSave(name: String, breed: String) {
        guard !isSaving else { return }
        guard !mustConfirmReplacing else {
            mustConfirmReplacing = false
            return presenter.show(problem: ProfileText.unreadable)
        }
        let new = settings(name: name, breed: breed)
        typed = new
        isSaving = true
        pending.perform("save the profile", isShown: { [self] in isActive }) { [self] in
            defer { isSaving = false }
            do {
                try await settings.save(new)
                // The user may have closed the profile meanwhile, and opened it again.
                if isActive { listener?.profileDidClose() }
                listener?.profileDidSave(new)
                return .done
            } catch {
                presenter.show(problem: ProfileText.notSaved("\(error)"))
                return .failed(typed: unsavedText, "\(error)")
            }
        }
    }

    func didChooseClose() { leave() }

    /// Closes the profile, after asking if text was changed, and then calls a closure.
    func leave(then completion: @escaping @MainActor () -> Void = {}) {
        if let typed, typed != model.settings { return confirmDiscard(then: completion) }
        listener?.profileDidClose()
        completion()
    }

    private func confirmDiscard(then completion: @escaping @MainActor () -> Void = {}) {
        presenter.confirmDiscard { [weak self] in
            self?.listener?.profileDidClose()
            completion()
        }
    }

    func didChooseLogin() { listener?.profileDidChooseLogin() }

    func didChooseLogout() { listener?.profileDidChooseLogout() }

    func didChooseSignUp() { listener?.profileDidChooseSignUp() }

    func didChooseAccount() {
        if let profile = model.session.profile { router?.routeToAccount(profile, restoring: [:]) }
    }

    private func show(_ session: AccountSession) {
        guard isActive, session != model.session else { return }
        model.session = session
        presenter.show(model)
        router?.show(session)
        openRestoredAccount()
    }

    private func load() async {
        var problems: [String] = []
        do {
            model.settings = try await settings.settings()
        } catch {
            if case LocalError.undecodable = error { mustConfirmReplacing = true }
            problems.append("\(error)")
        }
        do {
            let todos = try await store.todos()
            model.counts = ProfileModel.Counts(
                open: todos.count { !$0.isDone && !$0.isArchived },
                done: todos.count { $0.isDone && !$0.isArchived },
                archived: todos.count(where: \.isArchived)
            )
        } catch {
            problems.append("\(error)")
        }
        model.problem = problems.isEmpty ? nil : problems.joined(separator: "; ")
        if isActive { presenter.show(model) }
    }

    /// Returns the settings of the fields. The nickname of the account, which is shown without a name, is not stored as one.
    private func settings(name: String, breed: String) -> Settings {
        let isNickname = model.settings.name == nil && name == model.session.profile?.nickname
        return Settings(
            name: name.isBlank || isNickname ? nil : name.trimmed,
            favouriteBreed: breed.isBlank ? nil : breed.trimmed
        )
    }
}

extension ProfileInteractor: AccountListener {
    func accountDidClose() { router?.closeAccount() }

    func accountDidWithdraw(_ notice: LocalizedText) {
        router?.closeAccount()
        listener?.profileDidEndSession(notice)
    }

    func accountDidChooseLogin() { listener?.profileDidChooseLogin() }

    func accountDidChangeOwner(_ notice: LocalizedText) {
        router?.closeAccount()
        presenter.show(problem: notice)
    }
}

// MARK: - Protocols

/// The values that the profile shows.
struct ProfileModel: Hashable, Sendable {
    /// The numbers of todos.
    struct Counts: Hashable, Sendable {
        var open: Int
        var done: Int
        var archived: Int
    }

    /// The session, which decides between login and logout.
    var session = AccountSession.signedOut
    /// The saved settings.
    var settings = Settings()
    /// The numbers of todos; `nil` until they are known.
    var counts: Counts?
    /// Where the todos are synced; `nil` if they are on this machine only.
    var syncAccount: SyncState.Account?
    /// The folder of all files.
    var dataDirectory = ""
    /// The program's name and version.
    var version = ""
    /// What could not be read; `nil` if everything could.
    var problem: String?
}

/// The screen of the profile, as its interactor uses it.
@MainActor
protocol ProfilePresentable: Presentable {
    var listener: (any ProfilePresentableListener)? { get set }

    /// Shows the saved values, except in fields that the user has changed.
    func show(_ model: ProfileModel)

    /// Shows why the settings were not saved. The fields stay as they are.
    func show(problem: LocalizedText)

    /// Fills the fields with text that was typed before a kill.
    func restore(name: String, breed: String)

    /// Asks whether to discard the changed text, and calls a closure if the user agrees.
    func confirmDiscard(_ discard: @escaping @MainActor () -> Void)
}

/// The user's actions on the profile.
@MainActor
protocol ProfilePresentableListener: AnyObject {
    /// A field was changed.
    func didChange(name: String, breed: String)

    /// The settings are to be saved.
    func didChooseSave(name: String, breed: String)

    /// The profile is to be closed.
    func didChooseClose()

    /// The user wants to log in.
    func didChooseLogin()

    /// The user wants to log out.
    func didChooseLogout()

    /// The user wants to sign up.
    func didChooseSignUp()

    /// The account is to be opened.
    func didChooseAccount()
}
