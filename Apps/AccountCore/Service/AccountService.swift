package import EssentialFoundation
package import HTTPTransport
package import LocalProvider
package import NetworkProvider
import Threading

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
        /// The current date.
        package var now: @Sendable () -> Date = { Date() }

        /// Creates options.
        package init(version: String, providers: [DeviceProvider] = [], userAgent: String = "PawKit") {
            (self.version, self.providers, self.userAgent) = (version, providers, userAgent)
        }
    }

    package nonisolated let providers: [DeviceProvider]

    let base: String
    let store: AccountStore
    let options: Options
    let outbox: EmbeddedOutbox?
    /// The folder of the accounts of the embedded backend.
    let accounts: FileStoreLocation?
    /// Requests without a credential.
    let open: NetworkProvider
    /// Requests with the access token of the session.
    let network: NetworkProvider
    let authentication: AuthenticationPlugin
    let refresher: SessionRefresher
    /// The sign-in to which the credential belongs.
    private let signIn: Locked<String?>
    private let grants: DeviceGrants

    private var isLoaded = false
    private(set) var present = AccountSession.signedOut
    /// Increases when a session begins or ends, so that a response to a request of an earlier one has no effect.
    private(set) var sessionNumber = 0
    private var isChangingSession = false
    private var waitingChanges: [CheckedContinuation<Void, Never>] = []
    /// The code that was requested last, also by an earlier process.
    var requestedCode: PendingCode?
    private let observers = Broadcast<AccountSession>(unreadLimit: 1)

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
        self.init(base: base, location: location, keyPath: keyPath, transport, outbox: nil, accounts: nil, options)
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
        let accounts = AccountBackend.embeddedLocation(in: location)
        let backend = AccountBackend(
            location: accounts,
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
            accounts: accounts,
            options
        )
    }

    private init(
        base: String,
        location: FileStoreLocation,
        keyPath: String,
        _ transport: (any HTTPTransport)?,
        outbox: EmbeddedOutbox?,
        accounts: FileStoreLocation?,
        _ options: Options
    ) {
        (self.base, self.outbox, self.accounts) = (base, outbox, accounts)
        (self.options, providers) = (options, options.providers)
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
        let signIn = Locked(String?.none)
        let authentication = AuthenticationPlugin(
            nil,
            for: .only([base]),
            refreshing: .init(timeLimit: .seconds(20), leeway: .seconds(60)),
            now: options.now
        ) { try await refresher.refresh($0, of: signIn.withLock { $0 }) }
        (self.open, self.grants, self.refresher, self.authentication) = (open, grants, refresher, authentication)
        self.signIn = signIn
        network = Self.provider(transport, plugins + [RetryPlugin(), authentication])
    }

    /// Redirects are not followed: the requests contain secrets, and no server of this protocol redirects.
    private static func provider(_ transport: (any HTTPTransport)?, _ plugins: [any NetworkPlugin]) -> NetworkProvider {
        NetworkProvider(
            transport: transport,
            plugins: plugins,
            redirects: .none,
            redaction: Redaction(fields: Redaction.usualFields.union(["idtoken", "request", "code"])),
            maximumBodyBytes: 256 << 10
        )
    }

    // MARK: Session

    package func session() async -> AccountSession {
        if !isLoaded { publish(Self.session(of: await store.load().server)) }
        return present
    }

    package func sessions() async -> AsyncStream<AccountSession> {
        let first = await session()
        return observers.stream(first: first)
    }

    static func session(of state: ServerState) -> AccountSession {
        switch state.branch {
        case .alreadySignUp: .signedIn(state.profile ?? Profile(id: "", nickname: ""))
        case .guest: .guest
        default: .signedOut
        }
    }

    func publish(_ session: AccountSession) {
        isLoaded = true
        guard session != present else { return }
        present = session
        observers.send(session)
    }

    package func login(id: String, password: String) async throws(AccountError) -> AccountResult<Profile> {
        for (text, field) in [(id, AccountField.id), (password, .password)] {
            guard AccountValidator.validity(of: text, as: field).isValid else { throw .invalid(field) }
        }
        var target = AccountTargets.Login(base: base, id: id, password: password)
        // After failed logins the server sets a challenge. It may set another one if further logins fail at the same time.
        for _ in 0..<3 {
            let reply = try await open.reply(to: target)
            guard let challenge = reply.challenge, challenge.bits <= LoginChallenge.limit else {
                return try await signedIn(AccountResult(try target.value(of: reply), status: reply.status))
            }
            target.challenge = challenge
            do { target.proof = try await challenge.solved() } catch { throw .cancelled }
        }
        throw .throttled(seconds: 30)
    }

    package func continueAsGuest() async throws(AccountError) {
        try await changingSession { () async throws(AccountError) in
            try await store.setServerState(ServerState(.guest))
            publish(.guest)
        }
    }

    package func logout(
        whenEnded: @escaping @Sendable @MainActor () -> Void
    ) async throws(AccountError) -> LogoutResult {
        let stored = try await changingSession { () async throws(AccountError) in
            let stored = try? await store.session()
            try await store.setServerState(ServerState(.signedOut))
            start(nil)
            publish(.signedOut)
            try await store.set(StoredSession?.none)
            return stored
        }
        await whenEnded()
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

    /// Stores the session that a response starts, or the other tokens with which the session of a number continues.
    func signedIn(
        _ result: AccountResult<SignedInBody>,
        continuing number: Int? = nil
    ) async throws(AccountError) -> AccountResult<Profile> {
        let session = StoredSession(result.value.tokens, now: options.now())
        try await store(session, result.value.profile, continuing: number)
        return AccountResult(result.value.profile, status: result.status)
    }

    /// Changes the stored session, and the present one with it, one change at a time.
    ///
    /// - Parameters:
    ///   - number: the session that the change is about; `nil` for any.
    ///   - change: the change. It waits for the store only.
    /// - Returns: the result of the change.
    /// - Throws: the error of the change; ``AccountError/cancelled`` if the session has ended.
    func changingSession<Value: Sendable>(
        of number: Int? = nil,
        _ change: () async throws(AccountError) -> Value
    ) async throws(AccountError) -> Value {
        while isChangingSession { await withCheckedContinuation { waitingChanges.append($0) } }
        isChangingSession = true
        defer {
            isChangingSession = false
            if !waitingChanges.isEmpty { waitingChanges.removeFirst().resume() }
        }
        guard number == nil || number == sessionNumber else { throw .cancelled }
        return try await change()
    }

    /// Starts a session; `nil` for none.
    func start(_ session: StoredSession?) {
        sessionNumber += 1
        use(session)
    }

    /// Uses a session for the requests; `nil` for none.
    func use(_ session: StoredSession?) {
        signIn.withLock { $0 = session?.signIn }
        authentication.setCredential(session?.provider == nil ? session?.credential : nil)
    }

    /// Stores a session. The state is stored last: without it, the tokens are not used.
    private func store(
        _ session: StoredSession,
        _ profile: Profile,
        continuing number: Int? = nil
    ) async throws(AccountError) {
        try await changingSession(of: number) { () async throws(AccountError) in
            guard !Task.isCancelled else { throw .cancelled }
            var session = session
            session.signIn = number == nil ? UUID().uuidString : signIn.withLock { $0 }
            // Without a state that refers to them, a crash between the two writes leaves no tokens of another account.
            if case .signedIn = await self.session() { try await store.setServerState(ServerState(.signedOut)) }
            try await store.set(session)
            try await store.setServerState(ServerState(.alreadySignUp, profile: profile))
            if number == nil { start(session) } else { use(session) }
            publish(.signedIn(profile))
        }
    }

    /// Ends the session of a number on this machine after the server has refused its tokens, unless it has ended already.
    /// The sign-in of another process stays.
    func endSession(_ number: Int) async {
        // The only error: it has ended already.
        try? await changingSession(of: number) { () async throws(AccountError) in
            let stored = try? await store.session()
            if stored == nil || stored?.signIn == signIn.withLock({ $0 }) {
                try? await store.setServerState(ServerState(.signedOut))
                try? await store.set(StoredSession?.none)
            }
            start(nil)
            publish(.signedOut)
        }
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

    /// Sends a target with the credential of the session. By the time of the response the session may have ended; see
    /// ``sessionNumber``.
    func sendSignedIn<Target: AccountTarget>(
        _ target: Target
    ) async throws(AccountError) -> AccountResult<Target.Value> {
        let number = sessionNumber
        if authentication.credential == nil {
            guard case .signedIn = await session() else { throw .sessionEnded }
            let stored = try await store.session()
            guard number == sessionNumber else { throw .cancelled }
            guard let stored else {
                await endSession(number)
                throw .sessionEnded
            }
            if let name = stored.provider { throw .providerUnavailable(name: name, .managed) }
            use(stored)
        }
        do throws(AccountError) {
            return try await network.result(target)
        } catch {
            if error == .sessionEnded { await endSession(number) }
            throw error
        }
    }
}

extension NetworkProvider {
    /// Sends a target of the account server and returns its value with the status.
    func result<Target: AccountTarget>(_ target: Target) async throws(AccountError) -> AccountResult<Target.Value> {
        let reply = try await reply(to: target)
        return AccountResult(try target.value(of: reply), status: reply.status)
    }

    /// Sends a target of the account server and returns its response, whatever the status.
    func reply<Target: AccountTarget>(to target: Target) async throws(AccountError) -> AccountReply {
        do throws(NetworkError) { return try await request(target) } catch { throw AccountError(error) }
    }
}
