#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Sends a request again when that may help: exponential backoff with full jitter, `Retry-After`, idempotency, and a
/// budget over all requests.
///
/// A kept connection that the server had closed in the meantime breaks without an answer: the first retry after that
/// goes at once. When the tries are used up, the last answer or failure is given as it came. What breaks while the body
/// is read is the reader's: the body may have been looked at already. ``RetryPolicy/maximumTime`` bounds all the tries
/// together.
///
/// Put it before (outside) an ``AuthenticationPlugin``, so that each try carries fresh credentials.
public struct RetryPlugin: NetworkPlugin {
    /// What is tried again, where a target has no ``RemoteTargetType/retry`` of its own.
    public let policy: RetryPolicy
    /// What bounds the retries of all requests.
    public let budget: RetryBudget
    private let clock: any Clock<Duration>
    private let now: @Sendable () -> Date
    private let random: @Sendable () -> Double

    /// Creates a plugin.
    /// - Parameters:
    ///   - policy: what is tried again.
    ///   - budget: bounds the retries of all requests; one of its own unless told otherwise.
    ///   - clock: what waits are measured by.
    ///   - now: the date, for a `Retry-After` that is one.
    ///   - random: gives numbers from 0 to 1 for the jitter; called from any task.
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

    /// Sends until it goes well, or the policy or the budget says no.
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
                guard attempt < policy.maximumAttempts, policy.retries(error.code, of: request) else { throw error }
                let isStale = error.code == .noResponse || error.code == .connectionLost
                wait = isStale && attempt == 1 ? .zero : policy.delay(beforeRetry: attempt, random: random())
                guard policy.hasTime(for: wait, after: elapsed()), budget.withdraw() else { throw error }
            }
            if wait > .zero { try await clock.sleep(for: wait) }
            try Task.checkCancellation()
            attempt += 1
        }
    }

    /// How long to wait before the request is sent again; nil when the answer is to be given to the caller.
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
        // The jitter comes on top, or everybody who was sent away would be back at the same moment.
        return asked <= policy.maximumRetryAfter ? asked + backoff : nil
    }
}

extension Clock where Duration == Swift.Duration {
    /// Tells how long it has been since now, whatever the clock's own instants are.
    func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: self.now) }
    }
}
