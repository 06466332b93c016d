import EssentialFoundation
import NetworkProvider

extension CalDAVAccount {
    /// Whether the credential may be sent to a server: the account's host, a host below it, or one below its parent domain,
    /// such as `p42-caldav.icloud.com` for `caldav.icloud.com`. No domain is shared below a public suffix such as `co.uk`.
    func trusts(_ host: String) -> Bool {
        guard let own = url.host()?.lowercased() else { return false }
        let host = host.lowercased()
        guard host != own, !CalDAVAccount.isAddress(host), !CalDAVAccount.isAddress(own) else { return host == own }
        if host.hasSuffix("." + own), own.contains(".") { return true }
        guard let dot = own.firstIndex(of: "."), case let domain = own[own.index(after: dot)...],
            domain.contains("."), !CalDAVAccount.isPublic(String(domain))
        else { return false }
        return host == domain || host.hasSuffix("." + domain)
    }

    /// Whether a URL is encrypted or on this machine, so that a password may be sent in clear.
    static func isSecure(_ url: URL) -> Bool {
        guard url.scheme?.lowercased() != "https" else { return true }
        let host = url.host()?.lowercased() ?? ""
        return host == "localhost" || host == "::1" || host == "[::1]" || host.hasPrefix("127.") && isAddress(host)
    }

    private static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    /// Without the system's list, a domain such as `co.uk`, `com.au` or `ne.jp` is taken for a public suffix.
    private static func isPublic(_ domain: String) -> Bool {
        if let list = PublicSuffixes.system { return list.contains(domain) }
        let labels = domain.split(separator: ".")
        return labels.count == 2 && labels[0].utf8.count <= 3
    }
}
