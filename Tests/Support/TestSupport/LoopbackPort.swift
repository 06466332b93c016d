import SystemCalls

/// Ports and sockets of 127.0.0.1.
public enum LoopbackPort {
    /// Returns a port that is not in use now, or `nil` if all are in use.
    public static func free() -> UInt16? {
        guard let (socket, port) = try? listener() else { return nil }
        close(socket)
        return port
    }

    /// Whether a server accepts connections on the port.
    public static func answers(_ port: UInt16) -> Bool {
        let (socket, isConnected) = client(of: port)
        close(socket)
        return isConnected
    }

    /// Returns a socket that listens on a free port, and the port. The caller closes the socket.
    public static func listener(backlog: Int32 = 8) throws -> (socket: Int32, port: UInt16) {
        let descriptor = socket()
        var (address, size) = (address(0), socklen_t(MemoryLayout<sockaddr_in>.size))
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, backlog) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isListening else {
            let error = SystemError(call: "listen")
            close(descriptor)
            throw error
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    /// Returns a socket that connects to a port, and whether it is connected. The caller closes the socket.
    public static func client(of port: UInt16, blocks: Bool = true) -> (socket: Int32, isConnected: Bool) {
        let descriptor = socket()
        if !blocks { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        var address = address(port)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        return (descriptor, isConnected)
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func socket() -> Int32 {
        #if os(Linux)
            SystemCalls.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            SystemCalls.socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }
}
