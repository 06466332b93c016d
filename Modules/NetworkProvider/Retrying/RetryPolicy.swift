import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Which failures are tried again, how often, and after how long.
///
/// A request that has perhaps been acted on is only sent again when its method is idempotent (RFC 9110, section 9.2.2)
/// or when it carries an `Idempotency-Key`. A request that never left, because there was no connection, may always be.
public struct RetryPolicy: Sendable, Hashable {
    /// How often a request is sent at most, the first time included; 1 or less never retries.
    public var maximumAttempts: Int
    /// The upper bound of the wait before the first retry; it doubles with each further one.
    public var baseDelay: Duration
    /// What the doubling never goes over.
    public var maximumDelay: Duration
    /// The longest `Retry-After` that is waited for; an answer that asks for more is given to the caller as it is.
    public var maximumRetryAfter: Duration
    /// From the first try to the last byte of the last one, waits included; nil for no bound. Each try gets what is
    /// left of it, and a wait that would go over it is not begun: the last answer or failure is given.
    public var maximumTime: Duration?
    /// The statuses that are tried again.
    public var statuses: Set<Int>
    /// Whether requests that are not idempotent are tried again as well, at the risk of acting twice.
    public var retriesUnsafeMethods: Bool

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

    /// The request with no more time than is left of all.
    func bounded(_ request: HTTPRequest, after elapsed: Duration) -> HTTPRequest {
        guard let maximumTime else { return request }
        var request = request
        request.timeouts.total = min(request.timeouts.total ?? maximumTime, maximumTime - elapsed)
        return request
    }

    /// Whether there is time for another try after a wait.
    func hasTime(for wait: Duration, after elapsed: Duration) -> Bool {
        maximumTime.map { elapsed + wait < $0 } ?? true
    }

    /// Whether sending the request a second time does no harm.
    func mayRepeat(_ request: HTTPRequest) -> Bool {
        retriesUnsafeMethods || request.method.isIdempotent || request.headers.contains("Idempotency-Key")
    }

    /// Whether a failure is worth another try.
    func retries(_ code: HTTPTransportError.Code, of request: HTTPRequest) -> Bool {
        switch code {
        case .cannotResolveHost, .cannotConnect, .timedOut(.connect): true
        case .connectionLost, .noResponse, .timedOut(.idle): mayRepeat(request)
        default: false
        }
    }

    /// Full jitter (Marc Brooker, "Exponential Backoff And Jitter", 2015): anything from zero to the bound.
    /// - Parameters:
    ///   - retry: which retry it is, from 1.
    ///   - random: from 0 to 1.
    /// - Returns: the wait.
    func delay(beforeRetry retry: Int, random: Double) -> Duration {
        .seconds(min(baseDelay.seconds(doubled: retry - 1), maximumDelay / .seconds(1)) * min(max(random, 0), 1))
    }

    /// How long an answer asks to be left alone: `Retry-After` as seconds or as a date; nil when it does not say.
    ///
    /// A date is measured from the answer's own `Date` where there is one, so that wrong clocks do no harm.
    static func retryAfter(_ head: HTTPResponseHead, now: Date) -> Duration? {
        guard let text = head.headers["Retry-After"] else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return .seconds(Int64(text) ?? Int64(Int32.max))
        }
        guard let date = HTTPDate.date(text, now: now) else { return nil }
        let sent = head.headers["Date"].flatMap { HTTPDate.date($0, now: now) } ?? now
        return .seconds(max(date.timeIntervalSince(sent), 0))
    }
}

/// Bounds retries to a share of all requests, so that a server in trouble is not buried under them.
///
/// A bucket of tokens: every request puts a share of one in, every retry takes one out, and without a whole one nothing
/// is retried (after Finagle's `RetryBudget`). Hold one budget for each server; it is shared by reference.
public final class RetryBudget: Sendable {
    private let tokens: Locked<Double>
    private let share: Double
    private let capacity: Double

    /// Creates a full budget.
    /// - Parameters:
    ///   - share: how many retries each request earns, 0 or more; a fifth unless told otherwise.
    ///   - capacity: how many retries can be saved up, and how many there are at first; 0 or more.
    public init(share: Double = 0.2, capacity: Double = 20) {
        self.share = max(share, 0)
        self.capacity = max(capacity, 0)
        tokens = Locked(max(capacity, 0))
    }

    /// How many retries are possible now.
    public var available: Int { tokens.withLock { Int($0) } }

    /// Counts a request.
    func deposit() {
        tokens.withLock { $0 = min($0 + share, capacity) }
    }

    /// Takes a retry out; false when there is none.
    func withdraw() -> Bool {
        tokens.withLock { tokens in
            guard tokens >= 1 else { return false }
            tokens -= 1
            return true
        }
    }
}

extension Duration {
    /// The seconds of this duration doubled so many times, the growth of every backoff. 62 doublings of a nanosecond are
    /// 146 years: more would only overflow.
    func seconds(doubled times: Int) -> Double {
        self / .seconds(1) * Double(UInt64(1) << UInt64(min(max(times, 0), 62)))
    }
}
