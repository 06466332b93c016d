import Locking
import Threading

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// An HTTP/1.1 server on 127.0.0.1 for tests: real sockets, a thread a connection, and faults on demand.
///
/// It keeps connections alive, takes bodies by length and by chunks, records every request, and does to the client
/// what a ``ServedResponse/Fault`` says. ``stop()`` ends every connection and waits for its threads.
public final class LoopbackServer: Sendable {
    /// Answers one request; called concurrently, once for each request.
    public typealias Handler = @Sendable (ServedRequest) async -> ServedResponse

    enum Answering {
        case immediate(@Sendable (ServedRequest) -> ServedResponse)
        case asynchronous(Handler)
    }

    struct State {
        var isStopping = false
        var requests: [ServedRequest] = []
        var connections: [ConnectionRecord] = []
        var live: [Int: Connection] = [:]
        var threads: [Int: SystemThread] = [:]
        var finished: [Int] = []
        var processorTime: UInt64 = 0
    }

    /// Where it listens, with the port it got.
    public let address: LoopbackAddress
    private let state = Locked(State())
    private let listener: Int32
    private let wakeReader: Int32
    private let wakeWriter: Int32
    private let acceptor = Locked<SystemThread?>(nil)

    /// Listens on 127.0.0.1.
    /// - Parameters:
    ///   - port: the port, or 0 for a free one.
    ///   - handler: answers each request.
    /// - Throws: ``LoopbackServerError`` when the port is taken or the system has no more sockets or threads.
    public convenience init(port: UInt16 = 0, handler: @escaping Handler) throws(LoopbackServerError) {
        try self.init(.ipv4(port: port), answering: .asynchronous(handler))
    }

    /// Listens on another address: IPv6, or a Unix socket.
    /// - Parameters:
    ///   - address: where to listen.
    ///   - handler: answers each request.
    /// - Throws: ``LoopbackServerError`` when the address is taken or the system has no more sockets or threads.
    public convenience init(on address: LoopbackAddress, handler: @escaping Handler) throws(LoopbackServerError) {
        try self.init(address, answering: .asynchronous(handler))
    }

    /// Listens like the other initializer, with a handler that runs on the connection's own thread.
    ///
    /// All of the server's work is then done on threads whose time ``processorTime`` adds up.
    public convenience init(
        port: UInt16 = 0,
        immediateHandler: @escaping @Sendable (ServedRequest) -> ServedResponse
    ) throws(LoopbackServerError) {
        try self.init(.ipv4(port: port), answering: .immediate(immediateHandler))
    }

    private init(_ wanted: LoopbackAddress, answering: Answering) throws(LoopbackServerError) {
        (listener, address) = try Socket.listen(wanted)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LoopbackServerError(call: "pipe", code: errno) }
        for descriptor in [listener, ends[0], ends[1]] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        (wakeReader, wakeWriter) = (ends[0], ends[1])
        let acceptor = Acceptor(listener: listener, wakeReader: wakeReader, answering: answering, state: state)
        let thread = try LoopbackServerError.startThread { acceptor.run() }
        self.acceptor.withLock { $0 = thread }
    }

    deinit {
        stop()
        close(listener)
        close(wakeReader)
        close(wakeWriter)
    }

    /// The port it listens on; 0 on a Unix socket.
    public var port: UInt16 {
        switch address {
        case .ipv4(let port), .ipv6(let port): port
        case .unix: 0
        }
    }

    /// `http://127.0.0.1:PORT`, without a slash at the end; `http://[::1]:PORT` or `http://localhost` elsewhere.
    public var baseURL: String {
        switch address {
        case .ipv4(let port): "http://127.0.0.1:\(port)"
        case .ipv6(let port): "http://[::1]:\(port)"
        case .unix: "http://localhost"
        }
    }

    /// Every request read so far, in the order in which their bodies ended.
    public var requests: [ServedRequest] { state.withLock { $0.requests } }

    /// Every connection accepted so far.
    public var connections: [ConnectionRecord] { state.withLock { $0.connections } }

    /// The processor time used by connection threads, in nanoseconds: each thread adds its share after each request.
    public var processorTime: UInt64 { state.withLock { $0.processorTime } }

    /// Closes the port and every connection, and returns when all threads have ended. May be called again.
    public func stop() {
        let isFirst = state.withLock { state in
            defer { state.isStopping = true }
            return !state.isStopping
        }
        guard isFirst else { return }
        var byte: UInt8 = 0
        _ = write(wakeWriter, &byte, 1)
        acceptor.withLock { $0 }?.join()
        Socket.hangUp(listener)
        if case .unix(let path) = address { unlink(path) }
        let (threads, live) = state.withLock { state in
            defer { state.threads = [:] }
            return (Array(state.threads.values), Array(state.live.values))
        }
        for connection in live { connection.hangUp() }
        for thread in threads { thread.join() }
    }
}
