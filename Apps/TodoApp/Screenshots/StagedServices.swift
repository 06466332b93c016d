import AccountCore
import AppLanguage
import AppUI
import PictureCore
import RIBs
import Threading
import TodoCore
import TodoSync

extension AppServices {
    /// Returns the services of a screenshot: the same ones, with the launch and the place of a stage. Nothing is stored.
    func staged(_ stage: ScreenStage, account: StagedAccount) -> AppServices {
        var services = self
        services.account = account
        services.sync = StagedSync(sync: sync)
        services.screenState = StagedScreenState(snapshot: stage.snapshot)
        services.pendingChanges = PendingChanges()
        return services
    }
}

/// The place of a stage. The stored place of the user is neither read nor changed.
private struct StagedScreenState: ScreenStateStoring {
    let snapshot: RouterSnapshot?

    func load() async -> RouterSnapshot? { snapshot }
    func save(_ snapshot: RouterSnapshot) async {}
    func remove() async {}
}

/// The sync of a screenshot: its state is that of the user, and nothing is sent.
private struct StagedSync: SyncServing {
    let sync: any SyncServing

    func states() async -> AsyncStream<SyncState> { await sync.states() }
    func refresh() async -> SyncState { await sync.refresh() }
    func sync(_ request: SyncRequest) async -> SyncOutcome { .done }
    func connect(_ login: SyncLogin?) async throws(SyncError) -> [SyncOffer] { throw .isRunning }
    func add(_ lists: Set<String>, localTodos: SyncDestination?) async throws(SyncError) { throw .isRunning }
    func remove() async throws(SyncError) { throw .isRunning }
}

/// The account of a screenshot: the session and the profile are those of the user, the launch is that of the stage.
///
/// Only requests that read are sent. A code is shown as requested and verified, without a server.
final class StagedAccount: AccountServing {
    private let account: any AccountServing
    private let launch: ScreenStage.Launch
    private let version: String
    private let provider = Locked(false)

    init(_ account: any AccountServing, launch: ScreenStage.Launch, version: String) {
        (self.account, self.launch, self.version) = (account, launch, version)
    }

    var providers: [DeviceProvider] { account.providers }

    /// Whether an outside provider has responded.
    var hasProviderResponded: Bool { provider.withLock { $0 } }

    // MARK: Launch

    func checkVersion() async -> VersionCheck {
        switch launch {
        case .checkingVersion:
            // Until the screen is written and the launch is cancelled.
            try? await Task.sleep(for: .seconds(3600))
            return .current
        case .outdated:
            let number = version.split(separator: " ").last.map(String.init) ?? version
            return .outdated(
                OutdatedVersion(
                    current: number,
                    required: "\(number).1",
                    instructions: LocalizedText("Install the new version.", ko: "새 버전을 설치하세요.")
                )
            )
        default: return .current
        }
    }

    func restoreSession() async -> LaunchDecision {
        switch launch {
        case .checkingVersion, .outdated, .main, .account: LaunchDecision(.main(await account.session().profile))
        case .tutorial: LaunchDecision(.tutorial)
        case .start: LaunchDecision(.login)
        case .nickname: LaunchDecision(.nickname)
        }
    }

    func finishTutorial() async throws(AccountError) {}
    func hasAutoLoginConsent() async -> Bool { await account.hasAutoLoginConsent() }
    func setAutoLoginConsent(_ isGiven: Bool) async throws(AccountError) {}

    // MARK: Session

    func session() async -> AccountSession { await account.session() }
    func sessions() async -> AsyncStream<AccountSession> { await account.sessions() }

    func login(id: String, password: String) async throws(AccountError) -> AccountResult<Profile> { throw .cancelled }
    func continueAsGuest() async throws(AccountError) {}
    func logout(
        whenEnded: @escaping @Sendable @MainActor () -> Void
    ) async throws(AccountError) -> LogoutResult { throw .cancelled }

    // MARK: Sign-up

    func pendingCodeRequest() async -> CodeRequest? {
        CodeRequest(length: 6, validSeconds: 600, resendSeconds: 30)
    }

    func requestCode(phone: String) async throws(AccountError) -> CodeRequest {
        CodeRequest(length: 6, validSeconds: 600, resendSeconds: 30)
    }

    func verify(code: String) async throws(AccountError) {}
    func isVerified(phone: String) async -> Bool { false }
    func signUp(_ form: SignUpForm) async throws(AccountError) -> AccountResult<Profile> { throw .cancelled }

    // MARK: Account

    func loadProfile() async throws(AccountError) -> AccountResult<Profile> { try await account.loadProfile() }
    func queueStatus() async throws(AccountError) -> QueueStatus { try await account.queueStatus() }

    func changeNickname(_ nickname: String) async throws(AccountError) -> AccountResult<Profile> { throw .cancelled }
    func updateProfile(_ change: ProfileChange) async throws(AccountError) -> AccountResult<Profile> {
        throw .cancelled
    }
    func updatePushToken(_ token: String) async throws(AccountError) { throw .cancelled }
    func setQueued(_ isQueued: Bool) async throws(AccountError) -> QueueStatus { throw .cancelled }
    func changePassword(from old: String, to new: String) async throws(AccountError) { throw .cancelled }
    func withdraw(password: String) async throws(AccountError) { throw .cancelled }

    // MARK: Outside providers

    /// The sign-in of the provider, until its first code. A sign-in that succeeds before that is not stored by the screen.
    func signIn(with provider: DeviceProvider) -> AsyncStream<DeviceSignIn> {
        let steps = account.signIn(with: provider)
        return AsyncStream { continuation in
            let task = Task {
                for await step in steps {
                    continuation.yield(step)
                    if case .requesting = step { continue }
                    self.provider.withLock { $0 = true }
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }
}
