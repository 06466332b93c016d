import AppLanguage
package import HTTPTransport
package import LocalProvider
package import NetworkProvider
import TextEscaping

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The account over a server: the embedded backend, or a real one.
///
/// Every change of the session is stored in an order in which a crash leaves either the old or the new session: the tokens are
/// stored before the state that refers to them, and removed after it.
package actor AccountService: AccountServing {
    /// What the service needs besides the server.
    package struct Options: Sendable {
        /// The version of the app.
        package var version: String
        /// The configured outside providers.
        package var providers: [DeviceProvider]
        /// The `User-Agent` of every request.
        package var userAgent: String
        /// Further plugins of every request, such as a log.
        package var plugins: [any NetworkPlugin] = []
        /// The limit of the requests that the launch waits for.
        package var launchLimit = Duration.seconds(3)
        /// The limit of every other request.
        package var requestLimit = Duration.seconds(20)
        /// The clock of the waits between two polls of an outside provider.
        package var clock: any Clock<Duration> = ContinuousClock()
        /// The present date.
        package var now: @Sendable () -> Date = { Date() }

        /// Creates options.
        package init(version: String, providers: [DeviceProvider] = [], userAgent: String = "PawKit") {
            (self.version, self.providers, self.userAgent) = (version, providers, userAgent)
        }
    }

    package nonisolated let providers: [DeviceProvider]

    private let base: String
    private let store: AccountStore
    private let options: Options
    private let outbox: EmbeddedOutbox?
    /// Requests without a credential.
    private let open: NetworkProvider
    /// Requests with the access token of the session.
    private let network: NetworkProvider
    private let authentication: AuthenticationPlugin
    private let refresher: SessionRefresher
    private let grants: DeviceGrants

    private var isLoaded = false
    private var present = AccountSession.signedOut
    private var verificationRequest: (phone: String, token: String)?
    private var observers: [Int: AsyncStream<AccountSession>.Continuation] = [:]
    private var observerCount = 0

    /// Creates a service over a server. Nothing is sent or read before the first call.
    ///
    /// - Parameters:
    ///   - base: the base URL of the server, without a slash at the end.
    ///   - location: the folder of the app's data.
    ///   - keyPath: the path of the key that seals the tokens; see ``AccountStore``.
    ///   - transport: sends the requests; `nil` for the platform's own.
    ///   - options: what the service needs besides.
    package init(
        base: String,
        location: FileStoreLocation,
        keyPath: String,
        transport: (any HTTPTransport)? = nil,
        options: Options
    ) {
        self.init(base: base, location: location, keyPath: keyPath, transport, outbox: nil, options)
    }

    /// Creates a service over a backend in this process, whose accounts are in a folder of the app's data.
    ///
    /// - Parameters:
    ///   - location: the folder of the app's data.
    ///   - keyPath: the path of the key that seals the tokens; see ``AccountStore``.
    ///   - policy: the limits and costs of the backend.
    ///   - options: what the service needs besides.
    /// - Returns: the service.
    package static func embedded(
        location: FileStoreLocation,
        keyPath: String,
        policy: BackendPolicy = BackendPolicy(),
        options: Options
    ) -> AccountService {
        let outbox = EmbeddedOutbox()
        let backend = AccountBackend(
            location: FileStoreLocation(directory: location.path + "/backend"),
            policy: policy,
            now: options.now,
            deliver: { phone, message in outbox.deliver(message, to: phone) }
        )
        return AccountService(
            base: EmbeddedTransport.base,
            location: location,
            keyPath: keyPath,
            EmbeddedTransport(backend),
            outbox: outbox,
            options
        )
    }

    private init(
        base: String,
        location: FileStoreLocation,
        keyPath: String,
        _ transport: (any HTTPTransport)?,
        outbox: EmbeddedOutbox?,
        _ options: Options
    ) {
        (self.base, self.outbox, self.options, providers) = (base, outbox, options, options.providers)
        let store = AccountStore(location: location, keyPath: keyPath, server: base)
        self.store = store
        let plugins: [any NetworkPlugin] =
            [RequestPlugin(userAgent: options.userAgent, limit: options.requestLimit)] + options.plugins
        let open = Self.provider(transport, plugins)
        let grants = DeviceGrants(providers: options.providers, plugins: plugins, options: options)
        let refresher = SessionRefresher(store: store, now: options.now) { [now = options.now] stored in
            if let name = stored.provider { return try await grants.client(named: name).refresh(stored) }
            guard let token = stored.refresh else { throw AccountError.sessionEnded }
            return StoredSession(
                try await open.result(AccountTargets.Refresh(base: base, token: token)).value,
                now: now()
            )
        }
        let authentication = AuthenticationPlugin(
            nil,
            for: .only([base]),
            refreshing: .init(timeLimit: .seconds(20), leeway: .seconds(60)),
            now: options.now
        ) { try await refresher.refresh($0) }
        (self.open, self.grants, self.refresher, self.authentication) = (open, grants, refresher, authentication)
        network = Self.provider(transport, plugins + [RetryPlugin(), authentication])
    }

    /// Redirects are not followed: the requests contain secrets, and no server of this protocol redirects.
    private static func provider(
        _ transport: (any HTTPTransport)?,
        _ plugins: [any NetworkPlugin]
    ) -> NetworkProvider {
        let redaction = Redaction(fields: Redaction.usualFields.union(["idtoken", "request", "code"]))
        guard let transport else {
            return NetworkProvider(
                plugins: plugins,
                redirects: .none,
                redaction: redaction,
                maximumBodyBytes: 256 << 10
            )
        }
        return NetworkProvider(
            transport: AnyTransport(transport),
            plugins: plugins,
            redirects: .none,
            redaction: redaction,
            maximumBodyBytes: 256 << 10
        )
    }

    // MARK: Launch

    package func checkVersion() async -> VersionCheck {
        let target = AccountTargets.Version(base: base, limit: options.launchLimit)
        do throws(AccountError) {
            let body = try await open.result(target).value
            guard let required = AppVersion(body.required), let current = AppVersion(options.version) else {
                throw .unusable(.malformed)
            }
            if required <= current { return .current }
            // The text of a server is shown: without control characters, and short.
            let text = body.update.map { LocalizedText(verbatim: $0.escapingControls(limit: 500)) }
            return .outdated(
                OutdatedVersion(
                    current: options.version,
                    required: body.required,
                    instructions: text ?? LocalizedText("Install the new version.", ko: "새 버전을 설치하세요.")
                )
            )
        } catch {
            return .unknown(
                LocalizedText(
                    "The version could not be checked. \(error.text(.english))",
                    ko: "버전을 확인하지 못했습니다. \(error.text(.korean))"
                )
            )
        }
    }

    package func restoreSession() async -> LaunchDecision {
        var (launch, server, notices) = await store.load()
        publish(Self.session(of: server))
        guard launch.isTutorialSeen else { return LaunchDecision(.tutorial, notices: notices) }
        switch server.branch {
        case nil: return LaunchDecision(.verification, notices: notices)
        case .successLogin: return LaunchDecision(.nickname, notices: notices)
        case .guest: return LaunchDecision(.main(nil), notices: notices)
        case .signedOut: return LaunchDecision(.login, notices: notices)
        case .alreadySignUp: break
        }
        do throws(AccountError) {
            guard let session = try await store.session() else {
                notices.append(
                    LocalizedText(
                        "You are not signed in on this machine. Log in to reach your account.",
                        ko: "이 컴퓨터에 로그인되어 있지 않습니다. 계정을 사용하려면 로그인하세요."
                    )
                )
                return LaunchDecision(.main(server.profile), notices: notices)
            }
            let profile = try await currentProfile(session, server.profile)
            return LaunchDecision(.main(profile), notices: notices)
        } catch {
            notices.append(error.text)
            switch error {
            case .sessionEnded:
                await endSession()
                return LaunchDecision(.login, notices: notices)
            // The sealed tokens cannot be read: the user signs in again. They stay as they are.
            case .storage: return LaunchDecision(.login, notices: notices)
            case .serverFailed, .unusable(.status): return LaunchDecision(.nickname, notices: notices)
            default: return LaunchDecision(.main(server.profile), notices: notices)
            }
        }
    }

    /// Returns the profile of a stored session, from the server if it responds in time.
    private func currentProfile(
        _ session: StoredSession,
        _ stored: Profile?
    ) async throws(AccountError) -> Profile? {
        if session.provider != nil {
            guard let expires = session.expires, session.refresh != nil else { return stored }
            let limit = options.now().addingTimeInterval(60)
            if expires <= limit { _ = try await refreshed { $0.expires.map { $0 > limit } ?? true } }
            return stored
        }
        authentication.setCredential(session.credential)
        return try await loadProfile(within: options.launchLimit * 2).value
    }

    private func refreshed(
        unless isUsable: @escaping @Sendable (StoredSession) -> Bool
    ) async throws(AccountError) -> StoredSession {
        do { return try await refresher.refreshed(unless: isUsable) } catch { throw AccountError(error) }
    }

    package func finishTutorial() async throws(AccountError) {
        try await store.updateLaunch { $0.isTutorialSeen = true }
    }

    package func hasAutoLoginConsent() async -> Bool { await store.load().launch.hasAutoLoginConsent }

    package func setAutoLoginConsent(_ isGiven: Bool) async throws(AccountError) {
        try await store.updateLaunch { $0.hasAutoLoginConsent = isGiven }
    }

    // MARK: Session

    package func session() async -> AccountSession {
        if !isLoaded { publish(Self.session(of: await store.load().server)) }
        return present
    }

    package func sessions() async -> AsyncStream<AccountSession> {
        let first = await session()
        let (stream, continuation) = AsyncStream.makeStream(
            of: AccountSession.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        continuation.yield(first)
        observerCount += 1
        let number = observerCount
        observers[number] = continuation
        continuation.onTermination = { [weak self] _ in Task { await self?.removeObserver(number) } }
        return stream
    }

    private func removeObserver(_ number: Int) { observers[number] = nil }

    private static func session(of state: ServerState) -> AccountSession {
        switch state.branch {
        case .alreadySignUp: .signedIn(state.profile ?? Profile(id: "", nickname: ""))
        case .guest: .guest
        default: .signedOut
        }
    }

    private func publish(_ session: AccountSession) {
        isLoaded = true
        guard session != present else { return }
        present = session
        for observer in observers.values { observer.yield(session) }
    }

    package func login(id: String, password: String) async throws(AccountError) -> AccountResult<Profile> {
        for (text, field) in [(id, AccountField.id), (password, .password)] {
            guard AccountValidator.validity(of: text, as: field).isValid else { throw .invalid(field) }
        }
        let result = try await open.result(AccountTargets.Login(base: base, id: id, password: password))
        return try await signedIn(result)
    }

    package func continueAsGuest() async throws(AccountError) {
        try await store.setServerState(ServerState(.guest))
        publish(.guest)
    }

    package func logout() async throws(AccountError) -> LogoutResult {
        let stored = try? await store.session()
        try await store.setServerState(ServerState(.signedOut))
        authentication.setCredential(nil)
        publish(.signedOut)
        try await store.set(StoredSession?.none)
        guard let stored else { return .everywhere }
        do throws(AccountError) {
            if let name = stored.provider {
                return try await grants.client(named: name).revoke(stored) ? .everywhere : .onThisMachineOnly
            }
            _ = try await open.result(AccountTargets.Logout(base: base, token: stored.refresh ?? stored.access))
            return .everywhere
        } catch {
            // The session of an expired token has ended on the server already.
            return error == .sessionEnded ? .everywhere : .onThisMachineOnly
        }
    }

    /// Stores the session that a response starts.
    private func signedIn(_ result: AccountResult<SignedInBody>) async throws(AccountError) -> AccountResult<Profile> {
        let session = StoredSession(result.value.tokens, now: options.now())
        try await store(session, result.value.profile)
        return AccountResult(result.value.profile, status: result.status)
    }

    /// Stores a session. The state is stored last: without it, the tokens are not used.
    private func store(_ session: StoredSession, _ profile: Profile) async throws(AccountError) {
        guard !Task.isCancelled else { throw .cancelled }
        // Without a state that refers to them, a crash between the two writes leaves no tokens of another account.
        if case .signedIn = await self.session() { try await store.setServerState(ServerState(.signedOut)) }
        try await store.set(session)
        try await store.setServerState(ServerState(.alreadySignUp, profile: profile))
        authentication.setCredential(session.provider == nil ? session.credential : nil)
        publish(.signedIn(profile))
    }

    /// Ends the session on this machine after the server has refused its tokens.
    private func endSession() async {
        try? await store.setServerState(ServerState(.signedOut))
        try? await store.set(StoredSession?.none)
        authentication.setCredential(nil)
        publish(.signedOut)
    }

    // MARK: Sign-up

    package func requestCode(phone: String) async throws(AccountError) -> CodeRequest {
        guard let number = AccountValidator.normalizedPhone(phone) else { throw .invalid(.phone) }
        let body = try await open.result(AccountTargets.RequestCode(base: base, phone: number)).value
        verificationRequest = (number, body.request)
        return CodeRequest(
            length: body.length,
            validSeconds: body.valid,
            resendSeconds: body.resend,
            message: outbox?.takeMessage(for: number)
        )
    }

    package func verify(code: String) async throws(AccountError) {
        guard AccountValidator.validity(of: code, as: .code).isValid else { throw .invalid(.code) }
        guard let request = verificationRequest else { throw .codeEnded }
        let target = AccountTargets.CheckCode(base: base, request: request.token, code: code)
        let body = try await open.result(target).value
        try await store.set(PendingSignUp(phone: request.phone, idToken: body.idtoken))
        if await session().profile == nil { try await store.setServerState(ServerState(.successLogin)) }
        verificationRequest = nil
    }

    package func signUp(_ form: SignUpForm) async throws(AccountError) -> AccountResult<Profile> {
        if let field = form.firstInvalidField { throw .invalid(field) }
        guard !AccountValidator.isCommonPassword(form.password, id: form.id) else { throw .commonPassword }
        guard let pending = try await store.pendingSignUp() else { throw .notVerified }
        let target = AccountTargets.SignUp(base: base, form: form, pending: pending, pushToken: "")
        let result: AccountResult<SignedInBody>
        do throws(AccountError) {
            result = try await open.result(target)
        } catch {
            // The number has to be verified again, also after a restart.
            if error == .notVerified, await session().profile == nil {
                try await store.setServerState(ServerState())
                try await store.set(PendingSignUp?.none)
            }
            throw error
        }
        let profile = try await signedIn(result)
        // Harmless if it stays: the server has used it.
        try? await store.set(PendingSignUp?.none)
        return profile
    }

    // MARK: Account

    package func loadProfile() async throws(AccountError) -> AccountResult<Profile> {
        try await loadProfile(within: .seconds(20))
    }

    private func loadProfile(within limit: Duration) async throws(AccountError) -> AccountResult<Profile> {
        try await changedProfile(AccountTargets.LoadProfile(base: base, limit: limit))
    }

    package func changeNickname(_ nickname: String) async throws(AccountError) -> AccountResult<Profile> {
        guard AccountValidator.validity(of: nickname, as: .nickname).isValid else { throw .invalid(.nickname) }
        return try await changedProfile(AccountTargets.ChangeNickname(base: base, nickname: nickname))
    }

    package func updateProfile(_ change: ProfileChange) async throws(AccountError) -> AccountResult<Profile> {
        for (text, field) in [
            (change.nickname, AccountField.nickname), (change.birth, .birth), (change.email, .email),
        ] {
            guard text.map({ AccountValidator.validity(of: $0, as: field).isValid }) ?? true else {
                throw .invalid(field)
            }
        }
        return try await changedProfile(AccountTargets.UpdateProfile(base: base, change: change))
    }

    /// Sends a target whose response is the profile, and stores the profile.
    private func changedProfile<Target: AccountTarget>(
        _ target: Target
    ) async throws(AccountError) -> AccountResult<Profile> where Target.Value == Profile {
        let result = try await sendSignedIn(target)
        if present.profile != result.value {
            try await store.setServerState(ServerState(.alreadySignUp, profile: result.value))
            publish(.signedIn(result.value))
        }
        return result
    }

    package func updatePushToken(_ token: String) async throws(AccountError) {
        _ = try await sendSignedIn(AccountTargets.UpdatePushToken(base: base, token: token))
    }

    package func setQueued(_ isQueued: Bool) async throws(AccountError) -> QueueStatus {
        try await sendSignedIn(AccountTargets.SetQueued(base: base, isQueued: isQueued)).value
    }

    package func queueStatus() async throws(AccountError) -> QueueStatus {
        try await sendSignedIn(AccountTargets.LoadQueueStatus(base: base)).value
    }

    package func changePassword(from old: String, to new: String) async throws(AccountError) {
        guard AccountValidator.validity(of: new, as: .password).isValid else { throw .invalid(.password) }
        let result = try await sendSignedIn(AccountTargets.ChangePassword(base: base, old: old, new: new))
        _ = try await signedIn(result)
    }

    package func withdraw(password: String) async throws(AccountError) {
        _ = try await sendSignedIn(AccountTargets.Withdraw(base: base, password: password))
        try await store.setServerState(ServerState())
        authentication.setCredential(nil)
        publish(.signedOut)
        try await store.set(StoredSession?.none)
    }

    // MARK: Outside providers

    package nonisolated func signIn(with provider: DeviceProvider) -> AsyncStream<DeviceSignIn> {
        AsyncStream { continuation in
            let task = Task {
                let client = grants.client(for: provider)
                await client.signIn {
                    continuation.yield($0)
                } store: { session, profile throws(AccountError) in
                    try await self.store(session, profile)
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    // MARK: Requests

    /// Sends a target with the credential of the session.
    private func sendSignedIn<Target: AccountTarget>(
        _ target: Target
    ) async throws(AccountError) -> AccountResult<Target.Value> {
        if authentication.credential == nil {
            guard case .signedIn = await session(), let stored = try await store.session() else { throw .sessionEnded }
            if let name = stored.provider {
                throw .providerUnavailable(name: name, detail: "the account is managed by the provider")
            }
            authentication.setCredential(stored.credential)
        }
        do throws(AccountError) {
            return try await network.result(target)
        } catch {
            if error == .sessionEnded { await endSession() }
            throw error
        }
    }
}

extension NetworkProvider {
    /// Sends a target of the account server and returns its value with the status.
    fileprivate func result<Target: AccountTarget>(
        _ target: Target
    ) async throws(AccountError) -> AccountResult<Target.Value> {
        let reply: AccountReply
        do throws(NetworkError) {
            reply = try await request(target)
        } catch {
            throw AccountError(error)
        }
        return AccountResult(try target.value(of: reply), status: reply.status)
    }
}
