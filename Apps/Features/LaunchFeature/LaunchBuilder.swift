package import AccountCore
package import AppLanguage
package import AppUI
package import RIBs

/// The dependencies of the launch.
@MainActor
package protocol LaunchDependency: Dependency {
    /// The account, which knows the required version and the stored state.
    var account: any AccountServing { get }
    /// The clock of the time limits.
    var clock: any Clock<Duration> { get }
    /// The look of the screen.
    var appearance: Appearance { get }
}

/// The parent of the launch.
@MainActor
package protocol LaunchListener: AnyObject {
    /// Called when the branch is known.
    ///
    /// - Parameters:
    ///   - branch: where the app continues.
    ///   - notices: what the user should know, such as that the server cannot be reached.
    func launchDidFinish(_ branch: LaunchBranch, notices: [LocalizedText])

    /// Called when the user quits on the splash screen, or on the one that requires a newer version.
    func launchDidQuit()
}

/// Creates the launch: the splash screen, which stays until the branch is known.
@MainActor
package final class LaunchBuilder: Builder<any LaunchDependency> {
    /// Creates the RIB.
    package func build(withListener listener: any LaunchListener) -> any ViewableRouting {
        let viewController = LaunchViewController(appearance: dependency.appearance)
        let interactor = LaunchInteractor(
            presenter: viewController,
            account: dependency.account,
            clock: dependency.clock
        )
        interactor.listener = listener
        return LaunchRouter(interactor: interactor, viewController: viewController)
    }
}

/// The router of the launch, which has no children.
@MainActor
final class LaunchRouter: ViewableRouter<LaunchInteractor, LaunchViewController> {}
