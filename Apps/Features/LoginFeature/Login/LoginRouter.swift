import AccountCore
import RIBs

/// Opens the sign-in with an outside provider over the login.
@MainActor
final class LoginRouter: ViewableRouter<LoginInteractor, any LoginViewControllable>, LoginRouting {
    private let deviceBuilder: DeviceBuilder
    private var device: (any ViewableRouting)?

    init(interactor: LoginInteractor, viewController: any LoginViewControllable, deviceBuilder: DeviceBuilder) {
        self.deviceBuilder = deviceBuilder
        super.init(interactor: interactor, viewController: viewController)
    }

    /// Opens the sign-in with an outside provider. It requests a code at once, or offers to request one.
    func routeToDevice(_ provider: DeviceProvider, requestsCode: Bool) {
        guard device == nil else { return }
        let device = deviceBuilder.build(withListener: interactor, provider: provider, requestsCode: requestsCode)
        self.device = device
        attachChild(device, show: viewController.push)
    }

    func closeProvider() { detachChild(device.take(), hide: viewController.pop) }
}

extension LoginRouter: RestorableRouting {
    var restorationID: String { "login" }

    private static let terms = ["alert": "terms"]

    /// The draft and the open terms. The question for the consent is not part of it: it waits for a password, which is never
    /// stored.
    var restorationState: [String: String] {
        viewController.isShowingTerms ? interactor.draft.merging(Self.terms) { $1 } : interactor.draft
    }

    func restore(state: [String: String]) {
        interactor.restore(state)
        if state["alert"] == Self.terms["alert"] { viewController.showTerms() }
    }

    func restoreChild(id: String, state: [String: String]) -> (any RestorableRouting)? {
        let provider = viewController.providers.first { $0.name == state["provider"] }
        guard id == DeviceRouter.name, let provider else { return nil }
        routeToDevice(provider, requestsCode: false)
        return device as? any RestorableRouting
    }
}
