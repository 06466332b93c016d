import LocalProvider
import LocalProviderTestSupport
import Locking

/// The system's calls, of which the synchronisation of files fails on demand.
final class FailingSync: ForwardedCalls {
    let isFailing = Locked(false)

    func synchronise(_ descriptor: Int32) throws(SystemFailure) {
        if isFailing.withLock({ $0 }) { throw SystemFailure(code: 5, operation: "fdatasync") }
    }

    func synchroniseFolder(_ descriptor: Int32) throws(SystemFailure) {}
}
