import EssentialFoundation
import HTTPTransport
import NetworkProvider

/// The rules of RFC 9111 for a private cache that depend on heads and times only.
struct CacheRules: Sendable {
    /// The share of the time since the last change for which a response is fresh if it does not say (section 4.2.2).
    var heuristicShare = 0.1
    /// The maximum of that time, in seconds.
    var heuristicLimit: Double = 86_400

    /// Statuses that may be stored without an explicit permission (RFC 9110, section 15.1), complete responses only.
    static let heuristicStatuses: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
    /// Statuses whose caching rules this cache implements (section 5.2.2.3).
    static let understoodStatuses = heuristicStatuses.union([302, 303, 307])
    /// Statuses that a stale response may replace (RFC 5861, section 4).
    static let errorStatuses: Set<Int> = [500, 502, 503, 504]

    /// Returns how long a response is fresh, in seconds (section 4.2.1), counted from its Date.
    ///
    /// `mayGuess` allows a heuristic lifetime: a response that sets a cookie is for one user, and has to allow caching
    /// explicitly.
    func lifetime(
        _ status: Int,
        _ headers: HTTPHeaders,
        _ control: CacheControl,
        date: Double,
        mayGuess: Bool,
        receivedAt came: Date
    ) -> Double {
        if let maxAge = control.maxAge { return Double(maxAge) }
        if headers.contains(.expires) {
            // Several different values, or an invalid date, count as expired.
            let values = headers.values(.expires)
            guard Set(values).count == 1, let text = values.first, let expires = HTTPDate.date(text, now: came) else {
                return 0
            }
            return max(0, expires.timeIntervalSince1970 - date)
        }
        guard mayGuess, CacheRules.heuristicStatuses.contains(status) || control.isPublic,
            let text = headers.values(.lastModified).first, let changed = HTTPDate.date(text, now: came)
        else { return 0 }
        return min(max(0, (date - changed.timeIntervalSince1970) * heuristicShare), heuristicLimit)
    }

    /// Returns whether a response to a GET may be stored (section 3).
    func mayStore(_ answer: StoredHead, _ headers: HTTPHeaders, for request: CacheControl) -> Bool {
        guard !request.noStore, (200...599).contains(answer.status), answer.status != 206, answer.status != 304 else {
            return false
        }
        let control = answer.control
        if control.mustUnderstand {
            guard CacheRules.understoodStatuses.contains(answer.status) else { return false }
        } else if control.noStore {
            return false
        }
        if headers.list(.vary).contains("*") { return false }
        return control.isPublic || control.isPrivate || control.maxAge != nil || headers.contains(.expires)
            || CacheRules.heuristicStatuses.contains(answer.status)
    }

    /// Returns how a stored response can be used for a request (sections 4, 4.2.4, 5.2.1 and 5.2.2).
    func verdict(on answer: StoredHead, for request: CacheControl, at now: Double) -> CacheVerdict {
        if answer.control.noCache || request.noCache { return .validate }
        let age = answer.age(at: now)
        let lifetime = answer.lifetime
        if let maxAge = request.maxAge, age > Double(maxAge) { return .validate }
        if lifetime > age, lifetime - age >= Double(request.minFresh ?? 0) { return .fresh }
        if answer.control.mustRevalidate || lifetime > age { return .validate }
        let staleness = age - lifetime
        if request.minFresh == nil {
            if let maxStale = request.maxStale, maxStale == CacheControl.longest || staleness <= Double(maxStale) {
                return .stale
            }
            if let window = answer.control.staleWhileRevalidate, staleness <= Double(window) {
                return .staleWhileRevalidating
            }
        }
        return .validate
    }

    /// Returns whether a stored response may replace an error (RFC 5861, section 4).
    func mayReplaceError(_ answer: StoredHead, for request: CacheControl, allowance: Double, at now: Double) -> Bool {
        if answer.control.noCache || answer.control.mustRevalidate || request.noCache { return false }
        let window = max(Double(answer.control.staleIfError ?? 0), Double(request.staleIfError ?? 0), allowance)
        guard window > 0 else { return false }
        return answer.age(at: now) - answer.lifetime <= window
    }
}

/// How a stored response can be used; the strictest verdict is the last one.
enum CacheVerdict: Comparable {
    /// It is returned.
    case fresh
    /// It is returned although it is stale: the request allows that.
    case stale
    /// It is returned although it is stale, and requested again in the background.
    case staleWhileRevalidating
    /// It is validated by the server first.
    case validate
}
