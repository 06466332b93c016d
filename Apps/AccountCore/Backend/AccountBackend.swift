package import EssentialFoundation
package import LocalProvider

/// The account server without sockets: the handlers that the embedded backend and `Scripts/backend` share.
///
/// Passwords are stored as Argon2id hashes and tokens as SHA-256 hashes. Every change is one transaction that is on the disk
/// before the response is returned, so that a response is never lost by a crash. The handlers block: call them on a thread that
/// may wait.
package final class AccountBackend: Sendable {
    private typealias Handler =
        @Sendable (AccountBackend, BackendRequest) throws(BackendFailure) -> BackendResponse

    let policy: BackendPolicy
    let gate: HashGate
    let deliver: @Sendable (_ phone: String, _ message: BackendMessage) -> Void
    private let store: JSONDefaults
    private let now: @Sendable () -> Date
    private let log: @Sendable (String) -> Void
    private let report: @Sendable (String) -> Void
    let challenges = ChallengeIssuer()

    /// Creates a backend. No file is accessed before the first request.
    ///
    /// - Parameters:
    ///   - location: the folder of the accounts.
    ///   - policy: the limits and costs.
    ///   - now: the current date.
    ///   - deliver: sends a message to a telephone number.
    ///   - log: receives a line for each request, without secrets and personal data.
    ///   - report: receives a line for what has to be mended: accounts that were damaged, or cannot be read or written.
    package init(
        location: FileStoreLocation,
        policy: BackendPolicy = BackendPolicy(),
        now: @escaping @Sendable () -> Date = { Date() },
        deliver: @escaping @Sendable (_ phone: String, _ message: BackendMessage) -> Void,
        log: @escaping @Sendable (String) -> Void = { _ in },
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        var options = JSONDefaults.Options()
        options.onRecovery = { report("\($0)") }
        store = JSONDefaults(location: location, name: Self.storeName, options: options)
        gate = HashGate(concurrent: policy.concurrentHashes, waiting: policy.waitingHashes)
        (self.policy, self.now, self.deliver, self.log, self.report) = (policy, now, deliver, log, report)
    }

    static let storeName = "accounts"

    /// The path of the file of the accounts.
    package var path: String { store.path }

    /// Creates the folder and the lock of the accounts, and repairs their file, before the first request.
    ///
    /// - Throws: ``LocalError`` with the path if accounts cannot be read or written.
    package func open() throws { try store.transaction { _ in } }

    /// Refuses the requests that wait for a hash, so that a server can stop.
    package func close() { gate.close() }

    // MARK: Requests

    private static let routes: [String: [String: Handler]] = [
        "/version": ["GET": { backend, _ in backend.version() }],
        "/verification": ["POST": { backend, request throws(BackendFailure) in try backend.requestCode(request) }],
        "/verification/check": ["POST": { backend, request throws(BackendFailure) in try backend.checkCode(request) }],
        "/user": [
            "POST": { backend, request throws(BackendFailure) in try backend.signUp(request) },
            "GET": { backend, request throws(BackendFailure) in try backend.profile(request) },
        ],
        "/user/nickname": ["POST": { backend, request throws(BackendFailure) in try backend.changeNickname(request) }],
        "/user/update/mypage": [
            "POST": { backend, request throws(BackendFailure) in try backend.updateProfile(request) }
        ],
        "/user/update_fcm_token": [
            "PUT": { backend, request throws(BackendFailure) in try backend.updatePushToken(request) }
        ],
        "/user/password": ["PUT": { backend, request throws(BackendFailure) in try backend.changePassword(request) }],
        "/user/withdraw": ["POST": { backend, request throws(BackendFailure) in try backend.withdraw(request) }],
        "/session": [
            "POST": { backend, request throws(BackendFailure) in try backend.login(request) },
            "DELETE": { backend, request throws(BackendFailure) in try backend.logout(request) },
        ],
        "/session/refresh": ["POST": { backend, request throws(BackendFailure) in try backend.refresh(request) }],
        "/queue": [
            "POST": { backend, request throws(BackendFailure) in try backend.setQueued(true, request) },
            "DELETE": { backend, request throws(BackendFailure) in try backend.setQueued(false, request) },
        ],
        "/queue/onqueue": ["GET": { backend, request throws(BackendFailure) in try backend.queueStatus(request) }],
    ]

    /// Returns whether a path belongs to the backend.
    package static func handles(_ path: String) -> Bool { routes[path] != nil }

    /// Returns the response to a request; blocks until everything that it reports is stored.
    package func response(to request: BackendRequest) -> BackendResponse {
        let response: BackendResponse
        do throws(BackendFailure) {
            guard let methods = Self.routes[request.path] else { throw .notFound }
            // The server omits the body of the response to HEAD.
            guard let handler = methods[request.method == "HEAD" ? "GET" : request.method] else {
                throw .methodNotAllowed(allowed: methods.keys.sorted().joined(separator: ", "))
            }
            guard request.body.count <= policy.maximumBody else { throw .bodyTooLarge }
            response = try handler(self, request)
        } catch {
            response = .failure(error)
        }
        // A path that the backend does not handle is not logged: it may contain anything.
        let path = Self.handles(request.path) ? request.path : "(another path)"
        log("\(Self.knownMethods.contains(request.method) ? request.method : "?") \(path) \(response.status)")
        return response
    }

    private static let knownMethods: Set<String> = ["GET", "POST", "PUT", "DELETE", "HEAD", "PATCH", "OPTIONS"]

    private func version() -> BackendResponse {
        .json(VersionBody(required: policy.requiredVersion, update: policy.updateInstructions))
    }

    // MARK: Store

    /// The current time in seconds.
    var time: Int { Int(now().timeIntervalSince1970.rounded(.down)) }

    /// The issuer of tokens at the current time.
    var issuer: TokenIssuer { TokenIssuer(policy: policy, now: time) }

    /// Reads and changes records as one step. A failure that `body` returns stores its changes; one that it throws does not.
    func change<Value>(
        durability: LocalDurability? = nil,
        _ body: (inout JSONDefaults.Transaction) throws -> Result<Value, BackendFailure>
    ) throws(BackendFailure) -> Value {
        let result: Result<Value, BackendFailure>
        do {
            result = try store.transaction(durability: durability, body)
        } catch let error as BackendFailure {
            throw error
        } catch {
            // The error names files and hashed identifiers only.
            report("the accounts cannot be read or written: \(error)")
            throw .internalError
        }
        return try result.get()
    }

    /// Runs `body` with the account of the request's access token, as one step.
    func authenticated<Value>(
        _ request: BackendRequest,
        _ body: (inout JSONDefaults.Transaction, AccountRecord) throws -> Result<Value, BackendFailure>
    ) throws(BackendFailure) -> Value {
        guard let token = request.bearerToken else { throw .invalidToken }
        let issuer = issuer
        return try change { transaction in
            guard let account = try issuer.account(of: token, in: &transaction) else { return .failure(.invalidToken) }
            return try body(&transaction, account)
        }
    }

    /// Removes the bytes of removed records from all files.
    func purge() throws(BackendFailure) {
        do throws(LocalError) {
            try store.purge()
        } catch {
            report("removed accounts may remain in the files: \(error)")
            throw .internalError
        }
    }

    /// Logs a line.
    func note(_ line: String) { log(line) }
}
