import RIBs

/// Creates the main screen.
@MainActor
final class HomeBuilder: Builder<AppServices> {
    /// Creates the RIB.
    func build(withListener listener: any HomeListener) -> any HomeRouting {
        let viewController = HomeViewController(appearance: dependency.appearance, keyMap: dependency.keyMap)
        let interactor = HomeInteractor(presenter: viewController, services: dependency)
        interactor.listener = listener
        let router = HomeRouter(interactor: interactor, viewController: viewController, services: dependency)
        interactor.router = router
        return router
    }
}
