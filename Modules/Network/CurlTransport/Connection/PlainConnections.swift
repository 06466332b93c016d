import SystemCalls

/// The sockets of HTTP/1.1 connections without TLS, which are checked for unexpected bytes before each further request.
///
/// A libcurl before 8.0 reads no more of a body than was declared, and takes what a server sends beyond it for the
/// beginning of the next response. This type shuts down a connection with such bytes before it is reused; libcurl then
/// makes another one, because nothing has been sent. Over TLS the bytes cannot be seen.
struct PlainConnections {
    private struct Connection {
        let socket: Int32
        let peerPort: UInt16
    }

    /// The connections by the port of the socket.
    private var connections: [UInt16: Connection] = [:]

    /// Adds the socket of a new connection.
    mutating func add(_ socket: Int32) {
        guard let port = self.port(of: socket, getsockname), let peerPort = self.port(of: socket, getpeername) else {
            return
        }
        if connections.count >= 4_096 { connections = connections.filter { isCurrent($0.value, $0.key) } }
        connections[port] = Connection(socket: socket, peerPort: peerPort)
    }

    /// Shuts down the connection from a port if it has unread bytes; returns whether it had.
    mutating func shutDownIfUnclean(port: UInt16) -> Bool {
        guard let connection = connections[port] else { return false }
        var byte: UInt8 = 0
        // The descriptor may belong to another file by now, which has another port or is not a socket.
        guard recv(connection.socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0,
            isCurrent(connection, port)
        else { return false }
        connections[port] = nil
        shutdown(connection.socket, Int32(SHUT_RDWR))
        return true
    }

    private func isCurrent(_ connection: Connection, _ port: UInt16) -> Bool {
        self.port(of: connection.socket, getsockname) == port
            && self.port(of: connection.socket, getpeername) == connection.peerPort
    }

    /// Returns the port at one end of a TCP connection; nil for anything else.
    private func port(
        of socket: Int32,
        _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> UInt16? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bare in
                guard name(socket, bare, &length) == 0 else { return nil }
                let family = Int32(bare.pointee.sa_family)
                guard family == AF_INET || family == AF_INET6 else { return nil }
                // The port is at the same offset in both families.
                return UnsafeRawPointer(bare).loadUnaligned(fromByteOffset: 2, as: UInt16.self).bigEndian
            }
        }
    }
}
