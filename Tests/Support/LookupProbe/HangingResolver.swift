import Locking

#if canImport(Darwin)
    public import Darwin
#elseif canImport(Glibc)
    public import Glibc
#elseif canImport(Musl)
    public import Musl
#endif

/// A name server that never answers, as far as this process can tell: every look-up waits until it is let go.
enum HangingResolver {
    private struct State {
        var waiting = 0
        var isLetGo = false
    }

    private static let state = Locked(State())

    /// The look-ups that wait.
    static var waiting: Int { state.withLock { $0.waiting } }

    /// Lets every look-up, also later ones, end without an address.
    static func letGo() { state.withLock { $0.isLetGo = true } }

    /// Ends the process by a signal when it has not ended by itself.
    static func limitProcess(seconds: UInt32) { alarm(seconds) }

    /// Writes out what was printed, for whoever looks at a process that was ended.
    static func flushOutput() { fflush(nil) }

    /// Waits; the body of every look-up.
    fileprivate static func wait() {
        state.withLock { $0.waiting += 1 }
        while !state.withLock({ $0.isLetGo }) { usleep(2_000) }
        state.withLock { $0.waiting -= 1 }
    }
}

/// Stands in for the system's function: a program's own symbols come before those of the libraries that it loads. Public,
/// or the optimiser would keep the symbol to the program.
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
