import LocalProvider
import Locking

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Calls of a file system that, from some time on, knows no second names.
final class LinklessCalls<Calls: FileCalls>: ForwardedCalls {
    let system: Calls
    private let state = Locked((isLinkless: false, refusals: 0))

    init(_ system: Calls) {
        self.system = system
    }

    var isLinkless: Bool {
        get { state.withLock { $0.isLinkless } }
        set { state.withLock { $0.isLinkless = newValue } }
    }

    /// How many names have been refused.
    var refusals: Int { state.withLock { $0.refusals } }

    func link(_ path: String, to target: String) throws(SystemFailure) {
        let isRefused = state.withLock { state in
            if state.isLinkless { state.refusals += 1 }
            return state.isLinkless
        }
        if isRefused { throw SystemFailure(code: EPERM, operation: "link") }
        try system.link(path, to: target)
    }
}
