import Locking

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
