public import SystemCalls
import Threading

/// A name server that does not respond, from this process's view: every lookup waits until it is released.
enum HangingResolver {
    private struct State {
        var isOn = false
        var waiting = 0
        var isReleased = false
    }

    private static let state = Locked(State())

    fileprivate static var isOn: Bool { state.withLock { $0.isOn } }

    /// Has every lookup of this process wait from now on.
    static func begin() { state.withLock { $0.isOn = true } }

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

/// The type of `getaddrinfo`.
private typealias Lookup =
    @convention(c) (
        UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<addrinfo>?,
        UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
    ) -> Int32

/// Replaces the system's function: a program's symbols take precedence over those of its libraries. Public, or the
/// optimiser would make the symbol local. The program of the tests contains it, too, and calls the system's.
@_cdecl("getaddrinfo")
public func lookUp(
    _ name: UnsafePointer<CChar>?,
    _ service: UnsafePointer<CChar>?,
    _ hints: UnsafePointer<addrinfo>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<addrinfo>?>?
) -> Int32 {
    guard HangingResolver.isOn else {
        // RTLD_NEXT is a macro that Swift cannot import.
        guard let next = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "getaddrinfo") else { return EAI_FAIL }
        return unsafeBitCast(next, to: Lookup.self)(name, service, hints, result)
    }
    HangingResolver.wait()
    return EAI_NONAME
}
