import AccountCore
import AppLanguage
import AppUI
import LoginFeature
import PictureCore
import PictureFeature
import ProfileFeature
import RIBs
import SyncFeature
import TodoCore
import TodoFeature
import TodoSync

/// The logic of the main screen, which shows the todos and the picture.
@MainActor
final class HomeInteractor: PresentableInteractor<any HomePresentable>, HomePresentableListener {
    weak var router: (any HomeRouting)?
    weak var listener: (any HomeListener)?

    private let services: AppServices
    private let syncWorker: SyncWorker
    private let reminderWorker: ReminderWorker
    private var isSyncSetUp = false
    /// The problem of the last sync, which is reported once.
    private var reportedProblem: LocalizedText?
    private var reportedConflict: TodoStep?
    private var isLoggingOut = false
    private var settingsDamage: [String] = []
    private var todoDamage: [String] = []

    init(presenter: any HomePresentable, services: AppServices) {
        self.services = services
        syncWorker = SyncWorker(
            sync: services.sync,
            store: services.todoStore,
            clock: services.clock,
            interval: services.syncInterval
        )
        let settings = services.userSettings
        reminderWorker = ReminderWorker(
            store: services.todoStore,
            clock: services.clock,
            time: services.reminderClock,
            log: services.reminderLog,
            minutes: { settings.preferences.reminder }
        )
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        task { [weak self] in await self?.readSettings() }
        let sync = services.sync
        task { [weak self] in
            for await state in await sync.states() {
                self?.isSyncSetUp = state.account != nil
                self?.presenter.show(sync: state)
            }
        }
        syncWorker.onSync = { [weak self] in self?.didSync($0, $1) }
        syncWorker.start(self)
        reminderWorker.onReminder = { [weak self] in self?.remind(of: $0) }
        reminderWorker.start(self)
        guard let interval = services.pictureInterval else { return }
        let clock = services.clock
        task { [weak self] in
            while (try? await clock.sleep(for: interval)) != nil { self?.didChooseNextPicture() }
        }
    }

    override func willResignActive() {
        super.willResignActive()
        syncWorker.stop()
        reminderWorker.stop()
        // The bar around the screens remains.
        presenter.show(sync: SyncState())
    }

    func didChoose(_ screen: HomeScreen) { router?.open(screen) }

    func didChooseNextPicture() { router?.showNextPicture() }

    func didChooseFavourite() { router?.saveFavourite() }

    func didChooseUndo(step: String) { router?.undo(step: step) }

    func didChooseSync() {
        if isSyncSetUp { syncWorker.request(.now) } else { router?.open(.sync) }
    }

    private func remind(of todo: Todo) {
        let appearance = services.appearance
        let due = ReminderText.due(todo, today: services.reminderClock.today, style: appearance.dates)(
            appearance.language
        )
        presenter.show(Notice(kind: .information, text: "\(todo.title): \(due)"))
        services.userSettings.notify?(appearance.title, "\(todo.title): \(due)")
    }

    /// Shows the result of a sync that the user has requested, and a problem of any other one once. On the screen of the sync, which
    /// explains a problem, a notice would cover its buttons.
    private func didSync(_ request: SyncRequest, _ state: SyncState) {
        if let (event, step) = state.conflict.map({ ($0.event, $0.step) }), step != reportedConflict {
            reportedConflict = step
            router?.add(step: step)
            let text = event.text(services.appearance.language)
            return presenter.show(Notice(kind: .undoable(step: step.mark), text: text))
        }
        let explanation = SyncText.explanation(state)
        let isProblem = state.summary == .problem
        defer { reportedProblem = isProblem ? explanation : nil }
        guard request != .unasked || isProblem && explanation != reportedProblem,
            explanation == nil || router?.showsSync != true
        else { return }
        let text = SyncText.result(state)(services.appearance.language)
        presenter.show(Notice(kind: isProblem ? .failure : .information, text: text))
    }

    func didChooseQuit() { listener?.homeDidQuit() }

    private var removal: TodoRemoval { TodoRemoval(store: services.todoStore, sync: services.sync) }

    func didChooseLogOut() {
        guard !isLoggingOut else { return }
        isLoggingOut = true
        let removal = removal
        task { [weak self] in
            let question = await removal.question()
            guard let self, isActive else { return }
            isLoggingOut = false
            let unsaved = router?.unsavedText ?? []
            let lost = unsaved.isEmpty ? nil : RootText.unsaved(unsaved)
            if let message = question.map({ question in lost.map(question.followed) ?? question }) ?? lost {
                presenter.confirmLogOut(message)
            } else {
                didConfirmLogOut(removesTodos: false)
            }
        }
    }

    func didConfirmLogOut(removesTodos: Bool) {
        guard !isLoggingOut else { return }
        isLoggingOut = true
        let removal = removal
        task { [weak self] in
            if removesTodos, let problem = await removal.perform() {
                self?.isLoggingOut = false
                self?.presenter.show(Notice(kind: .failure, text: problem))
                return
            }
            self?.logOut(removesTodos ? LogoutResult.everywhere.text.followed(by: HomeText.todosRemoved) : nil)
        }
    }

    /// Leaves as soon as the session has ended on this machine. The request to the server follows, also while the program ends.
    private func logOut(_ notice: LocalizedText?) {
        let (account, listener) = (services.account, listener)
        services.pendingChanges.perform("log out", isShown: { [weak self] in self?.isActive == true }) {
            [weak self, weak listener] in
            do throws(AccountError) {
                let result = try await account.logout { [weak listener] in
                    listener?.homeDidLogOut(notice ?? LogoutResult.everywhere.text)
                }
                if result != .everywhere { listener?.homeDidNotice(result.text) }
                return .done
            } catch {
                self?.didFailToLogOut(error)
                return .failed(error.text(.english))
            }
        }
    }

    private func didFailToLogOut(_ error: AccountError) {
        isLoggingOut = false
        guard isActive, error != .cancelled else { return }
        presenter.show(Notice(kind: .failure, text: error.text(services.appearance.language)))
    }

    private func readSettings() async {
        let name = (try? await services.settings.settings())?.name
        settingsDamage = await services.settings.damage()
        guard isActive else { return }
        presenter.show(name: name)
        showDamage()
    }

    private func showDamage() {
        let damage = todoDamage + settingsDamage
        presenter.show(banner: damage.first, more: max(0, damage.count - 1))
    }
}

extension HomeInteractor: TodoListListener {
    func todoListDidNotice(_ notice: Notice) { presenter.show(notice) }

    func todoListDidChange(context: String?) { presenter.show(context: context) }

    func todoListDidFindDamage(_ damage: [String]) {
        let damage = damage + ((services.todoStore as? TodoStore)?.removedEnds ?? [])
        guard damage != todoDamage else { return }
        todoDamage = damage
        showDamage()
    }
}

extension HomeInteractor: ProfileListener {
    func profileDidClose() { router?.close(.profile) }

    func profileDidChooseLogin() { router?.open(.login) }

    func profileDidChooseLogout() { didChooseLogOut() }

    func profileDidChooseSignUp() { listener?.homeDidChooseSignUp() }

    func profileDidEndSession(_ notice: LocalizedText) { listener?.homeDidLogOut(notice) }

    func profileDidSave(_ settings: Settings) {
        presenter.show(name: settings.name)
        presenter.show(notice: HomeText.profileSaved)
        router?.reloadPicture()
        task { [weak self] in await self?.readSettings() }
    }
}

extension HomeInteractor: PictureListener {
    func pictureDidNotice(_ text: LocalizedText) { presenter.show(notice: text) }
}

extension HomeInteractor: SyncListener {
    func syncDidClose() { router?.close(.sync) }

    func syncDidRequest(_ request: SyncRequest) { syncWorker.request(request) }
}

extension HomeInteractor: FavouritesListener {
    func favouritesDidClose() { router?.close(.favourites) }

    func favouritesDidChoose(_ picture: PictureReference) {
        router?.close(.favourites)
        router?.show(picture)
    }
}

extension HomeInteractor: LoginListener {
    func loginDidSucceed(_ profile: Profile) {
        router?.close(.login)
        presenter.show(notice: CommonText.loggedIn(as: profile.displayName))
        listener?.homeDidLogIn()
    }

    func loginDidCancel() { router?.close(.login) }
}

extension HomeInteractor: HomeActionable {
    func open(_ link: DeepLink) async throws(DeepLinkError) {
        switch link {
        case .profile: router?.open(.profile)
        case .todo(let id): router?.routeToEditor(of: try await todo(id))
        case .picture(let breed):
            guard await router?.showPicture(of: breed) ?? true else { throw .noBreed(breed) }
        }
    }

    /// Returns the todo with an ID, or with the only ID that begins with a text.
    private func todo(_ name: String) async throws(DeepLinkError) -> Todo {
        do throws(TodoError) {
            guard let todo = try await services.todoStore.todos(named: [name]).first else {
                throw .notFound(name: name)
            }
            return todo
        } catch .notFound {
            throw .noTodo(name)
        } catch .ambiguous {
            throw .ambiguous(name)
        } catch {
            throw .unreadable("\(error)")
        }
    }
}
