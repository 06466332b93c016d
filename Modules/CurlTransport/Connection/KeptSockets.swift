#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The sockets of connections of HTTP/1.1 without TLS, to see before each further request whether there are bytes that
/// nobody asked for.
///
/// A libcurl before 8.0 reads no more of a body than was declared, and leaves what a server sends beyond that to be
/// taken for the next answer's beginning. A connection with such bytes is broken here before it is used again; libcurl
/// then makes another one, for nothing has been sent. Over TLS they are out of sight.
struct KeptSockets {
    private struct Kept {
        let socket: Int32
        let peerPort: UInt16
    }

    /// By the socket's own port.
    private var sockets: [UInt16: Kept] = [:]

    /// Takes in the socket of a new connection.
    mutating func keep(_ socket: Int32) {
        guard let port = number(of: socket, getsockname), let peerPort = number(of: socket, getpeername) else { return }
        if sockets.count >= 4_096 { sockets = sockets.filter { isSame($0.value, $0.key) } }
        sockets[port] = Kept(socket: socket, peerPort: peerPort)
    }

    /// Breaks the connection from a port when there are bytes that nobody asked for; returns whether there were.
    mutating func breakUnclean(port: UInt16) -> Bool {
        guard let kept = sockets[port] else { return false }
        var byte: UInt8 = 0
        // The number may be another file's by now, which has nothing for recv or another port.
        guard recv(kept.socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0, isSame(kept, port) else {
            return false
        }
        sockets[port] = nil
        shutdown(kept.socket, Int32(SHUT_RDWR))
        return true
    }

    private func isSame(_ kept: Kept, _ port: UInt16) -> Bool {
        number(of: kept.socket, getsockname) == port && number(of: kept.socket, getpeername) == kept.peerPort
    }

    /// The port at one end of a TCP connection; nil for anything else.
    private func number(
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
                // Both families have it at the same place.
                return UnsafeRawPointer(bare).loadUnaligned(fromByteOffset: 2, as: UInt16.self).bigEndian
            }
        }
    }
}
