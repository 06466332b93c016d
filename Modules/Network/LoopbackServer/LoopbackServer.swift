import SystemCalls
import Threading

/// An HTTP/1.1 server on 127.0.0.1 for tests, with real sockets, a thread for each connection, and faults on demand.
///
/// It supports persistent connections and bodies framed by length and by chunks, records every request, and performs
/// the ``ServedResponse/Fault`` of a response. ``stop()`` closes every connection and waits for the threads.
public final class LoopbackServer: Sendable {
    /// Returns the response to a request; called concurrently, once for each request.
    public typealias Handler = @Sendable (ServedRequest) async -> ServedResponse

    enum Handling {
        case immediate(@Sendable (ServedRequest) -> ServedResponse)
        case asynchronous(Handler)
    }

    struct State {
        var recordsRequests = true
        var requests: [ServedRequest] = []
        var connections: [ConnectionRecord] = []
        var live: [Int: Connection] = [:]
        var threads: [Int: SystemThread] = [:]
        var finished: [Int] = []
        var processorTime: UInt64 = 0
    }

    /// The address that it listens on, with the assigned port.
    public let address: LoopbackAddress
    private let state = Locked(State())
    private let listener: Int32
    private let wakeReader: Int32
    private let wakeWriter: Int32
    private let acceptor = Locked<SystemThread?>(nil)
    private let ending = Ending()

    /// Starts a server on 127.0.0.1.
    /// - Parameters:
    ///   - port: the port, or 0 for a free one.
    ///   - recordsRequests: whether ``requests`` contains the requests; false for a server that runs for long.
    ///   - limits: the limits of a request; by default it has no limits.
    ///   - handler: returns the response to each request.
    /// - Throws: ``LoopbackServerError`` if the port is in use or the system has no more sockets or threads.
    public convenience init(
        port: UInt16 = 0,
        recordsRequests: Bool = true,
        limits: RequestLimits = RequestLimits(),
        handler: @escaping Handler
    ) throws(LoopbackServerError) {
        try self.init(.ipv4(port: port), handling: .asynchronous(handler), limits: limits)
        state.withLock { $0.recordsRequests = recordsRequests }
    }

    /// Starts a server on another address: IPv6, or a Unix socket.
    /// - Parameters:
    ///   - address: the address.
    ///   - handler: returns the response to each request.
    /// - Throws: ``LoopbackServerError`` if the address is in use or the system has no more sockets or threads.
    public convenience init(on address: LoopbackAddress, handler: @escaping Handler) throws(LoopbackServerError) {
        try self.init(address, handling: .asynchronous(handler))
    }

    /// Starts a server on 127.0.0.1 with a handler that runs on the connection's thread.
    ///
    /// All of the server's work is then part of ``processorTime``.
    public convenience init(
        port: UInt16 = 0,
        immediateHandler: @escaping @Sendable (ServedRequest) -> ServedResponse
    ) throws(LoopbackServerError) { try self.init(.ipv4(port: port), handling: .immediate(immediateHandler)) }

    private init(
        _ wanted: LoopbackAddress,
        handling: Handling,
        limits: RequestLimits = RequestLimits()
    ) throws(LoopbackServerError) {
        (listener, address) = try Socket.listen(wanted)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw LoopbackServerError(call: "pipe", code: errno) }
        for descriptor in ends { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        (wakeReader, wakeWriter) = (ends[0], ends[1])
        let acceptor = Acceptor(
            listener: listener,
            wakeReader: wakeReader,
            handling: handling,
            limits: limits,
            state: state
        )
        let thread = try LoopbackServerError.startThread { acceptor.run() }
        self.acceptor.withLock { $0 = thread }
    }

    deinit {
        stop()
        close(listener)
        close(wakeReader)
        close(wakeWriter)
    }

    /// The port that it listens on; 0 for a Unix socket.
    public var port: UInt16 {
        switch address {
        case .ipv4(let port), .ipv6(let port): port
        case .unix: 0
        }
    }

    /// `http://127.0.0.1:PORT`, without a trailing slash; `http://[::1]:PORT` or `http://localhost` for other addresses.
    public var baseURL: String {
        switch address {
        case .ipv4(let port): "http://127.0.0.1:\(port)"
        case .ipv6(let port): "http://[::1]:\(port)"
        case .unix: "http://localhost"
        }
    }

    /// The requests received so far, in the order in which their bodies ended.
    public var requests: [ServedRequest] { state.withLock { $0.requests } }

    /// The connections accepted so far.
    public var connections: [ConnectionRecord] { state.withLock { $0.connections } }

    /// The processor time of the connections' threads in nanoseconds, updated after each request.
    public var processorTime: UInt64 { state.withLock { $0.processorTime } }

    /// Closes the port and every connection, and returns when all threads have ended.
    ///
    /// It may be called several times, also concurrently, but not by a handler, for whose end it waits.
    public func stop() {
        ending.run {
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
}

/// The address of a ``LoopbackServer``.
public enum LoopbackAddress: Sendable, Hashable {
    /// 127.0.0.1; port 0 is replaced by a free one.
    case ipv4(port: UInt16)
    /// ::1; port 0 is replaced by a free one.
    case ipv6(port: UInt16)
    /// A Unix socket at a path of at most 103 bytes; the file is created, and removed when the server stops.
    case unix(path: String)
}

/// An accepted connection.
public struct ConnectionRecord: Sendable {
    /// The number of the connection, counted from 0 in the order of acceptance.
    public let number: Int
    /// The time of acceptance.
    public let opened: ContinuousClock.Instant
    /// The time at which the server detected that the client had closed or reset the connection, or had finished sending,
    /// which looks the same; nil if it has not.
    public internal(set) var peerClosed: ContinuousClock.Instant?
    /// Whether the server has closed the connection.
    public internal(set) var isClosed = false
    /// The number of bytes that the socket has accepted so far, including heads.
    public internal(set) var bytesSent = 0
    /// The number of requests that were received completely.
    public internal(set) var requests = 0
}
