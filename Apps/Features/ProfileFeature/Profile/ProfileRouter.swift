import AccountCore
import AppUI
import RIBs

/// Opens the account over the profile.
@MainActor
final class ProfileRouter: ViewableRouter<ProfileInteractor, any ProfileViewControllable>, ProfileRouting {
    private let accountBuilder: AccountBuilder
    private var account: (any AccountRouting)?

    init(interactor: ProfileInteractor, viewController: any ProfileViewControllable, accountBuilder: AccountBuilder) {
        self.accountBuilder = accountBuilder
        super.init(interactor: interactor, viewController: viewController)
    }

    var unsavedText: [String] { interactor.unsavedText + (account?.unsavedText ?? []) }

    func leave(then completion: @escaping @MainActor () -> Void) {
        leaveAccount { [weak self] in self?.interactor.leave(then: completion) }
    }

    func leaveAccount(then completion: @escaping @MainActor () -> Void) {
        if let account { account.leave(then: completion) } else { completion() }
    }

    /// Opens the account over the profile, with the changed texts of an earlier process.
    func routeToAccount(_ profile: Profile, restoring texts: [String: String]) {
        guard account == nil else { return }
        let router = accountBuilder.build(withListener: interactor, profile: profile)
        account = router
        attachChild(router, show: viewController.push)
        if !texts.isEmpty { (router as? any RestorableRouting)?.restore(state: texts) }
    }

    /// Reports the session to the account.
    func show(_ session: AccountSession) { account?.show(session) }

    /// Closes the account.
    func closeAccount() { detachChild(account.take(), hide: viewController.pop) }
}

extension ProfileRouter: RestorableRouting {
    var restorationID: String { "profile" }

    var restorationState: [String: String] {
        viewController.isConfirmingDiscard ? interactor.draft.merging(DiscardQuestion.state) { $1 } : interactor.draft
    }

    func restore(state: [String: String]) { interactor.restore(state) }

    /// Opens the account once the session is known, which is after the restoration.
    func restoreChild(id: String, state: [String: String]) -> (any RestorableRouting)? {
        if id == AccountRouter.name { interactor.restoreAccount(state) }
        return nil
    }
}

/// The view controller of the profile, as its router uses it.
@MainActor
protocol ProfileViewControllable: ViewControllable {
    /// Whether the user is asked whether to discard the changed text.
    var isConfirmingDiscard: Bool { get }

    /// Opens a screen over this one.
    func push(_ child: any ViewControllable)

    /// Closes a screen that ``push(_:)`` has opened.
    func pop(_ child: any ViewControllable)
}
