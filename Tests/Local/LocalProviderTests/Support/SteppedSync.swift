import LocalProvider
import LocalProviderTestSupport
import SystemCalls
import Threading

/// The system's calls, of which each synchronisation of a file is what a closure makes of its number, counted from 1.
final class SteppedSync: ForwardedCalls {
    private let count = Locked(0)
    private let isCounting = Locked(false)
    private let body: @Sendable (Int) throws(SystemError) -> Void

    init(_ body: @escaping @Sendable (Int) throws(SystemError) -> Void) { self.body = body }

    /// How many there have been since ``begin()``; before it none count.
    var synchronisations: Int { count.withLock { $0 } }

    func begin() { isCounting.withLock { $0 = true } }

    func synchronise(_ descriptor: Int32) throws(SystemError) {
        guard isCounting.withLock({ $0 }) else { return }
        let number = count.withLock { count in
            count += 1
            return count
        }
        try body(number)
    }

    func synchroniseFolder(_ descriptor: Int32) throws(SystemError) {}
}
