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
package protocol LoginRouting: ViewableRouting {}

/// Creates the login: id, password and the consent to automatic login.
@MainActor
package final class LoginBuilder: Builder<any LoginDependency> {
    /// Creates the RIB.
    package func build(withListener listener: any LoginListener) -> any LoginRouting {
        let viewController = LoginViewController(appearance: dependency.appearance)
        let interactor = LoginInteractor(presenter: viewController, account: dependency.account)
        interactor.listener = listener
        return LoginRouter(interactor: interactor, viewController: viewController)
    }
}

/// The router of the login, which has no children.
@MainActor
final class LoginRouter: ViewableRouter<LoginInteractor, LoginViewController>, LoginRouting {}

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
}
