import AccountCore
import RIBs

/// The logic of the logged-out screen: leads to the login, the sign-up, a provider, or on as a guest.
@MainActor
final class LoggedOutInteractor: PresentableInteractor<any LoggedOutPresentable>, LoggedOutPresentableListener {
    weak var router: LoggedOutRouter?
    weak var listener: (any LoggedOutListener)?

    private let providers: [DeviceProvider]

    init(presenter: any LoggedOutPresentable, providers: [DeviceProvider]) {
        self.providers = providers
        super.init(presenter: presenter)
        presenter.listener = self
    }

    /// Returns the configured provider of a name.
    func provider(named name: String?) -> DeviceProvider? { providers.first { $0.name == name } }

    func didChooseGuest() { listener?.loggedOutDidChooseGuest() }

    func didChooseLogin() { router?.routeToLogin() }

    func didChooseSignUp() { listener?.loggedOutDidChooseSignUp() }

    func didChoose(_ provider: DeviceProvider) { router?.routeToDevice(provider, requestsCode: true) }

    func didChooseQuit() { listener?.loggedOutDidQuit() }
}

extension LoggedOutInteractor: LoginListener {
    func loginDidSucceed(_ profile: Profile) {
        router?.closeLogin()
        listener?.loggedOutDidLogIn(profile)
    }

    func loginDidCancel() { router?.closeLogin() }
}

extension LoggedOutInteractor: DeviceListener {
    func deviceDidSucceed(_ profile: Profile) {
        router?.closeDevice()
        listener?.loggedOutDidLogIn(profile)
    }

    func deviceDidCancel() { router?.closeDevice() }
}

/// The view controller of the logged-out screen, as its router uses it.
@MainActor
protocol LoggedOutViewControllable: ViewControllable {
    /// Opens a screen over this one.
    func push(_ child: any ViewControllable)

    /// Closes a screen that ``push(_:)`` has opened.
    func pop(_ child: any ViewControllable)
}

/// The logged-out screen, as its interactor uses it.
@MainActor
protocol LoggedOutPresentable: Presentable {
    var listener: (any LoggedOutPresentableListener)? { get set }
}

/// The user's actions on the logged-out screen.
@MainActor
protocol LoggedOutPresentableListener: AnyObject {
    /// The app is to continue without an account.
    func didChooseGuest()

    /// The login is to be opened.
    func didChooseLogin()

    /// The sign-up is to be opened.
    func didChooseSignUp()

    /// The sign-in with an outside provider is to be opened.
    func didChoose(_ provider: DeviceProvider)

    /// The app is to end.
    func didChooseQuit()
}
