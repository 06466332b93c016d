import Foundation

/// A loopback port whose queue of connections is full, so that connecting to it never ends.
final class FullListener {
    struct Failure: Error { let code: Int32 }

    private let listener: Int32
    private var clients: [Int32] = []
    private let port: UInt16

    init() throws {
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        listener = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, size) = (listener, length)
        let result = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, size) == 0 && listen(listener, 0) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        guard result else { throw Failure(code: errno) }
        port = UInt16(bigEndian: address.sin_port)
        // One is taken into a queue of none; those behind it wait, and whatever comes later with them.
        for _ in 0..<4 {
            let client = socket(AF_INET, kind, 0)
            clients.append(client)
            _ = fcntl(client, F_SETFL, O_NONBLOCK)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, size) }
            }
        }
    }

    deinit { for descriptor in clients + [listener] { close(descriptor) } }

    var baseURL: String { "http://127.0.0.1:\(port)" }
}
