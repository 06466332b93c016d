package import AccountCore
package import AppUI
package import RIBs

/// The dependencies of the logged-out screen and of the login.
@MainActor
package protocol LoginDependency: Dependency {
    /// The account.
    var account: any AccountServing { get }
    /// The clock of delays.
    var clock: any Clock<Duration> { get }
    /// The look of the screen.
    var appearance: Appearance { get }
}

/// The parent of the logged-out screen.
@MainActor
package protocol LoggedOutListener: AnyObject {
    /// Called when the user has signed in.
    func loggedOutDidLogIn(_ profile: Profile)

    /// Called when the user continues without an account.
    func loggedOutDidChooseGuest()

    /// Called when the user wants to sign up.
    func loggedOutDidChooseSignUp()

    /// Called when the user quits.
    func loggedOutDidQuit()
}

/// The router of the logged-out screen, as its parent uses it.
@MainActor
package protocol LoggedOutRouting: ViewableRouting {
    /// The text in any field that is not saved.
    var unsavedText: [String] { get }

    /// Opens the login.
    func routeToLogin()
}

/// Creates the logged-out screen: guest, login, sign-up, and outside providers.
@MainActor
package final class LoggedOutBuilder: Builder<any LoginDependency> {
    /// Creates the RIB.
    package func build(withListener listener: any LoggedOutListener) -> any LoggedOutRouting {
        let viewController = LoggedOutViewController(
            appearance: dependency.appearance,
            providers: dependency.account.providers
        )
        let interactor = LoggedOutInteractor(presenter: viewController, providers: dependency.account.providers)
        interactor.listener = listener
        let router = LoggedOutRouter(
            interactor: interactor,
            viewController: viewController,
            loginBuilder: LoginBuilder(dependency: dependency),
            deviceBuilder: DeviceBuilder(dependency: dependency)
        )
        interactor.router = router
        return router
    }
}
