import AccountCore
import AppLanguage
import RIBs

/// The logic of the launch: the version first, then the stored state.
///
/// Both steps have a time limit. A server that is offline, slow or broken does not stop the launch: the app continues from
/// what is stored on this machine, with a notice; a user for whose session the server has another status than 200 and 401 is led
/// to the details of the sign-up. Only a server that requires a newer version stops the launch.
@MainActor
final class LaunchInteractor: PresentableInteractor<any LaunchPresentable>, LaunchPresentableListener {
    /// How long the launch waits for the version.
    static let versionTimeLimit = Duration.seconds(4)
    /// How long the launch waits for the stored state and the session, which may need a refresh.
    static let sessionTimeLimit = Duration.seconds(12)

    weak var listener: (any LaunchListener)?

    private let account: any AccountServing
    private let clock: any Clock<Duration>
    private var isRunning = false

    init(presenter: any LaunchPresentable, account: any AccountServing, clock: any Clock<Duration>) {
        self.account = account
        self.clock = clock
        super.init(presenter: presenter)
        presenter.listener = self
    }

    override func didBecomeActive() {
        super.didBecomeActive()
        start()
    }

    func didChooseRetry() { start() }

    func didChooseQuit() { listener?.launchDidQuit() }

    private func start() {
        guard !isRunning else { return }
        isRunning = true
        presenter.show(.checkingVersion)
        task { [weak self] in await self?.run() }
    }

    private func run() async {
        defer { isRunning = false }
        var notices: [LocalizedText] = []
        let account = account
        switch await first(within: Self.versionTimeLimit, of: { await account.checkVersion() }) {
        case .current: break
        case .outdated(let version):
            if isActive { presenter.show(.outdated(version)) }
            return
        case .unknown(let reason): notices.append(reason)
        case nil: notices.append(LaunchText.slowVersion)
        }
        guard isActive else { return }
        presenter.show(.restoring)
        let decision = await first(within: Self.sessionTimeLimit, of: { await account.restoreSession() })
        guard isActive else { return }
        if let decision {
            listener?.launchDidFinish(decision.branch, notices: notices + decision.notices)
        } else {
            listener?.launchDidFinish(.login, notices: notices + [LaunchText.slowSession])
        }
    }

    /// Returns the result of an operation, or `nil` if it takes longer than the limit. The operation is then cancelled.
    private func first<Value: Sendable>(
        within limit: Duration,
        of operation: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let (results, continuation) = AsyncStream.makeStream(of: Value?.self)
        let work = Task { continuation.yield(await operation()) }
        let timer = Task { [clock] in
            if (try? await clock.sleep(for: limit)) != nil { continuation.yield(nil) }
        }
        defer {
            work.cancel()
            timer.cancel()
        }
        // Ends without a value when the launch is detached.
        for await result in results { return result }
        return nil
    }
}

/// The state of the splash screen.
enum SplashState: Hashable, Sendable {
    /// The required version is being requested.
    case checkingVersion
    /// The stored state is being read, and the session verified.
    case restoring
    /// The server requires a newer version.
    case outdated(OutdatedVersion)
}

/// The splash screen, as its interactor uses it.
@MainActor
protocol LaunchPresentable: Presentable {
    var listener: (any LaunchPresentableListener)? { get set }

    /// Shows a state.
    func show(_ state: SplashState)
}

/// The user's actions on the splash screen.
@MainActor
protocol LaunchPresentableListener: AnyObject {
    /// The version is to be checked again.
    func didChooseRetry()

    /// The app is to end.
    func didChooseQuit()
}
