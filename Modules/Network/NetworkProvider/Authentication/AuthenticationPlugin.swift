public import EssentialFoundation
import Threading

/// Adds a credential to requests, and refreshes it when the server refuses it.
///
/// ```swift
/// let sessions = NetworkProvider()
/// let authentication = AuthenticationPlugin(.bearer(tokens.access), for: .only(["https://dog.ceo"])) { _ in
///     .bearer(try await sessions.request(RefreshToken(tokens.refresh)).access)
/// }
/// let provider = NetworkProvider(plugins: [RetryPlugin(), authentication])
/// ```
///
/// A response with status 401 starts one refresh, however many requests are refused until it ends; then all of them are sent
/// again. A request that was sent with the old credential and is refused after the refresh is sent again without another
/// refresh. If the refresh fails, all requests that wait for it fail with the same ``AuthenticationError``. A request that
/// is refused a second time returns its 401 response. A credential that says when it expires is refreshed shortly before.
///
/// The refresh may use the same provider: its own requests carry no credential of this plugin and do not wait. It
/// continues when the request that started it is cancelled, since many refresh tokens can be used only once. It is bounded
/// by ``Refreshing/timeLimit``, and a waiting request by its own total timeout. Refreshes that do not help are repeated
/// after growing pauses only (``Refreshing/pause``).
///
/// A request that already has the credential's field is sent unchanged. The field is never sent to another origin by a
/// redirect, and is redacted in errors and logs. A refusal after redirects that left the origin, where the credential was
/// removed, is returned and starts no refresh; so is one of a GET to which a processed POST was redirected.
public final class AuthenticationPlugin: NetworkPlugin {
    /// The servers that receive a credential.
    public enum Audience: Sendable, Hashable {
        /// The servers of these bases: scheme, host and port count, such as `https://dog.ceo`.
        case only([String])
        /// Every server that the provider sends requests to.
        case everyServer
    }

    /// The limits of refreshes.
    public struct Refreshing: Sendable, Hashable {
        /// The maximum duration of one refresh; after it the refresh is cancelled and counts as failed.
        public var timeLimit: Duration
        /// How long before its expiry a credential is refreshed.
        public var leeway: Duration
        /// The pause after the second refresh in a row that failed, or whose credential was refused at once; it doubles up
        /// to a minute. A refusal during a pause starts no refresh: it fails with the last error, or is returned.
        public var pause: Duration

        /// Creates limits.
        public init(
            timeLimit: Duration = .seconds(30),
            leeway: Duration = .seconds(30),
            pause: Duration = .seconds(1)
        ) {
            self.timeLimit = timeLimit
            self.leeway = leeway
            self.pause = pause
        }
    }

    /// The fields and parameters that may carry the credential, now or later: the provider leaves them out of errors and
    /// logs, removes them from redirects to other origins, and separates cached responses by them.
    public let secrets: Redaction
    private let refresher: CredentialRefresher
    private let scope: CredentialScope
    private let isRefusal: @Sendable (HTTPResponseHead) -> Bool

    /// Creates a plugin that refreshes its credential.
    /// - Parameters:
    ///   - credential: the first credential; nil sends requests without one until ``setCredential(_:)``.
    ///   - audience: the servers that receive it.
    ///   - names: the header fields and parameters of later credentials, besides the first one's and Authorization. A
    ///     credential in another field is refused, since errors and logs would show it.
    ///   - applies: which requests to those servers receive it; all by default.
    ///   - isRefusal: which responses refuse the credential; status 401 by default.
    ///   - refreshing: the limits of refreshes.
    ///   - now: the current date, for the expiry of credentials.
    ///   - refresh: returns a new credential in place of a refused or expiring one.
    public init(
        _ credential: Credential?,
        for audience: Audience,
        names: Set<String> = [],
        applies: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true },
        isRefusal: @escaping @Sendable (HTTPResponseHead) -> Bool = { $0.status == 401 },
        refreshing: Refreshing = Refreshing(),
        now: @escaping @Sendable () -> Date = { Date() },
        refresh: @escaping @Sendable (_ refused: Credential) async throws -> Credential
    ) {
        refresher = CredentialRefresher(credential, refreshing, now: now, refresh: refresh)
        secrets = AuthenticationPlugin.secrets(of: credential, names)
        scope = CredentialScope(audience, applies)
        self.isRefusal = isRefusal
    }

    /// Creates a plugin that does not refresh its credential: a refusal is returned.
    /// - Parameters:
    ///   - credential: the first credential; nil sends requests without one until ``setCredential(_:)``.
    ///   - audience: the servers that receive it.
    ///   - names: the header fields and parameters of later credentials.
    ///   - applies: which requests to those servers receive it; all by default.
    public init(
        _ credential: Credential?,
        for audience: Audience,
        names: Set<String> = [],
        applies: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true }
    ) {
        refresher = CredentialRefresher(credential, Refreshing(), now: { Date() }, refresh: nil)
        secrets = AuthenticationPlugin.secrets(of: credential, names)
        scope = CredentialScope(audience, applies)
        isRefusal = { _ in false }
    }

    private static func secrets(of credential: Credential?, _ names: Set<String>) -> Redaction {
        let declared = Redaction(headers: names.union(["Authorization"]), parameters: names, fields: [])
        return credential.map { declared.union($0.secrets) } ?? declared
    }

    /// The current credential.
    public var credential: Credential? { refresher.credential }

    /// Replaces the credential, after signing in or (nil) out. The result of a refresh under way is ignored, and requests
    /// that are refused with the old credential, or wait for its refresh, fail with
    /// ``AuthenticationError/credentialReplaced``.
    ///
    /// A credential in another field or parameter than the first one needs its name among the `names` of the initializer;
    /// otherwise requests fail, unsent, with ``AuthenticationError/unusableCredential(_:)``.
    public func setCredential(_ credential: Credential?) { refresher.replace(credential) }

    /// Refuses a credential that cannot be sent before a cache can return a response.
    public func prepare(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPRequest {
        if try scope.includes(request), !refresher.isInsideRefresh, let credential = refresher.credential,
            !credential.isPresent(in: request)
        {
            try check(credential)
        }
        return request
    }

    /// Returns the request with the current credential.
    public func anticipate(_ request: HTTPRequest) -> HTTPRequest {
        guard (try? scope.includes(request)) == true, !refresher.isInsideRefresh, let credential = refresher.credential,
            !credential.isPresent(in: request)
        else { return request }
        return (try? applied(credential, to: request)) ?? request
    }

    /// Sends the request with the credential, and once more with a new one after a refusal.
    public func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        next: NetworkSend
    ) async throws -> HTTPResponse {
        // A request with its own credential neither waits for a refresh nor fails with it.
        guard try scope.includes(request), !refresher.isInsideRefresh,
            refresher.credential?.isPresent(in: request) != true
        else { return try await next(request) }
        let (start, total) = (ContinuousClock.now, request.timeouts.total)
        guard let current = try await refresher.current(within: total), !current.credential.isPresent(in: request)
        else { return try await next(AuthenticationPlugin.shortened(request, since: start)) }
        let authorized = try applied(current.credential, to: AuthenticationPlugin.shortened(request, since: start))
        let response = try await next(authorized)
        let attempts = context.attempts.withLock { $0 }
        // A server that did not receive the credential says nothing about it: another origin that a redirect led to, or
        // the first one after redirects over another.
        guard isRefusal(response.head), !attempts.hasLeftOrigin,
            RedirectPolicy.isSameOrigin(request.url, response.head.url)
        else {
            if !isRefusal(response.head) { refresher.accepted(current) }
            return response
        }
        // Sent again, a request that was processed and then redirected would be processed twice.
        guard !attempts.isProcessed || request.isRepeatable else { return response }
        guard try refresher.mayRefresh(after: current) else { return response }
        await response.discard()
        let rest = total.map { $0 - (.now - start) }
        let fresh = try await refresher.refreshed(after: current, isRefused: true, within: rest)
        let repeated = try applied(fresh.credential, to: AuthenticationPlugin.shortened(request, since: start))
        let second = try await next(repeated)
        if !isRefusal(second.head) { refresher.accepted(fresh) }
        return second
    }

    /// The request with the rest of its total time.
    private static func shortened(_ request: HTTPRequest, since start: ContinuousClock.Instant) -> HTTPRequest {
        guard let total = request.timeouts.total else { return request }
        var request = request
        request.timeouts.total = total - (.now - start)
        return request
    }

    private func applied(_ credential: Credential, to request: HTTPRequest) throws(AuthenticationError) -> HTTPRequest {
        try check(credential)
        return try credential.applied(to: request)
    }

    /// Checks that a credential is in a field that is known to contain secrets.
    private func check(_ credential: Credential) throws(AuthenticationError) {
        guard credential.isSecret(by: secrets) else {
            let name = credential.carrier.debugDescription
            throw .unusableCredential(
                "\(name) is not known to contain a secret, and logs would show it; create the plugin with names: [\(name)]"
            )
        }
        try credential.validate()
    }
}

/// Why a request was not sent with a credential; found in ``NetworkError/Reason/plugin(_:)``.
public enum AuthenticationError: Error, Sendable, CustomStringConvertible {
    /// The credential cannot be sent; the text says why.
    case unusableCredential(String)
    /// The credential was refused and refreshing it failed. Every request that waited for the refresh fails with this
    /// error: ask the user to sign in again, once, or to try later if the reason is the network.
    case refreshFailed(any Error)
    /// The client replaced the credential, by signing in or out, while the request was under way with the old one or waited
    /// for its refresh. It is not sent again: the new credential may be another user's.
    case credentialReplaced

    /// The failure, and what to do.
    public var description: String {
        switch self {
        case .unusableCredential(let why): "the credential cannot be sent: \(why)"
        case .refreshFailed(let error): "the credential could not be refreshed; sign in again, or try later: \(error)"
        case .credentialReplaced: "the credential was replaced while the request was under way; send the request again"
        }
    }
}

/// The requests that receive a credential.
struct CredentialScope: Sendable {
    /// Nil for every server.
    private let origins: Set<HTTPOrigin>?
    /// A base that is not a URL.
    private let invalidBase: String?
    private let applies: @Sendable (HTTPRequest) -> Bool

    init(_ audience: AuthenticationPlugin.Audience, _ applies: @escaping @Sendable (HTTPRequest) -> Bool) {
        self.applies = applies
        guard case .only(let bases) = audience else {
            (origins, invalidBase) = (nil, nil)
            return
        }
        let parsed = bases.map { base in URLText.escaped(base).flatMap { URL(string: $0) }.flatMap { HTTPOrigin($0) } }
        origins = Set(parsed.compactMap { $0 })
        invalidBase = parsed.firstIndex(of: nil).map { bases[$0] }
    }

    /// Returns whether a request receives the credential.
    /// - Throws: ``AuthenticationError/unusableCredential(_:)`` if a base is not a URL: its server would silently receive
    ///   no credential.
    func includes(_ request: HTTPRequest) throws(AuthenticationError) -> Bool {
        if let invalidBase {
            throw .unusableCredential(
                "\(URLText.quoted(invalidBase)) is not the base of a server; write scheme://host"
            )
        }
        guard let origins else { return applies(request) }
        guard let origin = HTTPOrigin(request.url) else { return false }
        return origins.contains(origin) && applies(request)
    }
}
