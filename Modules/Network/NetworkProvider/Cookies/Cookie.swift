import EssentialFoundation

/// One cookie, as a user agent stores it (RFC 6265, section 5.3).
struct Cookie: Sendable, Hashable, Codable {
    /// The maximum size of name and value together, in bytes; longer cookies are ignored (RFC 6265bis, section 5.6).
    private static let sizeLimit = 4_096

    var name: String
    var value: String
    /// The host, or the domain with its subdomains, in lower case.
    var domain: String
    /// Whether the cookie is for the exact host only.
    var isHostOnly: Bool
    var path: String
    var isSecure: Bool
    /// When the cookie expires; nil at the end of the session.
    var expires: Date?
    /// The order of creation.
    var number: UInt64 = 0

    /// Parses the value of a `Set-Cookie` field (section 5.2); nil for a cookie that must be ignored.
    ///
    /// `Expires` is compared with the time when the server sent the response, if that is known, since a clock may be wrong.
    init?(_ field: String, from url: URL, sentAt sent: Date?, at now: Date, _ suffixes: PublicSuffixes?) {
        guard let host = url.host()?.lowercased() else { return nil }
        let parts = field.split(separator: ";", omittingEmptySubsequences: false)
        let pair = parts[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard pair.count == 2 else { return nil }
        name = HTTPSyntax.trimmed(String(pair[0]))
        value = HTTPSyntax.trimmed(String(pair[1]))
        domain = host
        isHostOnly = true
        path = Cookie.defaultPath(url)
        isSecure = false
        var maxAge: Date?
        for part in parts.dropFirst() {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let argument = halves.count > 1 ? HTTPSyntax.trimmed(String(halves[1])) : ""
            switch HTTPSyntax.trimmed(String(halves[0])).lowercased() {
            case "secure": isSecure = true
            case "expires":
                guard let date = HTTPDate.cookieDate(argument) else { continue }
                expires = min(sent.map { now + date.timeIntervalSince($0) } ?? date, now + Cookie.longestLife)
            case "max-age": maxAge = Cookie.date(afterSeconds: argument, now) ?? maxAge
            case "path": path = argument.hasPrefix("/") ? argument : Cookie.defaultPath(url)
            case "domain":
                let domain = HostName.ascii(argument.utf8) ?? argument.lowercased()
                guard setDomain(domain, host, suffixes) else { return nil }
            default: break
            }
        }
        expires = maxAge ?? expires
        guard isValid, !isSecure || url.scheme?.lowercased() == "https", isPrefixRespected else { return nil }
    }

    /// Whether name and value can be sent as a field.
    var isValid: Bool {
        !name.isEmpty && name.utf8.count + value.utf8.count <= Cookie.sizeLimit && HTTPSyntax.isFieldValue(name)
            && HTTPSyntax.isFieldValue(value) && !name.contains(";") && !value.contains(";")
    }

    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Whether the cookie is sent to a host, a path, and over a kind of connection (section 5.4).
    func matches(_ host: String, _ path: String, isSecure: Bool) -> Bool {
        guard isHostOnly ? host == domain : Cookie.isHost(host, in: domain) else { return false }
        guard !self.isSecure || isSecure else { return false }
        return Cookie.isPath(path, below: self.path)
    }

    /// Path matching (section 5.1.4).
    private static func isPath(_ path: String, below folder: String) -> Bool {
        path.hasPrefix(folder)
            && (folder.utf8.count == path.utf8.count || folder.hasSuffix("/")
                || path.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/"))
    }

    /// Whether an insecure response must not store this cookie, since it would be sent in place of a secure one, or before
    /// it (RFC 6265bis, section 5.7, step 16).
    func shadows(_ other: Cookie) -> Bool {
        other.isSecure && name == other.name
            && (Cookie.isHost(domain, in: other.domain) || Cookie.isHost(other.domain, in: domain))
            && Cookie.isPath(path, below: other.path)
    }

    func hasSameIdentity(as other: Cookie) -> Bool {
        name == other.name && domain == other.domain && isHostOnly == other.isHostOnly && path == other.path
    }

    /// Sets the `Domain` attribute; false if the cookie must be ignored, since the host is not in the domain, or the domain
    /// is a public suffix (section 5.3, step 5). Without a list of these, the cookie is for the
    /// exact host.
    private mutating func setDomain(_ argument: String, _ host: String, _ suffixes: PublicSuffixes?) -> Bool {
        let name = argument.hasPrefix(".") ? String(argument.dropFirst()) : argument
        guard !name.isEmpty else { return true }
        guard Cookie.isHost(host, in: name) else { return false }
        let isSuffix = !name.contains(".") || suffixes?.contains(name) == true
        if isSuffix || Cookie.isAddress(name) { return name == host }
        if suffixes != nil { (domain, isHostOnly) = (name, false) }
        return true
    }

    /// The rules of the prefixes `__Secure-` and `__Host-` (RFC 6265bis, section 4.1.3).
    private var isPrefixRespected: Bool {
        let name = name.lowercased()
        if name.hasPrefix("__secure-") { return isSecure }
        if name.hasPrefix("__host-") { return isSecure && isHostOnly && path == "/" }
        return true
    }

    /// Domain matching (section 5.1.3).
    private static func isHost(_ host: String, in domain: String) -> Bool {
        host == domain || host.hasSuffix("." + domain) && !isAddress(host)
    }

    private static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    /// The folder of the URL's path (section 5.1.4).
    private static func defaultPath(_ url: URL) -> String {
        let path = url.path()
        guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// The maximum time for which a cookie is stored: 400 days (RFC 6265bis, section 5.5).
    private static let longestLife: TimeInterval = 400 * 86_400

    private static func date(afterSeconds text: String, _ now: Date) -> Date? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        if text.hasPrefix("-") { return .distantPast }
        let seconds = min(Double(Int(digits) ?? .max), longestLife)
        return seconds == 0 ? .distantPast : now + seconds
    }
}
