package import EssentialFoundation
import Threading

/// Which failures are retried, how often, and after which delays.
///
/// A request that the server may have processed is only sent again if its method is idempotent (RFC 9110, section
/// 9.2.2) or it has an `Idempotency-Key`. A request that was not sent, since there was no connection to the
/// server or to its proxy, is always retried. One that a redirect has replaced by a GET was processed, whatever happens to the GET.
public struct RetryPolicy: Sendable, Hashable {
    /// The maximum number of attempts, the first one included; 1 or less never retries.
    public var maximumAttempts: Int
    /// The maximum delay before the first retry; it doubles with each further one.
    public var baseDelay: Duration
    /// The maximum of the doubled delay.
    public var maximumDelay: Duration
    /// The maximum `Retry-After`; a response that requires more is returned.
    public var maximumRetryAfter: Duration
    /// The maximum time from the first attempt to the last byte of the last one, delays included; nil for no limit.
    /// Each attempt receives the rest of it, and a delay that would exceed it is not begun: the last response or
    /// failure is returned.
    public var maximumTime: Duration?
    /// The statuses that are retried.
    public var statuses: Set<Int>
    /// Whether requests that are not idempotent are retried, too, at the risk of processing them twice.
    public var retriesUnsafeMethods: Bool
    private(set) var isInherited = false

    /// Creates a policy.
    public init(
        maximumAttempts: Int = 3,
        baseDelay: Duration = .milliseconds(250),
        maximumDelay: Duration = .seconds(20),
        maximumRetryAfter: Duration = .seconds(60),
        maximumTime: Duration? = nil,
        statuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504],
        retriesUnsafeMethods: Bool = false
    ) {
        self.maximumAttempts = maximumAttempts
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
        self.maximumRetryAfter = maximumRetryAfter
        self.maximumTime = maximumTime
        self.statuses = statuses
        self.retriesUnsafeMethods = retriesUnsafeMethods
    }

    /// Never retries.
    public static let never = RetryPolicy(maximumAttempts: 1)

    /// The policy of the ``RetryPlugin``, for a target that declares none.
    public static let inherited: RetryPolicy = {
        var policy = RetryPolicy()
        policy.isInherited = true
        return policy
    }()

    /// Returns the request with the rest of the maximum time.
    func bounded(_ request: HTTPRequest, after elapsed: Duration) -> HTTPRequest {
        guard let maximumTime else { return request }
        var request = request
        request.timeouts.total = min(request.timeouts.total ?? maximumTime, maximumTime - elapsed)
        return request
    }

    /// Returns whether there is time for another attempt after a delay.
    func hasTime(for wait: Duration, after elapsed: Duration) -> Bool {
        maximumTime.map { elapsed + wait < $0 } ?? true
    }

    /// Returns whether the request can be sent twice safely.
    func mayRepeat(_ request: HTTPRequest) -> Bool { retriesUnsafeMethods || request.isRepeatable }

    /// Returns whether a failure is retried. `isProcessed` says that the server has processed the request, and that the
    /// failure is that of a redirect.
    func retries(_ error: HTTPTransportError, of request: HTTPRequest, isProcessed: Bool) -> Bool {
        switch error.code {
        case _ where error.isConnectionFailure: !isProcessed || mayRepeat(request)
        case .connectionLost, .noResponse, .timedOut(.idle): mayRepeat(request)
        default: false
        }
    }

    /// Returns a delay with full jitter (Marc Brooker, "Exponential Backoff And Jitter", 2015).
    /// - Parameters:
    ///   - retry: the number of the retry, from 1.
    ///   - random: a number from 0 to 1.
    /// - Returns: a delay from zero to the maximum.
    func delay(beforeRetry retry: Int, random: Double) -> Duration {
        .seconds(min(baseDelay.seconds(doubled: retry - 1), maximumDelay / .seconds(1)) * min(max(random, 0), 1))
    }

    /// Returns the delay that a response requires: `Retry-After` as seconds or as a date; nil if it has none.
    ///
    /// A date is compared with the response's `Date`, if there is one, so that wrong clocks do not matter.
    package static func retryAfter(_ head: HTTPResponseHead, now: Date) -> Duration? {
        guard let text = head.headers[.retryAfter] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(Int64(text) ?? Int64(Int32.max))
        }
        guard let date = HTTPDate.date(text, now: now) else { return nil }
        let sent = head.headers[.date].flatMap { HTTPDate.date($0, now: now) } ?? now
        return .seconds(max(date.timeIntervalSince(sent), 0))
    }
}

extension HTTPRequest {
    /// Whether the request has the same effect if it is processed twice.
    var isRepeatable: Bool { method.isIdempotent || headers.contains(.idempotencyKey) }
}

/// Bounds retries to a share of all requests, so that they do not overload a failing server.
///
/// A bucket of tokens: every request adds a share of one, every retry removes one, and without a whole token there is
/// no retry (after Finagle's `RetryBudget`). Create one budget for each server; it is shared by reference.
public final class RetryBudget: Sendable {
    private let tokens: Locked<Double>
    private let share: Double
    private let capacity: Double

    /// Creates a full budget.
    /// - Parameters:
    ///   - share: the retries that each request adds, 0 or more; a fifth by default.
    ///   - capacity: the maximum number of retries that are saved, and the number at first; 0 or more.
    public init(share: Double = 0.2, capacity: Double = 20) {
        self.share = max(share, 0)
        self.capacity = max(capacity, 0)
        tokens = Locked(max(capacity, 0))
    }

    /// The number of retries that are possible now.
    public var available: Int { tokens.withLock { Int($0) } }

    /// Counts a request.
    func deposit() { tokens.withLock { $0 = min($0 + share, capacity) } }

    /// Removes a retry; false if the budget is used up.
    func withdraw() -> Bool {
        tokens.withLock { tokens in
            guard tokens >= 1 else { return false }
            tokens -= 1
            return true
        }
    }
}

extension Duration {
    /// Returns the seconds of this duration, doubled a number of times. 62 doublings of a nanosecond are 146 years:
    /// more would overflow.
    func seconds(doubled times: Int) -> Double {
        self / .seconds(1) * Double(UInt64(1) << UInt64(min(max(times, 0), 62)))
    }
}
