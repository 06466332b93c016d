import SystemCalls

/// The clients that a limit by address counts as one.
enum ClientNetwork {
    /// The prefixes of IPv6 addresses that contain an IPv4 address: those of RFC 4291, section 2.5.5.2, and RFC 6052, section 2.1.
    private static let prefixesOfIPv4: [[UInt8]] = [
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0],
    ]

    /// Returns the name of the network of an address: an IPv4 address itself, and the first 64 bits of an IPv6 address, since a
    /// customer has all addresses with them. A text that is not an address is returned unchanged.
    static func name(of address: String) -> String {
        var parsed = in6_addr()
        guard inet_pton(AF_INET6, address, &parsed) == 1 else { return address }
        let bytes = withUnsafeBytes(of: parsed) { Array($0) }
        if prefixesOfIPv4.contains(Array(bytes.prefix(12))) {
            return bytes.suffix(4).map { String($0) }.joined(separator: ".")
        }
        return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "/64"
    }
}
