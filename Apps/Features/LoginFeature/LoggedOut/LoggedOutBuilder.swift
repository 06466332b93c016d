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
    private final class LoggedOutComponent: Component<any LoginDependency>, LoginDependency {
        var account: any AccountServing { dependency.account }
        var clock: any Clock<Duration> { dependency.clock }
        var appearance: Appearance { dependency.appearance }
    }

    /// Creates the RIB.
    package func build(withListener listener: any LoggedOutListener) -> any LoggedOutRouting {
        let component = LoggedOutComponent(dependency: dependency)
        let viewController = LoggedOutViewController(
            appearance: dependency.appearance,
            providers: dependency.account.providers
        )
        let interactor = LoggedOutInteractor(presenter: viewController)
        interactor.listener = listener
        let router = LoggedOutRouter(
            interactor: interactor,
            viewController: viewController,
            loginBuilder: LoginBuilder(dependency: component),
            deviceBuilder: DeviceBuilder(dependency: component)
        )
        interactor.router = router
        return router
    }
}

/// The transitions that the interactor requests.
@MainActor
protocol LoggedOutInternalRouting: ViewableRouting {
    /// Opens the login.
    func routeToLogin()

    /// Closes the login.
    func closeLogin()

    /// Opens the sign-in with an outside provider.
    func routeToDevice(_ provider: DeviceProvider)

    /// Closes the sign-in with an outside provider.
    func closeDevice()
}

/// Opens login and provider sign-in over the logged-out screen.
@MainActor
final class LoggedOutRouter: ViewableRouter<LoggedOutInteractor, any LoggedOutViewControllable>,
    LoggedOutRouting, LoggedOutInternalRouting
{
    private let loginBuilder: LoginBuilder
    private let deviceBuilder: DeviceBuilder
    private var login: (any LoginRouting)?
    private var device: (any ViewableRouting)?

    init(
        interactor: LoggedOutInteractor,
        viewController: any LoggedOutViewControllable,
        loginBuilder: LoginBuilder,
        deviceBuilder: DeviceBuilder
    ) {
        self.loginBuilder = loginBuilder
        self.deviceBuilder = deviceBuilder
        super.init(interactor: interactor, viewController: viewController)
    }

    // An id and a password can be typed again.
    var unsavedText: [String] { [] }

    func routeToLogin() {
        guard login == nil, device == nil else { return }
        let login = loginBuilder.build(withListener: interactor)
        self.login = login
        attachChild(login)
        viewController.push(login.viewControllable)
    }

    func closeLogin() {
        guard let router = login else { return }
        login = nil
        viewController.pop(router.viewControllable)
        detachChild(router)
    }

    func routeToDevice(_ provider: DeviceProvider) {
        guard login == nil, device == nil else { return }
        let device = deviceBuilder.build(withListener: interactor, provider: provider)
        self.device = device
        attachChild(device)
        viewController.push(device.viewControllable)
    }

    func closeDevice() {
        guard let router = device else { return }
        device = nil
        viewController.pop(router.viewControllable)
        detachChild(router)
    }
}

extension LoggedOutRouter: RestorableRouting {
    var restorationID: String { "loggedOut" }

    func restoreChild(id: String, state: [String: String]) -> (any RestorableRouting)? {
        guard id == "login" else { return nil }
        routeToLogin()
        return login as? any RestorableRouting
    }
}
