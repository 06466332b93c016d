import LocalProvider
import LocalProviderTestSupport
import SystemCalls
import Threading

/// The system's calls, of which the synchronisation of files fails on demand.
final class FailingSync: ForwardedCalls {
    let isFailing = Locked(false)

    func synchronise(_ descriptor: Int32) throws(SystemError) {
        if isFailing.withLock({ $0 }) { throw SystemError(code: 5, call: "fdatasync") }
    }

    func synchroniseFolder(_ descriptor: Int32) throws(SystemError) {}
}
