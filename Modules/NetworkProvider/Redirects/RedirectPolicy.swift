import Locking

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Which redirects are followed, and what goes with them.
///
/// 303 always becomes a GET, 301 and 302 do for a POST, 307 and 308 repeat method and body. Credentials never cross an
/// origin (scheme, host and port), and `https` never falls back to `http` unless that is allowed.
public struct RedirectPolicy: Sendable, Hashable {
    /// How many redirects in a row are followed; 0 gives redirects as answers.
    public var limit: Int
    /// Whether a redirect may lead from `https` to `http`.
    public var allowsDowngrade: Bool
    /// Names of header fields that stay behind when the origin changes, in lower case.
    public var credentials: Set<String>

    /// Creates a policy.
    public init(
        limit: Int = 10,
        allowsDowngrade: Bool = false,
        credentials: Set<String> = Redaction.usualHeaders
    ) {
        self.limit = limit
        self.allowsDowngrade = allowsDowngrade
        self.credentials = Set(credentials.map { $0.lowercased() })
    }

    /// A redirect may not be followed.
    package enum Refusal: Error {
        case tooMany(limit: Int)
        case unusable(String)
    }

    /// Gives redirects as answers.
    public static let none = RedirectPolicy(limit: 0)

    /// The same policy with more header fields that stay behind when the origin changes.
    func withholding(_ names: Set<String>) -> RedirectPolicy {
        var policy = self
        policy.credentials.formUnion(names)
        return policy
    }

    /// The request that an answer asks for; nil when it is no redirect.
    package func next(after request: HTTPRequest, _ head: HTTPResponseHead) throws(Refusal) -> HTTPRequest? {
        guard [301, 302, 303, 307, 308].contains(head.status), let location = head.headers["location"] else {
            return nil
        }
        guard let escaped = URLText.escaped(location),
            let url = URL(string: escaped, relativeTo: request.url)?.absoluteURL,
            let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", url.host() != nil
        else { throw .unusable("the location \(Redaction.plain(location)) is no http or https URL") }
        guard url.user() == nil, url.password() == nil else { throw .unusable("the location holds credentials") }
        if request.url.scheme?.lowercased() == "https", scheme == "http", !allowsDowngrade {
            throw .unusable("it leads from https to http")
        }
        var next = request
        next.url = url
        let becomesGet =
            head.status == 303 && request.method != .get && request.method != .head
            || (head.status == 301 || head.status == 302) && request.method == .post
        if becomesGet {
            next.method = .get
            next.body = .none
            for name in ["Content-Type", "Content-Encoding", "Content-Language", "Content-Location", "Content-MD5"] {
                next.headers.remove(name)
            }
        }
        if !RedirectPolicy.isSameOrigin(request.url, url) {
            next.headers = HTTPHeaders(next.headers.filter { !credentials.contains($0.name.lowercased()) })
            next.headers.remove("Host")
        }
        return next
    }

    package static func isSameOrigin(_ left: URL, _ right: URL) -> Bool {
        HTTPOrigin(left) == HTTPOrigin(right)
    }
}

/// Whether the way to an answer led over another origin, where credentials stay behind for good: an answer of the first
/// origin after that says nothing about them.
///
/// Whoever wants to know makes one around the sending; without one, nothing is noted.
final class RedirectTrail: Sendable {
    @TaskLocal private static var current: RedirectTrail?

    /// The number of the request whose way it is: requests that plugins make meanwhile have ways of their own.
    private let id: UInt64
    private let hasLeft = Locked(false)

    private init(_ id: UInt64) { self.id = id }

    /// The trail of a request that somebody wants to know about.
    static func current(of context: RequestContext) -> RedirectTrail? {
        current.flatMap { $0.id == context.id ? $0 : nil }
    }

    /// Sends, and tells whether the last way that was tried led over another origin.
    static func following(
        _ context: RequestContext,
        _ send: () async throws -> HTTPResponse
    ) async throws -> (response: HTTPResponse, hasLeft: Bool) {
        let trail = current(of: context) ?? RedirectTrail(context.id)
        let response = try await $current.withValue(trail) { try await send() }
        return (response, trail.hasLeft.withLock { $0 })
    }

    /// A try begins at the first origin.
    func begin() { hasLeft.withLock { $0 = false } }

    /// A redirect to another origin is followed.
    func leave() { hasLeft.withLock { $0 = true } }
}

/// Scheme, host and port: what credentials, connections and circuits belong to (RFC 6454, section 4).
public struct HTTPOrigin: Sendable, Hashable {
    /// The scheme, in lower case.
    public let scheme: String
    /// The host, in lower case.
    public let host: String
    /// The port; the scheme's own where the URL names none.
    public let port: Int

    /// The origin of a URL; nil for one without a scheme or a host.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased() else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}

extension HTTPOrigin: CustomStringConvertible {
    /// As in a URL, the scheme's own port left out.
    public var description: String {
        let isUsual = port == (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(host)" + (isUsual ? "" : ":\(port)")
    }
}
