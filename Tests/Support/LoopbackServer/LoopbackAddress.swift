/// Where a ``LoopbackServer`` listens.
public enum LoopbackAddress: Sendable, Hashable {
    /// On 127.0.0.1; port 0 takes a free one.
    case ipv4(port: UInt16)
    /// On ::1; port 0 takes a free one.
    case ipv6(port: UInt16)
    /// On a Unix socket at a path of at most 103 bytes; the file is made, and removed when the server stops.
    case unix(path: String)
}
