import AccountCore
import RIBs

/// Opens login and provider sign-in over the logged-out screen.
@MainActor
final class LoggedOutRouter: ViewableRouter<LoggedOutInteractor, any LoggedOutViewControllable>, LoggedOutRouting {
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

    /// Opens the login.
    func routeToLogin() {
        guard login == nil else { return }
        // The menu leads here also over the sign-in with an outside provider.
        closeDevice()
        let login = loginBuilder.build(withListener: interactor)
        self.login = login
        attachChild(login, show: viewController.push)
    }

    /// Closes the login.
    func closeLogin() { detachChild(login.take(), hide: viewController.pop) }

    /// Opens the sign-in with an outside provider. It requests a code at once, or offers to request one.
    func routeToDevice(_ provider: DeviceProvider, requestsCode: Bool) {
        guard login == nil, device == nil else { return }
        let device = deviceBuilder.build(withListener: interactor, provider: provider, requestsCode: requestsCode)
        self.device = device
        attachChild(device, show: viewController.push)
    }

    /// Closes the sign-in with an outside provider.
    func closeDevice() { detachChild(device.take(), hide: viewController.pop) }
}

extension LoggedOutRouter: RestorableRouting {
    var restorationID: String { "loggedOut" }

    func restoreChild(id: String, state: [String: String]) -> (any RestorableRouting)? {
        switch id {
        case "login":
            routeToLogin()
            return login as? any RestorableRouting
        case DeviceRouter.name:
            guard let provider = interactor.provider(named: state["provider"]) else { return nil }
            routeToDevice(provider, requestsCode: false)
            return device as? any RestorableRouting
        default: return nil
        }
    }
}
