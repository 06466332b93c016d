/// Shows a credential with each request, and gets a fresh one when the server refuses it.
///
/// ```swift
/// let sessions = NetworkProvider()
/// let authentication = AuthenticationPlugin(.bearer(tokens.access)) { _ in
///     .bearer(try await sessions.request(RefreshToken(tokens.refresh)).access)
/// }
/// let provider = NetworkProvider(plugins: [RetryPlugin(), authentication])
/// ```
///
/// An answer of 401 leads to one refresh, for however many requests are refused meanwhile; then they are all sent
/// again. A request that was sent with the old credential and is refused after the refresh is sent again without another
/// one. A refresh that fails fails all that waited for it, with the same ``AuthenticationError``. A request that is
/// refused a second time gives its 401 as it came.
///
/// The refresh may use the same provider: its own requests carry no credential of this plugin and wait for nothing. It
/// goes on when the request that began it is cancelled, since a refresh token is often good for one use only.
///
/// A request that already carries a field of that name is left alone. The field never crosses an origin on a redirect,
/// and is redacted in errors and logs. A refusal by another origin, to which a redirect led, is an answer and leads to
/// no refresh.
public final class AuthenticationPlugin: NetworkPlugin {
    private let keeper: CredentialKeeper
    private let names: Redaction
    private let applies: @Sendable (HTTPRequest) -> Bool
    private let isRefusal: @Sendable (HTTPResponseHead) -> Bool

    /// Creates a plugin.
    /// - Parameters:
    ///   - credential: what is shown at first; nil sends requests without, until ``setCredential(_:)``.
    ///   - applies: which requests it is shown with; all, unless told otherwise. Name your origins here when a provider
    ///     speaks with several servers.
    ///   - isRefusal: which answers say that the credential is good no more; status 401 unless told otherwise.
    ///   - refresh: gets a fresh credential in place of a refused one.
    public init(
        _ credential: Credential?,
        applies: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true },
        isRefusal: @escaping @Sendable (HTTPResponseHead) -> Bool = { $0.status == 401 },
        refresh: @escaping @Sendable (_ refused: Credential) async throws -> Credential
    ) {
        keeper = CredentialKeeper(credential, refresh: refresh)
        names = AuthenticationPlugin.names(of: credential)
        self.applies = applies
        self.isRefusal = isRefusal
    }

    /// Creates a plugin whose credential is not refreshed: a refusal is the answer.
    /// - Parameters:
    ///   - credential: what is shown at first; nil sends requests without, until ``setCredential(_:)``.
    ///   - applies: which requests it is shown with; all, unless told otherwise.
    public init(
        _ credential: Credential?,
        applies: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true }
    ) {
        keeper = CredentialKeeper(credential, refresh: nil)
        names = AuthenticationPlugin.names(of: credential)
        self.applies = applies
        isRefusal = { _ in false }
    }

    private static func names(of credential: Credential?) -> Redaction {
        switch credential {
        case .apiKey(_, let header): Redaction(headers: [header], parameters: [], fields: [])
        case .queryKey(_, let parameter): Redaction(headers: [], parameters: [parameter], fields: [])
        case .bearer, .basic, nil: Redaction(headers: ["Authorization"], parameters: [], fields: [])
        }
    }

    /// The field or parameter that carries the credential it began with.
    public var secrets: Redaction { names }

    /// What is shown now.
    public var credential: Credential? { keeper.credential }

    /// Replaces the credential, after signing in or (nil) out; of the same kind as the first one, so that the names of
    /// secrets hold. A refresh under way is not used any more.
    public func setCredential(_ credential: Credential?) { keeper.replace(credential) }

    /// The request with the present credential, where it would be sent with one.
    public func anticipate(_ request: HTTPRequest) -> HTTPRequest {
        guard applies(request), !keeper.isInsideRefresh, let credential = keeper.credential,
            !credential.isStanding(in: request)
        else { return request }
        return (try? credential.applied(to: request)) ?? request
    }

    /// Sends with the credential; once more with a fresh one after a refusal.
    public func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        next: NetworkSend
    ) async throws -> HTTPResponse {
        guard applies(request), !keeper.isInsideRefresh, let pass = try await keeper.pass(),
            !pass.credential.isStanding(in: request)
        else { return try await next(request) }
        let response = try await next(try pass.credential.applied(to: request))
        // Another origin that a redirect led to never saw the credential: its refusal says nothing about it.
        guard isRefusal(response.head), RedirectPolicy.isSameOrigin(request.url, response.head.url) else {
            return response
        }
        await response.discard()
        guard let fresh = try await keeper.fresh(after: pass.epoch) else { return try await next(request) }
        return try await next(try fresh.credential.applied(to: request))
    }
}
