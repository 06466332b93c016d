import AppLanguage
import RIBs
import TodoCore
import TodoSync

/// The logic of the sync screen: signs in, lets the user choose lists, and shows what the sync does.
@MainActor
final class SyncInteractor: PresentableInteractor<any SyncPresentable>, SyncPresentableListener {
    weak var listener: (any SyncListener)?

    private let sync: any SyncServing
    private var model = SyncModel()
    /// The request under way, which leaving its page cancels.
    private var work: Task<Void, Never>?

    init(presenter: any SyncPresentable, sync: any SyncServing) {
        self.sync = sync
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        let sync = sync
        task { [weak self] in
            let states = await sync.states()
            self?.show(await sync.refresh())
            for await state in states { self?.show(state) }
        }
    }

    /// The address and the user that were typed; empty before.
    var draft: [String: String] {
        guard model.page == .login, !model.address.isEmpty || !model.user.isEmpty else { return [:] }
        return ["address": model.address, "user": model.user]
    }

    /// Shows the texts of a ``draft``.
    func restore(_ draft: [String: String]) {
        guard let address = draft["address"], let user = draft["user"] else { return }
        (model.page, model.address, model.user) = (.login, address, user)
        if isActive { presenter.show(model) }
    }

    private func show(_ state: SyncState) {
        guard isActive else { return }
        model.state = state
        // Another process may have set up the sync, or ended it.
        if model.page == .loading || model.page == .account { model.page = state.account == nil ? .login : .account }
        presenter.show(model)
    }

    // MARK: Setup

    func didChange(address: String, user: String) { (model.address, model.user) = (address, user) }

    func didChooseConnect(password: String) {
        let (address, user) = (model.address.trimmed, model.user.trimmed)
        guard !address.isEmpty, !user.isEmpty, !password.isEmpty else { return show(SyncText.incomplete) }
        connect(SyncLogin(address: address, user: user, password: password))
    }

    func didChooseLists() { connect(nil) }

    private func connect(_ login: SyncLogin?) {
        perform(SyncText.connecting) { sync throws(SyncError) in
            let offers = try await sync.connect(login)
            return { [weak self] in
                guard let self else { return }
                let isNew = model.state.account == nil
                model.page = .lists(offers)
                model.chosen = Set(
                    offers.filter { isNew ? !$0.isReadOnly || offers.count == 1 : $0.isSynced }.map(\.id)
                )
                model.localList = isNew && offers.isEmpty ? SyncModel.LocalList.new : .stay
            }
        }
    }

    func didChoose(_ list: String, _ isChosen: Bool) {
        if isChosen { model.chosen.insert(list) } else { model.chosen.remove(list) }
        presenter.show(model)
    }

    func didChoose(_ localList: SyncModel.LocalList) {
        model.localList = localList
        presenter.show(model)
    }

    func didChange(newList: String) {
        model.newList = newList
        // Who writes a name wants the list.
        if !newList.isBlank, model.localList != .new { didChoose(.new) }
    }

    func didChooseSave() {
        guard case .lists = model.page else { return }
        let localTodos: SyncDestination?
        switch model.localList {
        case .stay: localTodos = nil
        case .offer(let id): localTodos = .offer(id)
        case .new:
            guard !model.newList.isBlank else { return show(SyncText.nameMissing) }
            guard let name = try? TodoList.name(model.newList) else { return show(SyncText.nameInvalid) }
            localTodos = .new(name)
        }
        let lists = model.chosen
        guard !lists.isEmpty || localTodos != nil else { return show(SyncText.noList) }
        perform(SyncText.saving) { sync throws(SyncError) in
            try await sync.add(lists, localTodos: localTodos)
            return { [weak self] in
                self?.model.page = .account
                self?.listener?.syncDidRequest(.now)
            }
        }
    }

    /// Makes a request, and shows its failure; one at a time.
    private func perform(
        _ activity: LocalizedText,
        _ operation: @escaping @Sendable (any SyncServing) async throws(SyncError) -> @MainActor () -> Void
    ) {
        guard model.activity == nil else { return }
        (model.activity, model.problem, model.message) = (activity, nil, nil)
        presenter.show(model)
        let sync = sync
        work = task { [weak self] in
            var failure: SyncError?
            var finish: (@MainActor () -> Void)?
            do throws(SyncError) { finish = try await operation(sync) } catch { failure = error }
            guard let self, isActive, !Task.isCancelled else { return }
            model.activity = nil
            finish?()
            if let failure {
                model.problem = SyncProblem(failure)
                if case .isRunning = failure { model.message = SyncText.isRunning }
            }
            presenter.show(model)
        }
    }

    private func show(_ message: LocalizedText) {
        (model.message, model.problem) = (message, nil)
        presenter.show(model)
    }

    // MARK: Account

    func didChooseSync(_ request: SyncRequest) { listener?.syncDidRequest(request) }

    func didChooseSignIn() {
        (model.page, model.problem, model.message) = (.login, nil, nil)
        (model.address, model.user) = (model.state.account?.address ?? "", model.state.account?.user ?? "")
        presenter.show(model)
    }

    func didChooseRemove() {
        perform(SyncText.saving) { sync throws(SyncError) in
            try await sync.remove()
            return { [weak self] in
                self?.model = SyncModel()
                self?.model.page = .login
                self?.model.message = SyncText.removed
            }
        }
    }

    func didClose() {
        if model.activity != nil {
            work?.cancel()
            model.activity = nil
            presenter.show(model)
        } else if model.state.account != nil, model.page != .account {
            (model.page, model.problem, model.message) = (.account, nil, nil)
            presenter.show(model)
        } else if case .lists = model.page {
            model.page = .login
            presenter.show(model)
        } else {
            listener?.syncDidClose()
        }
    }
}

/// The values that the sync screen shows.
struct SyncModel: Hashable, Sendable {
    /// A page of the screen.
    enum Page: Hashable, Sendable {
        /// Until the account was read.
        case loading
        /// The server, the user and the password.
        case login
        /// The lists of the server.
        case lists([SyncOffer])
        /// The account.
        case account
    }

    /// Where the local todos go.
    enum LocalList: Hashable, Sendable {
        case stay
        /// To a list of the server.
        case offer(String)
        /// To a list that is created.
        case new
    }

    var page = Page.loading
    var state = SyncState()
    var address = ""
    var user = ""
    /// The IDs of the lists to sync.
    var chosen: Set<String> = []
    var localList = LocalList.stay
    /// The name of the list that is created.
    var newList = ""
    /// The request under way.
    var activity: LocalizedText?
    /// Why the last request of this screen failed.
    var problem: SyncProblem?
    /// What the user should know.
    var message: LocalizedText?
}

/// The sync screen, as its interactor uses it.
@MainActor
protocol SyncPresentable: Presentable {
    var listener: (any SyncPresentableListener)? { get set }

    /// Shows a page.
    func show(_ model: SyncModel)
}

/// The user's actions on the sync screen.
@MainActor
protocol SyncPresentableListener: AnyObject {
    /// The address or the user was typed.
    func didChange(address: String, user: String)

    /// The user signs in.
    func didChooseConnect(password: String)

    /// A list is to be synced, or not.
    func didChoose(_ list: String, _ isChosen: Bool)

    /// The local todos go elsewhere.
    func didChoose(_ localList: SyncModel.LocalList)

    /// The name of a new list was typed.
    func didChange(newList: String)

    /// The chosen lists are to be synced.
    func didChooseSave()

    /// A sync is to be made.
    func didChooseSync(_ request: SyncRequest)

    /// Other lists are to be chosen.
    func didChooseLists()

    /// The user signs in again.
    func didChooseSignIn()

    /// The sync is to end; the user has agreed.
    func didChooseRemove()

    /// The page is to be closed, or the request under way cancelled.
    func didClose()
}
