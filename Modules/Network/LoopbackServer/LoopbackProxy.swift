import SystemCalls
import Threading

/// A proxy on 127.0.0.1 for tests: HTTP (absolute targets and CONNECT) and SOCKS 5 on the same port.
///
/// It connects to 127.0.0.1 for every host, and to the port of the request, so that a test can show that the proxy
/// resolves names. Each connection has a thread; ``stop()`` ends them all.
public final class LoopbackProxy: Sendable {
    struct State {
        var isStopping = false
        var targets: [String] = []
        var credentials: [String] = []
        var sockets: Set<Int32> = []
        var threads: [SystemThread] = []
    }

    /// The port that it listens on.
    public let port: UInt16
    private let listener: Int32
    private let state = Locked(State())
    private let acceptor = Locked<SystemThread?>(nil)

    /// Starts a proxy.
    /// - Parameter credentials: the required credentials as `user:password`; nil for none.
    /// - Throws: ``LoopbackServerError`` if the system has no more sockets or threads.
    public init(requiring credentials: String? = nil) throws(LoopbackServerError) {
        let (listener, address) = try Socket.listen(.ipv4(port: 0))
        self.listener = listener
        guard case .ipv4(let port) = address else { throw LoopbackServerError(call: "listen", code: EINVAL) }
        self.port = port
        let state = state
        let thread = try LoopbackServerError.startThread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0, !state.withLock({ $0.isStopping }) else {
                    if client >= 0 { close(client) }
                    return
                }
                let tunnel = ProxyTunnel(client: client, required: credentials, state: state)
                state.withLock { state in
                    state.sockets.insert(client)
                    if let thread = try? SystemThread({ tunnel.run() }) { state.threads.append(thread) }
                }
            }
        }
        acceptor.withLock { $0 = thread }
    }

    deinit { stop() }

    /// The requested targets as `host:port`, in order.
    public var targets: [String] { state.withLock { $0.targets } }

    /// The received credentials as `user:password`, in order.
    public var credentials: [String] { state.withLock { $0.credentials } }

    /// Closes every connection and stops the proxy.
    public func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
        guard isFirst else { return }
        Socket.hangUp(listener)
        acceptor.withLock { $0 }?.join()
        close(listener)
        let threads = state.withLock { state in
            for socket in state.sockets { Socket.hangUp(socket) }
            return state.threads
        }
        for thread in threads { thread.join() }
    }
}
