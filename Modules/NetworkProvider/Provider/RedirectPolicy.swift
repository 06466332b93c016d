#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
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
    enum Refusal: Error {
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
    func next(after request: HTTPRequest, _ head: HTTPResponseHead) throws(Refusal) -> HTTPRequest? {
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

    static func isSameOrigin(_ left: URL, _ right: URL) -> Bool {
        HTTPOrigin(left) == HTTPOrigin(right)
    }
}
