import AccountCore
import AppLanguage
import AppUI
import LaunchFeature
import LoginFeature
import RIBs
import SignUpFeature
import TerminalUI
import TodoCore
import TodoFeature
import TutorialFeature

/// The logic of the root: follows the launch's branch, leads from screen to screen, and ends the program.
@MainActor
final class RootInteractor: PresentableInteractor<any RootPresentable> {
    weak var router: (any RootInternalRouting)?

    private let services: AppServices
    private let screenState: ScreenStateWorker
    private let quit: @MainActor (Int32) -> Void
    /// The exit code of the request that the user is asked about.
    private var asked: Int32?
    private var session = AccountSession.signedOut
    /// Whether the account has reported a session.
    private var isSessionKnown = false
    /// What was shown at the launch, and is not shown again after the tutorial.
    private var launchNotices: [LocalizedText] = []
    private var hasConsent = false
    private var views = TodoView.builtIn
    private var lists: [TodoListEntry] = []
    /// The links that wait for the main screen.
    private var waitingForHome: [CheckedContinuation<Void, Never>] = []

    init(
        presenter: any RootPresentable,
        services: AppServices,
        quit: @escaping @MainActor (Int32) -> Void
    ) {
        (self.services, self.quit) = (services, quit)
        screenState = ScreenStateWorker(store: services.screenState, clock: services.clock)
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        screenState.start(self)
        services.pendingChanges.onFailure = { [weak self] in self?.presenter.show(problems: [RootText.unsaved([$0])]) }
    }

    override func willResignActive() {
        super.willResignActive()
        screenState.stop()
        services.pendingChanges.onFailure = nil
        resumeLinks()
    }

    /// The place of the user, once the stored one has been restored.
    var place: RouterSnapshot? { screenState.place }

    /// The profile of the user who is signed in.
    var profile: Profile? { session.profile }

    func requestQuit(code: Int32) {
        guard asked == nil, let text = router?.unsavedText, !text.isEmpty else { return quit(code) }
        asked = code
        presenter.confirmQuit(unsaved: text)
    }

    // MARK: - Session

    /// Shows the menus of the session, and follows later sessions. Called when the branch is known: the splash screen needs
    /// neither.
    private func followSessions() {
        let account = services.account
        task { [weak self] in
            for await session in await account.sessions() {
                self?.session = session
                self?.isSessionKnown = true
                await self?.readConsent()
            }
        }
    }

    private func readConsent() async {
        hasConsent = await services.account.hasAutoLoginConsent()
        if isActive { updateMenus() }
    }

    private func updateMenus() {
        if router?.home != nil { readViews() }
        let items: [RootMenuItem] =
            if router?.home != nil {
                [.todos, .favourites, .profile, .sync] + (session.profile == nil ? [.logIn, .signUp] : [.logOut]) + [
                    .keys, .quit,
                ]
            } else if router?.loggedOut != nil {
                [.guest, .logIn, .signUp, .keys, .quit]
            } else {
                []
            }
        presenter.show(
            RootMenus(
                items: items,
                lists: router?.home == nil ? [] : lists,
                session: session,
                hasConsent: hasConsent,
                preferences: services.userSettings.preferences,
                views: views,
                folders: [services.userSettings.dataDirectory, services.userSettings.folder].compactMap(\.self)
            )
        )
    }

    private func readViews() {
        let store = services.todoStore
        task { [weak self] in
            guard let views = try? await store.views(), let self, isActive, views != self.views else { return }
            self.views = views
            updateMenus()
        }
    }

    private func readLists() {
        task { [weak self] in
            guard let lists = await self?.router?.home?.lists(), let self, isActive, lists != self.lists else { return }
            self.lists = lists
            updateMenus()
        }
    }

    private func perform(_ operation: @escaping @MainActor (any AccountServing) async throws(AccountError) -> Void) {
        let account = services.account
        task { [weak self] in
            do throws(AccountError) {
                try await operation(account)
            } catch .cancelled {
                // The user has left.
            } catch {
                self?.presenter.show(notice: error.text)
            }
        }
    }
}

// MARK: - Children

extension RootInteractor: LaunchListener {
    func launchDidFinish(_ branch: LaunchBranch, notices: [LocalizedText]) {
        // The restoration needs it before the first session arrives.
        if case .main(let profile?) = branch { session = .signedIn(profile) }
        launchNotices = notices
        route(to: branch)
        followSessions()
        updateMenus()
        if let router {
            screenState.restore(below: router) { [weak self] in self?.router?.openRestoredPanel() }
        }
        resumeLinksIfHome()
        presenter.show(launchNotices: notices)
        presenter.show(problems: services.themeProblems)
    }

    func launchDidQuit() { quit(0) }

    private func route(to branch: LaunchBranch) {
        switch branch {
        case .tutorial: router?.routeToTutorial()
        case .verification, .login: router?.routeToLoggedOut()
        case .nickname:
            router?.routeToLoggedOut()
            router?.routeToSignUp(isVerified: true)
        case .main: router?.routeToHome()
        }
    }
}

extension RootInteractor: TutorialListener {
    func tutorialDidFinish(signUp: Bool) {
        guard isSessionKnown, session == .signedOut else { return continueLaunch(signUp: signUp) }
        perform { account throws(AccountError) in try await account.finishTutorial() }
        router?.routeToLoggedOut()
        if signUp { router?.routeToSignUp(isVerified: false) }
        updateMenus()
    }

    /// Leads a user with a session, such as one of the script mode, where the launch leads without the tutorial. The splash
    /// screen is shown meanwhile.
    private func continueLaunch(signUp: Bool) {
        router?.closeTutorial()
        let account = services.account
        task { [weak self] in
            do throws(AccountError) {
                try await account.finishTutorial()
            } catch {
                self?.presenter.show(notice: error.text)
            }
            self?.didRestoreSession(await account.restoreSession(), signUp: signUp)
        }
    }

    private func didRestoreSession(_ decision: LaunchDecision, signUp: Bool) {
        guard isActive else { return }
        var branch = decision.branch
        // It could not be stored that the tutorial was seen.
        if branch == .tutorial { branch = session == .signedOut ? .login : .main(session.profile) }
        if case .main(let profile?) = branch { session = .signedIn(profile) }
        route(to: branch)
        if signUp, session.profile == nil { router?.routeToSignUp(isVerified: false) }
        updateMenus()
        resumeLinksIfHome()
        presenter.show(launchNotices: decision.notices.filter { !launchNotices.contains($0) })
    }
}

extension RootInteractor: LoggedOutListener {
    func loggedOutDidLogIn(_ profile: Profile) {
        router?.routeToHome()
        updateMenus()
        resumeLinksIfHome()
        presenter.show(notice: RootText.welcome(profile.displayName))
        // The sign-in with an outside provider has stored it after the session.
        task { [weak self] in await self?.readConsent() }
    }

    func loggedOutDidChooseGuest() {
        router?.routeToHome()
        updateMenus()
        resumeLinksIfHome()
        perform { account throws(AccountError) in try await account.continueAsGuest() }
    }

    func loggedOutDidChooseSignUp() { router?.routeToSignUp(isVerified: false) }

    func loggedOutDidQuit() { requestQuit(code: 0) }
}

extension RootInteractor: SignUpListener {
    func signUpDidFinish(_ profile: Profile) {
        router?.closeSignUp()
        router?.routeToHome()
        updateMenus()
        resumeLinksIfHome()
        presenter.show(notice: RootText.welcome(profile.nickname))
        task { [weak self] in await self?.readConsent() }
    }

    func signUpDidCancel() { router?.closeSignUp() }
}

extension RootInteractor: HomeListener {
    func homeDidQuit() { requestQuit(code: 0) }

    func homeDidChooseSignUp() { router?.routeToSignUp(isVerified: false) }

    func homeDidLogIn() {
        // The sign-in with an outside provider has stored it after the session.
        task { [weak self] in await self?.readConsent() }
    }

    func homeDidLogOut(_ notice: LocalizedText) {
        router?.routeToLoggedOut()
        updateMenus()
        presenter.show(notice: notice)
    }

    func homeDidNotice(_ notice: LocalizedText) { presenter.show(notice: notice) }
}

// MARK: - Links

extension RootInteractor: RootActionable {
    func waitForHome() async throws -> (any HomeActionable, Void) {
        if router?.home == nil {
            await withCheckedContinuation { waitingForHome.append($0) }
        }
        guard let home = router?.home?.actionable else { throw CancellationError() }
        return (home, ())
    }

    func linkDidFail(_ error: DeepLinkError) { presenter.show(notice: error.text) }

    private func resumeLinksIfHome() {
        if router?.home != nil { resumeLinks() }
    }

    private func resumeLinks() {
        let waiting = waitingForHome
        waitingForHome = []
        for continuation in waiting { continuation.resume() }
    }
}

// MARK: - User actions

extension RootInteractor: RootPresentableListener {
    func didConfirmQuit() {
        if let asked { quit(asked) }
    }

    func didDeclineQuit() { asked = nil }

    func didChoose(_ item: RootMenuItem) {
        switch item {
        case .signUp: router?.routeToSignUp(isVerified: false)
        case .keys: presenter.showKeys()
        case .quit: requestQuit(code: 0)
        case .todos, .favourites, .profile, .sync, .logIn, .logOut, .guest:
            // The sign-up is over these screens.
            router?.leaveSignUp { [weak self] in self?.go(to: item) }
        }
    }

    private func go(to item: RootMenuItem) {
        switch item {
        case .todos: router?.home?.returnToTodos {}
        case .favourites: router?.home?.open(.favourites)
        case .profile: router?.home?.open(.profile)
        case .sync: router?.home?.open(.sync)
        case .logIn:
            router?.home?.open(.login)
            router?.loggedOut?.routeToLogin()
        case .logOut: router?.home?.logOut()
        case .guest: loggedOutDidChooseGuest()
        case .signUp, .keys, .quit: break
        }
    }

    func didOpenMenu() { readLists() }

    func didChoose(list id: String) {
        router?.leaveSignUp { [weak self] in self?.router?.home?.show(list: id) }
    }

    func screenDidChange() { screenState.screenDidChange() }

    func didChangeConsent(_ isGiven: Bool) {
        perform { account throws(AccountError) in try await account.setAutoLoginConsent(isGiven) }
        hasConsent = isGiven
        updateMenus()
    }

    func didChange(_ preferences: Preferences) {
        do throws(ConfigurationFile.WriteError) {
            try services.userSettings.save(preferences)
        } catch {
            presenter.show(notice: error.text)
        }
        updateMenus()
    }

    func didPreview(_ palette: Preferences.Palette?) { services.userSettings.preview(palette) }

    func didChange(_ keys: [Key]?, of action: KeyAction) -> LocalizedText? {
        do throws(ConfigurationFile.WriteError) {
            try services.userSettings.save(keys, of: action.name)
            return nil
        } catch {
            return error.text
        }
    }

    func didFinishKeys() { services.userSettings.restart?() }
}
