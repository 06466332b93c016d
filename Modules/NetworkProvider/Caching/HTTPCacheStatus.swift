/// What a provider's cache did for an answer, as the answer's `Cache-Status` field tells (RFC 9211).
public struct HTTPCacheStatus: Sendable, Hashable {
    /// Where the answer came from.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// The cache, fresh.
        case hit
        /// The cache, its time being over: allowed by the policy, the request or the answer.
        case stale
        /// The cache, the time being over, in place of an error of the network or the server.
        case staleOnError
        /// The cache, confirmed by the server just now.
        case revalidated
        /// The server: nothing that could be used was stored.
        case miss
        /// The server: the policy or the request passed the cache by.
        case bypass
    }

    /// Where the answer came from.
    public let source: Source
    /// The answer's age in seconds when it was given; nil for one that came from the server whole.
    public let age: Int?
    /// The seconds that it still is fresh, negative for how long it has been stale; nil for one that came whole.
    public let timeToLive: Int?

    /// Whether no byte of the body came over the network.
    public var isFromCache: Bool { source != .miss && source != .bypass }

    package static let name = "PawKit"

    package init(_ source: Source, age: Int? = nil, timeToLive: Int? = nil) {
        self.source = source
        self.age = age
        self.timeToLive = timeToLive
    }

    /// What the last member of `Cache-Status` says, where it is this cache's.
    init?(_ headers: HTTPHeaders) {
        // Looked for first, so that a head without one is not taken apart.
        guard headers.contains("cache-status"), let member = headers.list("cache-status").last else { return nil }
        let words = member.split(separator: ";").map { $0.filter { $0 != " " } }
        guard let first = words.first, String(first) == HTTPCacheStatus.name else { return nil }
        func parameter(_ name: String) -> String? {
            words.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        let timeToLive = parameter("ttl").flatMap { Int($0) }
        let age = headers["age"].flatMap { Int($0) }
        if words.contains("hit") {
            let isStale = (timeToLive ?? 0) <= 0
            let source: Source = parameter("detail") == "error" ? .staleOnError : isStale ? .stale : .hit
            self.init(source, age: age, timeToLive: timeToLive)
        } else if parameter("fwd-status") == "304" {
            self.init(.revalidated, age: age, timeToLive: timeToLive)
        } else {
            self.init(parameter("fwd") == "bypass" ? .bypass : .miss)
        }
    }

    /// This as a member of `Cache-Status`.
    package var field: String {
        var text = HTTPCacheStatus.name
        switch source {
        case .hit, .stale: text += "; hit"
        case .staleOnError: text += "; hit; detail=error"
        case .revalidated: text += "; fwd=stale; fwd-status=304"
        case .miss: text += "; fwd=miss"
        case .bypass: text += "; fwd=bypass"
        }
        if let timeToLive { text += "; ttl=\(timeToLive)" }
        return text
    }
}

extension HTTPCacheStatus: CustomStringConvertible {
    /// Such as `hit, 12 s old`.
    public var description: String {
        let name =
            switch source {
            case .hit: "hit"
            case .stale: "stale"
            case .staleOnError: "stale in place of an error"
            case .revalidated: "revalidated"
            case .miss: "miss"
            case .bypass: "bypass"
            }
        return age.map { "\(name), \($0) s old" } ?? name
    }
}

extension HTTPResponseHead {
    /// What the provider's cache did for this answer; nil where the provider has no cache, or did not look there.
    public var cacheStatus: HTTPCacheStatus? { HTTPCacheStatus(headers) }
}

extension NetworkResponse {
    /// What the provider's cache did for this answer; nil where the provider has no cache, or did not look there.
    public var cacheStatus: HTTPCacheStatus? { head.cacheStatus }
}
