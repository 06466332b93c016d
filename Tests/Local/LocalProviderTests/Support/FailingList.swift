import LocalProvider
import LocalProviderTestSupport
import SystemCalls
import Threading

/// The system's calls, of which the listing of a folder fails on demand.
final class FailingList: ForwardedCalls {
    let isFailing = Locked(false)

    func list(_ path: String) throws(SystemError) -> [String] {
        if isFailing.withLock({ $0 }) { throw SystemError(code: 5, call: "opendir") }
        return try system.list(path)
    }
}
