import LocalProvider
import LocalProviderTestSupport
import SystemCalls
import Threading

/// Calls of a process that, on demand, may open nothing for writing.
final class UnwritableCalls<Calls: FileCalls>: ForwardedCalls {
    let system: Calls
    let isUnwritable = Locked(false)

    init(_ system: Calls) { self.system = system }

    func open(_ path: String, _ mode: FileOpening) throws(SystemError) -> Int32 {
        if mode == .writing || mode == .creating, isUnwritable.withLock({ $0 }) {
            throw SystemError(code: 13, call: "open")
        }
        return try system.open(path, mode)
    }
}
