import RIBs

/// The screen a user spends the day with: the todos, and the picture beside them.
@MainActor
final class HomeInteractor: PresentableInteractor<any HomePresentable>, HomePresentableListener {
    weak var router: (any HomeRouting)?
    weak var listener: (any HomeListener)?

    private let settings: any SettingsStoring

    init(presenter: any HomePresentable, settings: any SettingsStoring) {
        self.settings = settings
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        let settings = settings
        task { [weak self] in
            let name = await settings.settings().name
            self?.presenter.show(name: name)
        }
    }

    func didChooseProfile() {
        router?.routeToProfile()
    }

    func didChooseNextPicture() {
        router?.showNextPicture()
    }

    func didChooseQuit() {
        listener?.homeDidQuit()
    }
}

extension HomeInteractor: TodoListListener {
    func todoListDidNotice(_ notice: Notice) {
        presenter.show(notice)
    }
}

extension HomeInteractor: ProfileListener {
    func profileDidClose() {
        router?.closeProfile()
    }

    func profileDidSave(_ settings: Settings) {
        router?.closeProfile()
        presenter.show(name: settings.name)
        presenter.show(Notice(kind: .information, text: "Your profile is kept"))
        router?.showNextPicture()
    }
}
