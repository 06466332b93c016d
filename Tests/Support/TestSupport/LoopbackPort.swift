import SystemCalls

/// Ports of 127.0.0.1 for programs that need a fixed port.
public enum LoopbackPort {
    /// Returns a port that is not in use now, or `nil` if all are in use.
    public static func free() -> UInt16? {
        withSocket { descriptor in
            var address = self.address(0)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0
                }
            }
            return isBound ? UInt16(bigEndian: address.sin_port) : nil
        }
    }

    /// Whether a server accepts connections on the port.
    public static func answers(_ port: UInt16) -> Bool {
        withSocket { descriptor in
            var address = self.address(port)
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 ? true : nil
                }
            }
        } ?? false
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func withSocket<Result>(_ body: (Int32) -> Result?) -> Result? {
        #if os(Linux)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            let descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return body(descriptor)
    }
}
