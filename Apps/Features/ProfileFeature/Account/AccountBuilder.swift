import AccountCore
import AppLanguage
import AppUI
import RIBs

/// The parent of the account.
@MainActor
protocol AccountListener: AnyObject {
    /// The screen is to be closed.
    func accountDidClose()

    /// The account was deleted.
    func accountDidWithdraw(_ notice: LocalizedText)

    /// The session has ended, and the user wants to log in again.
    func accountDidChooseLogin()

    /// Somebody else has logged in: the screen is to be closed at once.
    func accountDidChangeOwner(_ notice: LocalizedText)
}

/// The router of the account, as its parent uses it.
@MainActor
protocol AccountRouting: ViewableRouting {
    /// The changed text that is not saved.
    var unsavedText: [String] { get }

    /// Closes the account, after asking if there is text that is not saved, and then calls a closure.
    func leave(then completion: @escaping @MainActor () -> Void)

    /// Follows the session: without one nothing can be sent, and one of another account closes the screen.
    func show(_ session: AccountSession)
}

/// Creates the account: nickname, profile, push token, queue and withdrawal.
@MainActor
final class AccountBuilder: Builder<any ProfileDependency> {
    /// Creates the RIB for a profile.
    func build(withListener listener: any AccountListener, profile: Profile) -> any AccountRouting {
        let viewController = AccountViewController(appearance: dependency.appearance)
        let interactor = AccountInteractor(
            presenter: viewController,
            account: dependency.account,
            profile: profile,
            language: dependency.appearance.language
        )
        interactor.listener = listener
        return AccountRouter(interactor: interactor, viewController: viewController)
    }
}

/// The router of the account, which has no children.
@MainActor
final class AccountRouter: ViewableRouter<AccountInteractor, AccountViewController>, AccountRouting {
    var unsavedText: [String] { interactor.unsavedText }

    func leave(then completion: @escaping @MainActor () -> Void) { interactor.leave(then: completion) }

    func show(_ session: AccountSession) { interactor.show(session) }
}

extension AccountRouter: RestorableRouting {
    static let name = "account"

    var restorationID: String { Self.name }

    /// The changed texts and the question whether to discard them. The question whether to delete the account is not part of
    /// it: the user opens it again, and nothing that cannot be undone is one key away after a kill.
    var restorationState: [String: String] {
        let texts = interactor.changedTexts
        return viewController.isConfirmingDiscard ? texts.merging(DiscardQuestion.state) { $1 } : texts
    }

    func restore(state: [String: String]) { interactor.restore(state) }
}
