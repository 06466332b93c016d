import AccountCore
import AppLanguage
import AppUI
import RIBs

/// The parent of the sign-in with an outside provider.
@MainActor
protocol DeviceListener: AnyObject {
    /// The user has signed in.
    func deviceDidSucceed(_ profile: Profile)

    /// The user goes back. A sign-in under way is cancelled.
    func deviceDidCancel()
}

/// Creates the sign-in with an outside provider: an address and a code to enter on another device.
@MainActor
final class DeviceBuilder: Builder<any LoginDependency> {
    /// Creates the RIB for a provider. It requests a code at once, or offers to request one.
    func build(
        withListener listener: any DeviceListener,
        provider: DeviceProvider,
        requestsCode: Bool
    ) -> any ViewableRouting {
        let viewController = DeviceViewController(appearance: dependency.appearance, provider: provider.name)
        let interactor = DeviceInteractor(
            presenter: viewController,
            account: dependency.account,
            provider: provider,
            requestsCode: requestsCode
        )
        interactor.listener = listener
        return DeviceRouter(interactor: interactor, viewController: viewController)
    }
}

/// The router of the sign-in with an outside provider, which has no children.
@MainActor
final class DeviceRouter: ViewableRouter<DeviceInteractor, DeviceViewController> {}

extension DeviceRouter: RestorableRouting {
    static let name = "device"

    var restorationID: String { Self.name }

    /// The name of the provider; never a code.
    var restorationState: [String: String] { ["provider": interactor.provider.name] }
}

/// The logic of the sign-in with an outside provider: shows each step, and ends with the profile.
@MainActor
final class DeviceInteractor: PresentableInteractor<any DevicePresentable>, DevicePresentableListener {
    weak var listener: (any DeviceListener)?

    private let account: any AccountServing
    let provider: DeviceProvider
    private let requestsCode: Bool
    private var running: Task<Void, Never>?

    init(
        presenter: any DevicePresentable,
        account: any AccountServing,
        provider: DeviceProvider,
        requestsCode: Bool = true
    ) {
        self.account = account
        self.provider = provider
        self.requestsCode = requestsCode
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        // The code of an earlier process is lost. A new one is requested only by the user.
        if requestsCode { start() } else { presenter.showLostCode() }
    }

    func didChooseNewCode() { start() }

    func didCancel() { listener?.deviceDidCancel() }

    private func start() {
        running?.cancel()
        let (account, provider) = (account, provider)
        running = task { [weak self] in
            // The iteration ends with the task; the requests end with the iteration.
            for await step in account.signIn(with: provider) {
                // The session stays until the user withdraws the consent, which the settings then show as given.
                if case .finished = step { try? await account.setAutoLoginConsent(true) }
                guard let self, !Task.isCancelled else { return }
                show(step)
            }
        }
    }

    private func show(_ step: DeviceSignIn) {
        guard isActive else { return }
        presenter.show(step)
        if case .finished(let profile) = step { listener?.deviceDidSucceed(profile) }
    }
}

/// The screen of the sign-in with an outside provider, as its interactor uses it.
@MainActor
protocol DevicePresentable: Presentable {
    var listener: (any DevicePresentableListener)? { get set }

    /// Shows a step.
    func show(_ step: DeviceSignIn)

    /// Shows that the code of an earlier process is lost.
    func showLostCode()
}

/// The user's actions during the sign-in with an outside provider.
@MainActor
protocol DevicePresentableListener: AnyObject {
    /// A new code is to be requested.
    func didChooseNewCode()

    /// The screen is to be closed.
    func didCancel()
}
