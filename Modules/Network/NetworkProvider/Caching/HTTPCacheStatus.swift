/// What the cache of the provider did for a response, from its `Cache-Status` field (RFC 9211).
public struct HTTPCacheStatus: Sendable, Hashable {
    /// The source of a response.
    public enum Source: String, Sendable, Hashable, CaseIterable {
        /// The cache: a fresh response.
        case hit
        /// The cache: a stale response, which the policy, the request or the response allows.
        case stale
        /// The cache: a stale response in place of an error of the network or the server.
        case staleOnError
        /// The cache: a response that the server has validated.
        case revalidated
        /// The server: there was no usable stored response.
        case miss
        /// The server: the policy or the request excludes the cache.
        case bypass
    }

    /// The source of the response.
    public let source: Source
    /// The response's age in seconds when it was returned; nil if it came from the server.
    public let age: Int?
    /// The seconds for which it remains fresh, negative if it is stale; nil if it came from the server.
    public let timeToLive: Int?

    /// Whether no byte of the body came over the network.
    public var isFromCache: Bool { source != .miss && source != .bypass }

    package static let name = "PawKit"

    package init(_ source: Source, age: Int? = nil, timeToLive: Int? = nil) {
        self.source = source
        self.age = age
        self.timeToLive = timeToLive
    }

    /// Removes this cache's name from the `Cache-Status` field of a response that has come over the network: only the
    /// provider's own cache may add it.
    static func removeForged(from headers: inout HTTPHeaders) {
        guard headers.contains(.cacheStatus) else { return }
        let members = headers.list(.cacheStatus)
        let others = members.filter { member in
            let token = member.prefix { $0 != ";" }
            return !HTTPSyntax.equal(HTTPSyntax.trimmed(String(token)).filter { $0 != "\"" }, name)
        }
        guard others.count < members.count else { return }
        headers[.cacheStatus] = others.isEmpty ? nil : others.joined(separator: ", ")
    }

    /// Parses the last member of `Cache-Status`; nil if it is not from this cache.
    init?(_ headers: HTTPHeaders) {
        // Checked first, since most heads have no such field.
        guard headers.contains(.cacheStatus), let member = headers.list(.cacheStatus).last else { return nil }
        let words = member.split(separator: ";").map { $0.filter { $0 != " " } }
        guard let first = words.first, String(first) == HTTPCacheStatus.name else { return nil }
        func parameter(_ name: String) -> String? {
            words.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        let timeToLive = parameter("ttl").flatMap { Int($0) }
        let age = headers.values(.age).first.flatMap { Int($0) }
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

    /// The member of `Cache-Status` for this value.
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
    /// For example `hit, 12 s old`.
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
    /// What the cache of the provider did for this response; nil without a cache, or if it was not used.
    public var cacheStatus: HTTPCacheStatus? { HTTPCacheStatus(headers) }
}

extension NetworkResponse {
    /// What the cache of the provider did for this response; nil without a cache, or if it was not used.
    public var cacheStatus: HTTPCacheStatus? { head.cacheStatus }
}
