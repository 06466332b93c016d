#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Shows a credential with each request, and gets a fresh one when the server refuses it.
///
/// ```swift
/// let sessions = NetworkProvider()
/// let authentication = AuthenticationPlugin(.bearer(tokens.access), for: ["https://dog.ceo"]) { _ in
///     .bearer(try await sessions.request(RefreshToken(tokens.refresh)).access)
/// }
/// let provider = NetworkProvider(plugins: [RetryPlugin(), authentication])
/// ```
///
/// **Say whom it is for.** Only the servers named in `for` are shown the credential. Without that, every request of the
/// provider carries it, whichever server the target names.
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
/// and is redacted in errors and logs. A refusal at the end of a way that led over another origin, where the credential
/// stayed behind, is an answer and leads to no refresh.
public final class AuthenticationPlugin: NetworkPlugin {
    /// Which fields and parameters may carry the credential, now or later: the provider leaves them out of errors and
    /// logs, off redirects to other origins, and keeps cached answers apart by them.
    public let secrets: Redaction
    private let keeper: CredentialKeeper
    private let audience: CredentialAudience
    private let isRefusal: @Sendable (HTTPResponseHead) -> Bool

    /// Creates a plugin.
    /// - Parameters:
    ///   - credential: what is shown at first; nil sends requests without, until ``setCredential(_:)``.
    ///   - bases: whom it is for, as a target's base names them: scheme, host and port count, such as
    ///     `https://dog.ceo`. Nil is for every server that the provider speaks with.
    ///   - names: the header fields and parameters that later credentials go in, beside that of the first one and
    ///     Authorization. A credential that goes elsewhere is refused, since nobody would know it for a secret.
    ///   - applies: which requests of those it is shown with; all, unless told otherwise.
    ///   - isRefusal: which answers say that the credential is good no more; status 401 unless told otherwise.
    ///   - refresh: gets a fresh credential in place of a refused one.
    public init(
        _ credential: Credential?,
        for bases: [String]? = nil,
        names: Set<String> = [],
        applies: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true },
        isRefusal: @escaping @Sendable (HTTPResponseHead) -> Bool = { $0.status == 401 },
        refresh: @escaping @Sendable (_ refused: Credential) async throws -> Credential
    ) {
        keeper = CredentialKeeper(credential, refresh: refresh)
        secrets = AuthenticationPlugin.secrets(of: credential, names)
        audience = CredentialAudience(bases, applies)
        self.isRefusal = isRefusal
    }

    /// Creates a plugin whose credential is not refreshed: a refusal is the answer.
    /// - Parameters:
    ///   - credential: what is shown at first; nil sends requests without, until ``setCredential(_:)``.
    ///   - bases: whom it is for, such as `https://dog.ceo`; nil is for every server that the provider speaks with.
    ///   - names: the header fields and parameters that later credentials go in.
    ///   - applies: which requests of those it is shown with; all, unless told otherwise.
    public init(
        _ credential: Credential?,
        for bases: [String]? = nil,
        names: Set<String> = [],
        applies: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true }
    ) {
        keeper = CredentialKeeper(credential, refresh: nil)
        secrets = AuthenticationPlugin.secrets(of: credential, names)
        audience = CredentialAudience(bases, applies)
        isRefusal = { _ in false }
    }

    private static func secrets(of credential: Credential?, _ names: Set<String>) -> Redaction {
        let declared = Redaction(headers: names.union(["Authorization"]), parameters: names, fields: [])
        return credential.map { declared.union($0.secrets) } ?? declared
    }

    /// What is shown now.
    public var credential: Credential? { keeper.credential }

    /// Replaces the credential, after signing in or (nil) out. A refresh under way is not used any more.
    ///
    /// One that goes in another field or parameter than the first one needs that among the `names` that the plugin was
    /// made with: else requests fail, unsent, with ``AuthenticationError/unusableCredential(_:)``.
    public func setCredential(_ credential: Credential?) { keeper.replace(credential) }

    /// Refuses a credential that cannot be sent, before anything else, such as a cache, answers in the server's place.
    public func prepare(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPRequest {
        if try audience.includes(request), !keeper.isInsideRefresh, let credential = keeper.credential,
            !credential.isStanding(in: request)
        {
            try check(credential)
        }
        return request
    }

    /// The request with the present credential, where it would be sent with one.
    public func anticipate(_ request: HTTPRequest) -> HTTPRequest {
        guard (try? audience.includes(request)) == true, !keeper.isInsideRefresh, let credential = keeper.credential,
            !credential.isStanding(in: request)
        else { return request }
        return (try? applied(credential, to: request)) ?? request
    }

    /// Sends with the credential; once more with a fresh one after a refusal.
    public func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        next: NetworkSend
    ) async throws -> HTTPResponse {
        guard try audience.includes(request), !keeper.isInsideRefresh, let pass = try await keeper.pass(),
            !pass.credential.isStanding(in: request)
        else { return try await next(request) }
        let shown = try applied(pass.credential, to: request)
        let (response, hasLeft) = try await RedirectTrail.following(context) { try await next(shown) }
        // Who never saw the credential says nothing about it by a refusal: another origin that a redirect led to, or the
        // first one at the end of a way that led over another.
        guard isRefusal(response.head), !hasLeft, RedirectPolicy.isSameOrigin(request.url, response.head.url) else {
            return response
        }
        await response.discard()
        guard let fresh = try await keeper.fresh(after: pass.epoch) else { return try await next(request) }
        return try await next(try applied(fresh.credential, to: request))
    }

    /// The request with a credential.
    private func applied(_ credential: Credential, to request: HTTPRequest) throws(AuthenticationError) -> HTTPRequest {
        try check(credential)
        return try credential.applied(to: request)
    }

    /// Checks that a credential goes in a place that is known to hold secrets.
    private func check(_ credential: Credential) throws(AuthenticationError) {
        guard credential.isSecret(by: secrets) else {
            throw .unusableCredential(
                "nobody knows that \(credential.carrier.debugDescription) holds a secret; name it when the plugin is made, "
                    + "by names: [\(credential.carrier.debugDescription)]"
            )
        }
        try credential.validate()
    }
}

/// Why a request could not be let in; found in ``NetworkError/Reason/plugin(_:)``.
public enum AuthenticationError: Error, Sendable, CustomStringConvertible {
    /// The credential cannot be sent; the text says why.
    case unusableCredential(String)
    /// The credential was refused and getting a fresh one failed. Every request that waited for it gets this same
    /// error: ask the person to sign in again, once; or to try later, where the reason is the network.
    case refreshFailed(any Error)

    /// What failed, and what to do.
    public var description: String {
        switch self {
        case .unusableCredential(let why): "the credential cannot be sent: \(why)"
        case .refreshFailed(let error): "the credential could not be refreshed; sign in again, or try later: \(error)"
        }
    }
}

/// Which requests a credential is shown with.
struct CredentialAudience: Sendable {
    /// Nil for all.
    private let origins: Set<HTTPOrigin>?
    /// A base that names no origin.
    private let unreadable: String?
    private let applies: @Sendable (HTTPRequest) -> Bool

    init(_ bases: [String]?, _ applies: @escaping @Sendable (HTTPRequest) -> Bool) {
        let read = bases.map { bases in
            bases.map { base in URLText.escaped(base).flatMap { URL(string: $0) }.flatMap { HTTPOrigin($0) } }
        }
        origins = read.map { Set($0.compactMap { $0 }) }
        let index = read?.firstIndex(of: nil)
        unreadable = index.flatMap { bases?[$0] }
        self.applies = applies
    }

    /// Whether a request is one of them.
    /// - Throws: ``AuthenticationError/unusableCredential(_:)`` where a base names no origin: the credential would go to
    ///   nobody, and nobody would know why.
    func includes(_ request: HTTPRequest) throws(AuthenticationError) -> Bool {
        if let unreadable {
            throw .unusableCredential(
                "\(Redaction.plain(unreadable)) names no server that it is for; write scheme://host"
            )
        }
        guard let origins else { return applies(request) }
        guard let origin = HTTPOrigin(request.url) else { return false }
        return origins.contains(origin) && applies(request)
    }
}
