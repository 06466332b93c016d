import SystemCalls

/// The socket calls of the server, the same on Linux and Apple platforms.
enum Socket {
    #if os(Linux)
        /// The event of a peer that has shut down its writing side.
        static let peerHangUp: Int16 = 0x2000
        private static let stream = Int32(SOCK_STREAM.rawValue)
        private static let sendFlags = Int32(MSG_NOSIGNAL)
    #else
        static let peerHangUp: Int16 = 0
        private static let stream = SOCK_STREAM
        private static let sendFlags: Int32 = 0
    #endif

    /// Returns a listening socket and its address with the assigned port.
    static func listen(_ wanted: LoopbackAddress) throws(LoopbackServerError) -> (Int32, LoopbackAddress) {
        switch wanted {
        case .ipv4(let port):
            var address = ipv4(port)
            let descriptor = try bound(&address, AF_INET)
            return (descriptor, .ipv4(port: UInt16(bigEndian: address.sin_port)))
        case .ipv6(let port):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            let descriptor = try bound(&address, AF_INET6)
            return (descriptor, .ipv6(port: UInt16(bigEndian: address.sin6_port)))
        case .unix(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            let bytes = Array(path.utf8)
            guard !bytes.isEmpty, bytes.count <= 103 else {
                throw LoopbackServerError(call: "bind", code: ENAMETOOLONG)
            }
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
            return (try bound(&address, AF_UNIX), wanted)
        }
    }

    /// Returns the address of a port of 127.0.0.1.
    static func ipv4(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    /// Returns a blocking connection to a port of 127.0.0.1; nil if there is no server.
    static func connect(to port: UInt16) -> Int32? {
        let descriptor = socket(AF_INET, stream, 0)
        guard descriptor >= 0 else { return nil }
        prepare(descriptor)
        var address = ipv4(port)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                SystemCalls.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    private static func bound<Address>(_ address: inout Address, _ family: Int32) throws(LoopbackServerError) -> Int32 {
        let descriptor = socket(family, stream, 0)
        guard descriptor >= 0 else { throw LoopbackServerError(call: "socket", code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        func fail(_ call: String) -> LoopbackServerError {
            let code = errno
            close(descriptor)
            return LoopbackServerError(call: call, code: code)
        }
        var one: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var size = socklen_t(MemoryLayout<Address>.size)
        let failedCall = withUnsafeMutablePointer(to: &address) { pointer -> String? in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                guard bind(descriptor, $0, size) == 0 else { return "bind" }
                let listening = SystemCalls.listen(descriptor, 512)
                guard listening == 0 else { return "listen" }
                return getsockname(descriptor, $0, &size) == 0 ? nil : "getsockname"
            }
        }
        if let failedCall { throw fail(failedCall) }
        return descriptor
    }

    /// Disables Nagle's algorithm and SIGPIPE for a connection, and closes it in child processes.
    static func prepare(_ descriptor: Int32) {
        var one: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
        #endif
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Makes the calls on a socket return at once.
    static func makeNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    /// Makes the next close send a reset.
    static func resetOnClose(_ descriptor: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
    }

    /// Waits for one of `events` or the end of the connection; a negative number of `milliseconds` means no limit.
    static func wait(_ descriptor: Int32, for events: Int16, milliseconds: Int32) -> Int16 {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        while poll(&entry, 1, milliseconds) < 0 {
            guard errno == EINTR else { return Int16(POLLERR) }
        }
        return entry.revents
    }

    /// Sends the bytes that the socket accepts now; returns their number, or a negative number with `errno`.
    static func send(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        SystemCalls.send(descriptor, bytes.baseAddress, bytes.count, sendFlags)
    }

    /// Shuts down both directions, which ends every call that waits on the socket.
    static func hangUp(_ descriptor: Int32) { shutdown(descriptor, Int32(SHUT_RDWR)) }
}
