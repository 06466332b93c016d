import AccountCore
import LoginFeature
import PictureCore
import PictureFeature
import ProfileFeature
import RIBs
import SyncFeature
import TodoCore
import TodoFeature

/// Attaches the list and the picture for its lifetime, and the screens over them while they are open.
@MainActor
final class HomeRouter: ViewableRouter<HomeInteractor, any HomeViewControllable>, HomeRouting {
    private let services: AppServices
    private var list: (any TodoListRouting)?
    private var picture: (any PictureRouting)?
    private var screens: [HomeScreen: any ViewableRouting] = [:]
    /// The open screens, the lowest first.
    private var order: [HomeScreen] = []

    init(interactor: HomeInteractor, viewController: any HomeViewControllable, services: AppServices) {
        self.services = services
        super.init(interactor: interactor, viewController: viewController)
    }

    var unsavedText: [String] {
        (list?.unsavedText ?? []) + ((screens[.profile] as? any ProfileRouting)?.unsavedText ?? [])
    }

    var showsSync: Bool { screens[.sync] != nil }

    override func didLoad() {
        super.didLoad()
        let list = TodoListBuilder(dependency: services).build(withListener: interactor)
        let showsPicture = services.userSettings.preferences.showsPicture
        let picture = showsPicture ? PictureBuilder(dependency: services).build(withListener: interactor) : nil
        self.list = list
        self.picture = picture
        // The views are embedded before their interactors fill them.
        viewController.embed(list: list.viewControllable, picture: picture?.viewControllable)
        attachChild(list)
        if let picture { attachChild(picture) }
    }

    func open(_ screen: HomeScreen) {
        guard screens[screen] == nil else { return returnTo(screen) }
        if screen == .favourites {
            returnToTodos { [weak self] in self?.push(screen) }
        } else {
            push(screen)
        }
    }

    /// Closes every screen above an open one.
    private func returnTo(_ screen: HomeScreen) {
        let profile = screens[.profile] as? any ProfileRouting
        while let top = order.last, top != screen {
            guard top == .profile, let profile else {
                close(top)
                continue
            }
            return profile.leave { [weak self] in self?.returnTo(screen) }
        }
        if screen == .profile { profile?.leaveAccount {} }
    }

    private func push(_ screen: HomeScreen) {
        let router: any ViewableRouting
        switch screen {
        case .login:
            router = LoginBuilder(dependency: services).build(withListener: interactor, offersProviders: true)
        case .profile:
            close(.favourites)
            router = ProfileBuilder(dependency: services).build(withListener: interactor)
        case .favourites: router = FavouritesBuilder(dependency: services).build(withListener: interactor)
        case .sync: router = SyncBuilder(dependency: services).build(withListener: interactor)
        }
        screens[screen] = router
        order.append(screen)
        attachChild(router, show: viewController.push)
    }

    func close(_ screen: HomeScreen) {
        if screen == .profile { close(.login) }
        (screens[screen] as? any LoginRouting)?.closeProvider()
        order.removeAll { $0 == screen }
        detachChild(screens.removeValue(forKey: screen), hide: viewController.pop)
    }

    var actionable: any HomeActionable { interactor }

    func routeToEditor(of todo: Todo) { returnToTodos { [weak self] in self?.list?.routeToEditor(of: todo) } }

    func showPicture(of breed: String) async -> Bool {
        returnToTodos {}
        return await picture?.show(breed: breed) ?? true
    }

    func returnToTodos(then completion: @escaping @MainActor () -> Void) {
        for screen in HomeScreen.allCases where screen != .profile { close(screen) }
        guard let profile = screens[.profile] as? any ProfileRouting else { return completion() }
        profile.leave(then: completion)
    }

    func saveFavourite() { picture?.saveFavourite() }

    func show(_ picture: PictureReference) { self.picture?.show(picture) }

    func logOut() { interactor.didChooseLogOut() }

    func showNextPicture() { picture?.showNext() }

    func reloadPicture() { picture?.reload() }

    func undo(step: String) { list?.undo(step: step) }

    func add(step: TodoStep) { list?.add(step: step) }

    func lists() async -> [TodoListEntry] { await list?.lists() ?? [] }

    func show(list id: String) { returnToTodos { [weak self] in self?.list?.show(list: id) } }
}

extension HomeRouter: RestorableRouting {
    private static let share = "share"

    var restorationID: String { "home" }

    /// The list's share of the width, if the user has changed it.
    var restorationState: [String: String] { viewController.chosenShare.map { [Self.share: "\($0)"] } ?? [:] }

    func restore(state: [String: String]) {
        guard let share = state[Self.share].flatMap({ Double($0) }), (0...1).contains(share) else { return }
        viewController.chosenShare = share
    }

    func restoreChild(id: String, state: [String: String]) -> (any RestorableRouting)? {
        guard let screen = HomeScreen(rawValue: id) else { return nil }
        open(screen)
        return screens[screen] as? any RestorableRouting
    }
}
