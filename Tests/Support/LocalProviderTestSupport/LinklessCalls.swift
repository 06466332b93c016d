package import LocalProvider
package import SystemCalls
import Threading

/// Calls of a file system that, from some time on, knows no second names.
package final class LinklessCalls<Calls: FileCalls>: ForwardedCalls {
    package let system: Calls
    private let state = Locked((isLinkless: false, refusals: 0))

    package init(_ system: Calls) { self.system = system }

    package var isLinkless: Bool {
        get { state.withLock { $0.isLinkless } }
        set { state.withLock { $0.isLinkless = newValue } }
    }

    /// How many names have been refused.
    package var refusals: Int { state.withLock { $0.refusals } }

    package func link(_ path: String, to target: String) throws(SystemError) {
        let isRefused = state.withLock { state in
            if state.isLinkless { state.refusals += 1 }
            return state.isLinkless
        }
        if isRefused { throw SystemError(code: EPERM, call: "link") }
        try system.link(path, to: target)
    }
}
