package import AccountCore
import AppUI
package import RIBs

/// The parent of the login.
@MainActor
package protocol LoginListener: AnyObject {
    /// Called when the user has signed in.
    func loginDidSucceed(_ profile: Profile)

    /// Called when the user goes back. A login under way is cancelled.
    func loginDidCancel()
}

/// The router of the login, as its parent uses it.
@MainActor
package protocol LoginRouting: ViewableRouting {
    /// Closes the sign-in with an outside provider over the login.
    func closeProvider()
}

/// Creates the login: id, password and the consent to automatic login.
@MainActor
package final class LoginBuilder: Builder<any LoginDependency> {
    /// Creates the RIB, which offers the outside providers where the screen below it does not.
    package func build(
        withListener listener: any LoginListener,
        offersProviders: Bool = false
    ) -> any LoginRouting {
        let viewController = LoginViewController(
            appearance: dependency.appearance,
            providers: offersProviders ? dependency.account.providers : []
        )
        let interactor = LoginInteractor(presenter: viewController, account: dependency.account)
        interactor.listener = listener
        let router = LoginRouter(
            interactor: interactor,
            viewController: viewController,
            deviceBuilder: DeviceBuilder(dependency: dependency)
        )
        interactor.router = router
        return router
    }
}
