package import AccountCore
package import AppLanguage
package import AppUI
package import RIBs
package import TodoCore
package import TodoSync

/// Creates the profile.
@MainActor
package final class ProfileBuilder: Builder<any ProfileDependency> {
    /// Creates the RIB.
    package func build(withListener listener: any ProfileListener) -> any ProfileRouting {
        let viewController = ProfileViewController(appearance: dependency.appearance)
        let interactor = ProfileInteractor(presenter: viewController, dependency: dependency)
        interactor.listener = listener
        let router = ProfileRouter(
            interactor: interactor,
            viewController: viewController,
            accountBuilder: AccountBuilder(dependency: dependency)
        )
        interactor.router = router
        return router
    }
}

/// The dependencies of the profile and of the account.
@MainActor
package protocol ProfileDependency: Dependency {
    /// The account.
    var account: any AccountServing { get }
    /// The store of the todos.
    var todoStore: any TodoStoring { get }
    /// The sync of the todos.
    var sync: any SyncServing { get }
    /// The store of the settings.
    var settings: any SettingsStoring { get }
    /// The changes that are not saved yet.
    var pendingChanges: PendingChanges { get }
    /// The folder of all files.
    var dataDirectory: String { get }
    /// The program's name and version.
    var version: String { get }
    /// The look of the screen.
    var appearance: Appearance { get }
}

/// The router of the profile, as its parent uses it.
@MainActor
package protocol ProfileRouting: ViewableRouting {
    /// The changed text that is not saved.
    var unsavedText: [String] { get }

    /// Closes the profile, after asking if there is text that is not saved, and then calls a closure.
    func leave(then completion: @escaping @MainActor () -> Void)

    /// Closes the account over the profile as ``leave(then:)`` does; at once without one.
    func leaveAccount(then completion: @escaping @MainActor () -> Void)
}

/// The parent of the profile.
@MainActor
package protocol ProfileListener: AnyObject {
    /// Called when the profile is to be closed.
    func profileDidClose()

    /// Called when the user wants to log in.
    func profileDidChooseLogin()

    /// Called when the user wants to log out.
    func profileDidChooseLogout()

    /// Called when the user wants to sign up.
    func profileDidChooseSignUp()

    /// Called when the account was deleted, with what the user should know.
    func profileDidEndSession(_ notice: LocalizedText)

    /// Called after the settings were saved, possibly by a profile that was closed before.
    func profileDidSave(_ settings: Settings)
}
