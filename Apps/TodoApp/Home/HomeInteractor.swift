import AccountCore
import AppUI
import ProfileFeature
import RIBs
import TodoFeature

/// The logic of the main screen, which shows the todos and the picture.
@MainActor
final class HomeInteractor: PresentableInteractor<any HomePresentable>, HomePresentableListener {
    weak var router: (any HomeRouting)?
    weak var listener: (any HomeListener)?

    private let settings: any SettingsStoring
    private var settingsDamage: [String] = []
    private var todoDamage: [String] = []

    init(presenter: any HomePresentable, settings: any SettingsStoring) {
        self.settings = settings
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        task { [weak self] in await self?.readSettings() }
    }

    func didChooseProfile() {
        router?.routeToProfile()
    }

    func didChooseNextPicture() {
        router?.showNextPicture()
    }

    func didChooseUndo(step: String) {
        router?.undo(step: step)
    }

    func didChooseQuit() {
        listener?.homeDidQuit()
    }

    private func readSettings() async {
        let name = (try? await settings.settings())?.name
        settingsDamage = await settings.damage()
        guard isActive else { return }
        presenter.show(name: name)
        showDamage()
    }

    private func showDamage() {
        let damage = todoDamage + settingsDamage
        let more = damage.count > 1 ? " (and \(damage.count - 1) more: see `doctor`)" : ""
        presenter.show(banner: damage.first.map { $0 + more })
    }
}

extension HomeInteractor: TodoListListener {
    func todoListDidNotice(_ notice: Notice) {
        presenter.show(notice)
    }

    func todoListDidFindDamage(_ damage: [String]) {
        guard damage != todoDamage else { return }
        todoDamage = damage
        showDamage()
    }
}

extension HomeInteractor: ProfileListener {
    func profileDidClose() {
        router?.closeProfile()
    }

    func profileDidSave(_ settings: Settings) {
        router?.closeProfile()
        presenter.show(name: settings.name)
        presenter.show(Notice(kind: .information, text: "The profile is saved"))
        router?.showNextPicture()
        task { [weak self] in await self?.readSettings() }
    }
}
