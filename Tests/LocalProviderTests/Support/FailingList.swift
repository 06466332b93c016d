import LocalProvider
import LocalProviderTestSupport
import Locking

/// The system's calls, of which the listing of a folder fails on demand.
final class FailingList: ForwardedCalls {
    let isFailing = Locked(false)

    func list(_ path: String) throws(SystemFailure) -> [String] {
        if isFailing.withLock({ $0 }) { throw SystemFailure(code: 5, operation: "opendir") }
        return try system.list(path)
    }
}
