#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Scheme, host and port: what credentials, connections and circuits belong to (RFC 6454, section 4).
public struct HTTPOrigin: Sendable, Hashable {
    /// The scheme, in lower case.
    public let scheme: String
    /// The host, in lower case.
    public let host: String
    /// The port; the scheme's own where the URL names none.
    public let port: Int

    /// The origin of a URL; nil for one without a scheme or a host.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased() else { return nil }
        self.scheme = scheme
        self.host = host
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}

extension HTTPOrigin: CustomStringConvertible {
    /// As in a URL, the scheme's own port left out.
    public var description: String {
        let isUsual = port == (scheme == "https" ? 443 : 80)
        return "\(scheme)://\(host)" + (isUsual ? "" : ":\(port)")
    }
}
