public import SystemCalls
import Threading

/// A name server that does not respond, from this process's view: every lookup waits until it is released.
enum HangingResolver {
    private struct State {
        var waiting = 0
        var isReleased = false
    }

    private static let state = Locked(State())

    /// The number of waiting lookups.
    static var waiting: Int { state.withLock { $0.waiting } }

    /// Ends every lookup, also later ones, without an address.
    static func releaseAll() { state.withLock { $0.isReleased = true } }

    /// Terminates the process with a signal after a time.
    static func limitProcess(seconds: UInt32) { alarm(seconds) }

    /// Writes buffered output, which a terminated process would lose.
    static func flushOutput() { fflush(nil) }

    /// Waits until the lookups are released.
    fileprivate static func wait() {
        state.withLock { $0.waiting += 1 }
        while !state.withLock({ $0.isReleased }) { usleep(2_000) }
        state.withLock { $0.waiting -= 1 }
    }
}

/// Replaces the system's function: a program's symbols take precedence over those of its libraries. Public, or the
/// optimiser would make the symbol local.
@_cdecl("getaddrinfo")
public func lookUp(
    _ name: UnsafePointer<CChar>?,
    _ service: UnsafePointer<CChar>?,
    _ hints: UnsafePointer<addrinfo>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
) -> Int32 {
    HangingResolver.wait()
    return EAI_NONAME
}
