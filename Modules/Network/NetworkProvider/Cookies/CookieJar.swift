public import EssentialFoundation
import Threading

/// Stores the cookies of responses and adds them to later requests (RFC 6265).
///
/// ```swift
/// let cookies = CookieJar()
/// let provider = NetworkProvider(cookies: cookies)
/// ```
///
/// Providers use no cookies by default. Each jar is separate, so that a provider has the cookies of one user. The cookies
/// of redirects are stored, and each redirect receives the cookies for its own URL. A request that has its own `Cookie`
/// field is sent unchanged.
///
/// A jar is in memory. To store it, save the data that `onChange` receives, and pass it to the next jar:
///
/// ```swift
/// let cookies = CookieJar(restoring: saved, onChange: { data in store.save(data) })
/// ```
///
/// A cookie for a domain goes to all hosts of that domain, unless ``PublicSuffixes`` says that they belong to different sites.
/// Without such a list it goes to its exact host only.
public final class CookieJar: Sendable {
    /// The maximum number of cookies of one host or domain, and of all together (section 6.1).
    private static let (domainLimit, limit) = (50, 3_000)

    private struct State {
        var cookies: [Cookie] = []
        var lastNumber: UInt64 = 0
        /// The data for `onChange`, if it has not been called since the last change.
        var unreported: Data?
        var isReporting = false
    }

    private let state: Locked<State>
    private let suffixes: PublicSuffixes?
    private let now: @Sendable () -> Date
    private let onChange: (@Sendable (Data) -> Void)?

    /// Creates a jar.
    /// - Parameters:
    ///   - data: the data of an earlier jar; data that is damaged or of another kind is ignored.
    ///   - suffixes: the domains whose sites share no cookies.
    ///   - now: the current date, for the expiry of cookies.
    ///   - onChange: called with the jar's ``data`` after a change of the cookies that are stored longer than the session;
    ///     on any thread, one call at a time, the last one with the latest data. It may use the jar.
    public init(
        restoring data: Data? = nil,
        suffixes: PublicSuffixes? = .system,
        now: @escaping @Sendable () -> Date = { Date() },
        onChange: (@Sendable (Data) -> Void)? = nil
    ) {
        let cookies = data.flatMap { try? JSONDecoder().decode([Cookie].self, from: $0) } ?? []
        let last = cookies.map(\.number).max() ?? 0
        state = Locked(State(cookies: cookies.filter { $0.isValid && !$0.isExpired(at: now()) }, lastNumber: last))
        self.suffixes = suffixes
        self.now = now
        self.onChange = onChange
    }

    /// The cookies that are stored longer than the session, for a later jar. The data contains secrets.
    public var data: Data { state.withLock { CookieJar.data(of: $0) } }

    /// The number of cookies.
    public var count: Int {
        let now = now()
        return state.withLock { $0.cookies.count { !$0.isExpired(at: now) } }
    }

    /// Removes all cookies.
    public func removeAll() { change { $0.cookies = [] } }

    /// Returns the value of the `Cookie` field for a URL; nil if no cookie matches.
    public func header(for url: URL) -> String? {
        guard let host = url.host()?.lowercased() else { return nil }
        let (path, isSecure, now) = (url.path().isEmpty ? "/" : url.path(), CookieJar.isSecure(url), now())
        let found = state.withLock { state in
            state.cookies.isEmpty
                ? [] : state.cookies.filter { $0.matches(host, path, isSecure: isSecure) && !$0.isExpired(at: now) }
        }
        guard !found.isEmpty else { return nil }
        // Longer paths first, then the older ones (section 5.4).
        return found.sorted { left, right in
            left.path.utf8.count != right.path.utf8.count
                ? left.path.utf8.count > right.path.utf8.count : left.number < right.number
        }.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Stores the cookies of a response. Those of a response with status 407 are ignored, since a proxy sent it.
    public func store(_ head: HTTPResponseHead) {
        guard head.status != 407, head.headers.contains(.setCookie) else { return }
        let now = now()
        let sent = head.headers[.date].flatMap { HTTPDate.date($0, now: now) }
        let received = head.headers.values(.setCookie).compactMap { field in
            Cookie(field, from: head.url, sentAt: sent, at: now, suffixes)
        }
        guard !received.isEmpty else { return }
        change { state in
            for cookie in received {
                CookieJar.insert(cookie, into: &state, isSecure: CookieJar.isSecure(head.url), now)
            }
        }
    }

    /// Returns the request with the cookies for its URL.
    func adding(to request: HTTPRequest) -> HTTPRequest {
        guard !request.headers.contains(.cookie), let value = header(for: request.url) else { return request }
        var request = request
        request.headers[.cookie] = value
        return request
    }

    private static func insert(_ cookie: Cookie, into state: inout State, isSecure: Bool, _ now: Date) {
        guard isSecure || !state.cookies.contains(where: { cookie.shadows($0) && !$0.isExpired(at: now) }) else {
            return
        }
        var cookie = cookie
        state.lastNumber += 1
        cookie.number = state.lastNumber
        if let index = state.cookies.firstIndex(where: { $0.hasSameIdentity(as: cookie) }) {
            // An insecure response must not replace a secure cookie (RFC 6265bis, section 5.7).
            guard isSecure || !state.cookies[index].isSecure else { return }
            cookie.number = state.cookies[index].number
            state.cookies.remove(at: index)
        }
        guard !cookie.isExpired(at: now) else { return }
        state.cookies.append(cookie)
        evict(from: &state, cookie.domain, now)
    }

    private static func evict(from state: inout State, _ domain: String, _ now: Date) {
        func isDomainFull() -> Bool { state.cookies.count(where: { $0.domain == domain }) > domainLimit }
        // Expired ones first (section 5.3).
        if state.cookies.count > limit || isDomainFull() { state.cookies.removeAll { $0.isExpired(at: now) } }
        while isDomainFull(),
            let oldest = state.cookies.indices.filter({ state.cookies[$0].domain == domain })
                .min(by: { state.cookies[$0].number < state.cookies[$1].number })
        {
            state.cookies.remove(at: oldest)
        }
        while state.cookies.count > limit,
            let oldest = state.cookies.indices.min(by: { state.cookies[$0].number < state.cookies[$1].number })
        {
            state.cookies.remove(at: oldest)
        }
    }

    private func change(_ work: (inout State) -> Void) {
        let begins = state.withLock { state in
            guard onChange != nil else {
                work(&state)
                return false
            }
            let before = state.cookies.filter { $0.expires != nil }
            work(&state)
            guard state.cookies.filter({ $0.expires != nil }) != before else { return false }
            state.unreported = CookieJar.data(of: state)
            defer { state.isReporting = true }
            return !state.isReporting
        }
        guard begins, let onChange else { return }
        // One caller reports the changes of all, so that an older state is never saved after a newer one.
        while let data = nextReport() { onChange(data) }
    }

    private func nextReport() -> Data? {
        state.withLock { state in
            defer { state.unreported = nil }
            state.isReporting = state.unreported != nil
            return state.unreported
        }
    }

    private static func data(of state: State) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(state.cookies.filter { $0.expires != nil })) ?? Data()
    }

    private static func isSecure(_ url: URL) -> Bool { url.scheme?.lowercased() == "https" }
}

extension CookieJar: CustomStringConvertible, CustomReflectable {
    /// The number of cookies; never their values.
    public var description: String { "\(count) cookies" }

    /// An empty mirror, so that a dump shows no secret.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
