import CLibcurl
import HTTPTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// What libcurl tells of a proxy that is of no use.
extension CurlExchange {
    private var settings: HTTPConnectionSettings { loop.configuration.connection }

    /// Whether a failure without an answer is the proxy's: it is none, or nobody listens there.
    func isProxysFault(_ words: String, _ handle: CurlHandle) -> Bool {
        guard settings.proxy != .none, settings.unixSocket == nil else { return false }
        if words.hasPrefix("Unsupported proxy") { return true }
        guard words.hasPrefix("Failed to connect to ") else { return false }
        // Told from 8.7 on; an older libcurl names whom it tried to reach.
        return handle.number(PAW_CURLINFO_USED_PROXY) != 0 || words.contains(" via ") || namesProxy(words)
    }

    /// What libcurl wrote of a proxy, without the URL that comes from the environment, for it may hold a password.
    func withoutProxysURL(_ words: String) -> String {
        guard settings.proxy == .environment, words.hasPrefix("Unsupported proxy") else { return words }
        guard let quote = words.firstIndex(of: "'") else { return words }
        return words[..<quote] + "the URL in http_proxy, https_proxy or all_proxy"
    }

    /// Where a proxy's credentials are given.
    var placeOfProxyCredentials: String {
        settings.proxy == .environment
            ? "as user:password@ before its name in the variable" : "in HTTPProxyServer.credentials"
    }

    /// Whether "Failed to connect to HOST port PORT" names the proxy rather than the request's own host.
    private func namesProxy(_ words: String) -> Bool {
        let parts = words.split(separator: " ")
        guard let name = parts.firstIndex(of: "port"), parts.indices.contains(name + 1) else { return false }
        let (host, port) = (plain(parts[name - 1]), parts[name + 1])
        switch settings.proxy {
        case .none: return false
        case .server(let server): return host == plain(server.host[...]) && port == "\(server.port)"
        case .environment:
            let own = request.url.port ?? (HTTPSyntax.isSecure(origin) ? 443 : 80)
            guard host != plain((request.url.host() ?? "")[...]) || port != "\(own)" else { return false }
            let variables = ProcessInfo.processInfo.environment
            return ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains {
                variables[$0]?.lowercased().contains(host) ?? false
            }
        }
    }

    /// A host without brackets, in small letters.
    private func plain(_ host: Substring) -> String { host.filter { $0 != "[" && $0 != "]" }.lowercased() }
}
