import RIBs

/// Makes the profile's RIB.
@MainActor
final class ProfileBuilder: Builder<any ProfileDependency> {
    /// Makes the RIB.
    func build(withListener listener: any ProfileListener) -> any ViewableRouting {
        let viewController = ProfileViewController(appearance: dependency.appearance)
        let interactor = ProfileInteractor(presenter: viewController, dependency: dependency)
        interactor.listener = listener
        return ViewableRouter(interactor: interactor, viewController: viewController)
    }
}
