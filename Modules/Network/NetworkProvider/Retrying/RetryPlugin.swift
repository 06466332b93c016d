public import EssentialFoundation
import Threading

/// Sends a request again after a failure that may be temporary: exponential backoff with full jitter, `Retry-After`,
/// idempotency, and a budget for all requests.
///
/// A cached connection that the server has closed breaks without a response: the first retry after that is sent at
/// once. When the attempts are used up, the last response or failure is returned. A failure while the body is read is
/// not retried, since the reader may have used a part of the body. ``RetryPolicy/maximumTime`` bounds all attempts
/// together.
///
/// Place it before (outside) an ``AuthenticationPlugin``, so that each attempt has the current credential.
public struct RetryPlugin: NetworkPlugin {
    /// The policy for targets without a ``RemoteTargetType/retry``.
    public let policy: RetryPolicy
    /// Bounds the retries of all requests.
    public let budget: RetryBudget
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let random: @Sendable () -> Double

    /// Creates a plugin.
    /// - Parameters:
    ///   - policy: the policy for targets without one.
    ///   - budget: bounds the retries of all requests; a separate budget by default.
    ///   - clock: measures the delays.
    ///   - now: the current date, for a `Retry-After` that is a date.
    ///   - random: returns numbers from 0 to 1 for the jitter; called from any task.
    public init(
        _ policy: RetryPolicy = RetryPolicy(),
        budget: RetryBudget = RetryBudget(),
        clock: any Clock<Duration> = ContinuousClock(),
        now: @escaping @Sendable () -> Date = { Date() },
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.policy = policy
        self.budget = budget
        self.clock = clock
        self.now = now
        self.random = random
    }

    /// Creates a plugin whose policy has a maximum number of attempts, and otherwise the defaults.
    public init(maximumAttempts: Int) { self.init(RetryPolicy(maximumAttempts: maximumAttempts)) }

    /// Sends the request until an attempt succeeds, or the policy or the budget forbids another one.
    public func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        next: NetworkSend
    ) async throws -> HTTPResponse {
        let policy = context.retry ?? policy
        budget.deposit()
        let elapsed = clock.stopwatch()
        var attempt = 1
        while true {
            let wait: Duration
            do {
                let response = try await next(policy.bounded(request, after: elapsed()))
                guard let delay = delay(after: response.head, of: request, attempt, policy),
                    policy.hasTime(for: delay, after: elapsed()), budget.withdraw()
                else { return response }
                await response.discard()
                wait = delay
            } catch let error as HTTPTransportError {
                let isProcessed = context.attempts.withLock { $0.isProcessed }
                guard attempt < policy.maximumAttempts,
                    policy.retries(error, of: request, isProcessed: isProcessed)
                else { throw error }
                let isStale = error.code == .noResponse || error.code == .connectionLost
                wait = isStale && attempt == 1 ? .zero : policy.delay(beforeRetry: attempt, random: random())
                guard policy.hasTime(for: wait, after: elapsed()), budget.withdraw() else { throw error }
            }
            if wait > .zero { try await clock.sleep(for: wait) }
            try Task.checkCancellation()
            attempt += 1
        }
    }

    /// Returns the delay before the next attempt; nil if the response is returned to the caller.
    private func delay(
        after head: HTTPResponseHead,
        of request: HTTPRequest,
        _ attempt: Int,
        _ policy: RetryPolicy
    ) -> Duration? {
        guard attempt < policy.maximumAttempts, policy.statuses.contains(head.status), policy.mayRepeat(request) else {
            return nil
        }
        let backoff = policy.delay(beforeRetry: attempt, random: random())
        guard let asked = RetryPolicy.retryAfter(head, now: now()) else { return backoff }
        // The jitter is added, since otherwise all clients would return at the same moment.
        return asked <= policy.maximumRetryAfter ? asked + backoff : nil
    }
}

extension Clock where Duration == Swift.Duration {
    /// Returns a closure that measures the time since this call, whatever type the clock's instants have.
    func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: self.now) }
    }
}
