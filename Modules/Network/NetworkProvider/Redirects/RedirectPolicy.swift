public import EssentialFoundation
import TextEscaping

/// Which redirects are followed, and which header fields are sent with them.
///
/// 303 becomes a GET, 301 and 302 do for a POST, 307 and 308 repeat method and body. Credentials and `Host` are never sent
/// to another origin (scheme, host and port), not even a plugin's secret parameter that the location contains, and a
/// redirect from `https` to `http` is refused unless it is allowed.
public struct RedirectPolicy: Sendable, Hashable {
    /// The maximum number of redirects in a row; 0 returns redirects as responses.
    public var limit: Int
    /// Whether a redirect may lead from `https` to `http`.
    public var allowsDowngrade: Bool
    /// Names of header fields that are removed when the origin changes, in lower case.
    public var credentials: Set<String>
    /// Names of query parameters that are removed when the origin changes, in lower case.
    private var parameters: Set<String> = []

    /// Creates a policy.
    public init(limit: Int = 10, allowsDowngrade: Bool = false, credentials: Set<String> = Redaction.usualHeaders) {
        self.limit = limit
        self.allowsDowngrade = allowsDowngrade
        self.credentials = Set(credentials.map { $0.lowercased() })
    }

    /// Follows no redirects.
    public static let none = RedirectPolicy(limit: 0)

    /// A redirect that is not followed.
    package enum Refusal: Error {
        case tooMany(limit: Int)
        case unusable(String)
    }

    /// Returns the policy with more header fields and parameters that are removed when the origin changes.
    func withholding(_ secrets: Redaction) -> RedirectPolicy {
        var policy = self
        policy.credentials.formUnion(secrets.headers)
        policy.parameters.formUnion(secrets.parameters)
        return policy
    }

    /// Returns the URL without the parameters that must not be sent to another origin; nil if the rest is not a URL.
    private func withoutSecrets(_ url: URL) -> URL? {
        let text = url.absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        guard !parameters.isEmpty, let mark = text[..<end].firstIndex(of: "?") else { return url }
        let pairs = text[text.index(after: mark)..<end].split(separator: "&", omittingEmptySubsequences: false)
        let kept = pairs.filter { !parameters.contains(PercentEncoding.decode($0.prefix { $0 != "=" }).lowercased()) }
        guard kept.count < pairs.count else { return url }
        let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
        return URL(string: text[..<mark] + query + text[end...])
    }

    /// Returns the request that a response redirects to; nil if it is not a redirect, or no redirects are followed.
    /// - Parameters:
    ///   - request: the request.
    ///   - head: the response.
    ///   - followed: the number of redirects in a row before this one.
    /// - Returns: the next request.
    /// - Throws: the reason for not following the redirect.
    package func next(
        after request: HTTPRequest,
        _ head: HTTPResponseHead,
        followed: Int
    ) throws(Refusal) -> HTTPRequest? {
        guard limit > 0, [301, 302, 303, 307, 308].contains(head.status),
            let location = head.headers.values(.location).first
        else { return nil }
        guard let escaped = URLText.escaped(location),
            let url = URL(string: escaped, relativeTo: request.url)?.absoluteURL,
            let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", url.host() != nil
        else { throw .unusable("the location \(URLText.quoted(location)) is not an http or https URL") }
        guard url.user() == nil, url.password() == nil else { throw .unusable("the location contains credentials") }
        if request.url.scheme?.lowercased() == "https", scheme == "http", !allowsDowngrade {
            throw .unusable("it leads from https to http")
        }
        guard followed < limit else { throw .tooMany(limit: limit) }
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
            guard let bare = withoutSecrets(url) else { throw .unusable("the location is no URL without its secrets") }
            next.url = bare
        }
        return next
    }

    package static func isSameOrigin(_ left: URL, _ right: URL) -> Bool { HTTPOrigin(left) == HTTPOrigin(right) }
}

/// Scheme, host and port: the scope of credentials, connections and circuits (RFC 6454, section 4).
public struct HTTPOrigin: Sendable, Hashable {
    /// The scheme, in lower case.
    public let scheme: String
    /// The host, in lower case.
    public let host: String
    /// The port; the default of the scheme if the URL has none.
    public let port: Int

    /// Creates the origin of a URL; nil if the URL has no scheme or no host.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased() else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}

extension HTTPOrigin: CustomStringConvertible {
    /// The origin as in a URL, without the default port.
    public var description: String {
        let isDefault = port == (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(host)" + (isDefault ? "" : ":\(port)")
    }
}
