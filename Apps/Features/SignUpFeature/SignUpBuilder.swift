package import AccountCore
package import AppUI
package import RIBs

/// The dependencies of the sign-up.
@MainActor
package protocol SignUpDependency: Dependency {
    /// The account.
    var account: any AccountServing { get }
    /// The clock of the code's expiry.
    var clock: any Clock<Duration> { get }
    /// The look of the screen.
    var appearance: Appearance { get }
}

/// The parent of the sign-up.
@MainActor
package protocol SignUpListener: AnyObject {
    /// Called when the account was created and the user is signed in.
    func signUpDidFinish(_ profile: Profile)

    /// Called when the user goes back. A request under way is cancelled.
    func signUpDidCancel()
}

/// The router of the sign-up, as its parent uses it.
@MainActor
package protocol SignUpRouting: ViewableRouting {
    /// The text in the fields that is not saved; never the password.
    var unsavedText: [String] { get }

    /// Closes the sign-up, after asking if there is text that is not saved, and then calls a closure.
    func leave(then completion: @escaping @MainActor () -> Void)
}

/// Creates the sign-up: telephone number, verification code, then the details of the account.
@MainActor
package final class SignUpBuilder: Builder<any SignUpDependency> {
    /// Creates the RIB, which asks for the details if the telephone number is verified already.
    package func build(withListener listener: any SignUpListener, isVerified: Bool) -> any SignUpRouting {
        let viewController = SignUpViewController(appearance: dependency.appearance)
        let interactor = SignUpInteractor(
            presenter: viewController,
            account: dependency.account,
            clock: dependency.clock,
            step: isVerified ? .details : .phone
        )
        interactor.listener = listener
        return SignUpRouter(interactor: interactor, viewController: viewController)
    }
}

/// The router of the sign-up, which has no children.
@MainActor
final class SignUpRouter: ViewableRouter<SignUpInteractor, SignUpViewController>, SignUpRouting {
    var unsavedText: [String] { interactor.unsavedText }

    func leave(then completion: @escaping @MainActor () -> Void) { interactor.leave(then: completion) }
}

extension SignUpRouter: RestorableRouting {
    var restorationID: String { "signUp" }

    var restorationState: [String: String] { interactor.draft }

    func restore(state: [String: String]) { interactor.restore(state) }
}
