import SystemCalls
import Threading

/// A proxy on 127.0.0.1 for tests: HTTP (absolute targets and CONNECT) and SOCKS 5 on the same port.
///
/// It connects to 127.0.0.1 for every host, and to the port of the request, so that a test can show that the proxy
/// resolves names. A tunnel ends when both sides have finished sending, or one resets it. Each connection has a thread for each
/// direction; ``stop()`` ends them all.
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
    private let ending = Ending()

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
            while !state.withLock({ $0.isStopping }) {
                let client = accept(listener, nil, nil)
                guard client >= 0 else {
                    // Without a pause, a process without a free descriptor would ask for it without end; `stop()` ends it.
                    _ = Socket.wait(listener, for: 0, milliseconds: 50)
                    continue
                }
                Socket.prepare(client)
                LoopbackProxy.serve(ProxyTunnel(client: client, required: credentials, state: state))
            }
        }
        acceptor.withLock { $0 = thread }
    }

    deinit { stop() }

    /// Starts the thread of a connection, or closes the connection if the system has no more threads.
    private static func serve(_ tunnel: ProxyTunnel) {
        do {
            // Under the lock that the thread takes before it closes the socket.
            try tunnel.state.withLock { state throws(LoopbackServerError) in
                state.threads.append(try LoopbackServerError.startThread { tunnel.run() })
                state.sockets.insert(tunnel.client)
            }
        } catch {
            close(tunnel.client)
        }
    }

    /// The requested targets as `host:port`, in order; the port of an `http` URL without one is 80.
    public var targets: [String] { state.withLock { $0.targets } }

    /// The received credentials as `user:password`, in order.
    public var credentials: [String] { state.withLock { $0.credentials } }

    /// Closes every connection, and returns when all threads have ended. It may be called several times, also concurrently.
    public func stop() {
        ending.run {
            state.withLock { $0.isStopping = true }
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
}
