import Locking

/// Numbers the requests of a provider and of its copies, from 1.
final class RequestNumbers: Sendable {
    private let last = Locked<UInt64>(0)

    /// The next number.
    func next() -> UInt64 {
        last.withLock { number in
            number += 1
            return number
        }
    }
}
