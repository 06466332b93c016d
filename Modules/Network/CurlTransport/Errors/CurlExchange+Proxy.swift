import CLibcurl
import EssentialFoundation
import HTTPTransport

/// The failures of proxies.
extension CurlExchange {
    private var settings: HTTPConnectionSettings { loop.configuration.connection }

    /// Returns the error of a proxy that caused a failure; nil if it did not.
    func proxyError(
        _ error: HTTPTransportError,
        _ result: paw_curl_code,
        _ handle: CurlHandle
    ) -> HTTPTransportError? {
        var error = error
        let tunnelStatus = handle.number(PAW_CURLINFO_HTTP_CONNECTCODE)
        if tunnelStatus >= 300 {
            error.code = .proxy
            error.isProxyUnreachable = (502...504).contains(tunnelStatus)
            error.detail = "it responded to CONNECT with status \(tunnelStatus)"
            if tunnelStatus == 407 { error.detail += "; " + credentialsAdvice }
            return error
        }
        switch result {
        case _ where error.detail.hasPrefix("Unsupported proxy"):
            // The URL in the environment may contain a password.
            if settings.proxy == .environment, let quote = error.detail.firstIndex(of: "'") {
                error.detail = error.detail[..<quote] + "the URL in http_proxy, https_proxy or all_proxy"
            }
        case PAW_CURLE_COULDNT_RESOLVE_PROXY: error.isProxyUnreachable = true
        case PAW_CURLE_PROXY: error.isProxyUnreachable = isServerUnreachable(handle)
        case PAW_CURLE_PEER_FAILED_VERIFICATION, PAW_CURLE_SSL_ISSUER_ERROR:
            guard isProxyCertificate(handle) else { return nil }
            let problem = HTTPTransportError.CertificateProblem(
                handle.number(PAW_CURLINFO_PROXY_SSL_VERIFYRESULT),
                message: error.detail
            )
            let summary = HTTPTransportError.summary(of: problem, owner: "its")
            error.detail = "\(summary): \(error.detail); \(problem.advice)"
        case _ where isBrokenTunnel(error) || isUnreachableProxy(error.detail, handle): error.isProxyUnreachable = true
        default: return nil
        }
        error.code = .proxy
        return error
    }

    /// Returns the error for a response of an HTTP proxy in place of the server; nil if the response is the server's.
    func proxyRefusal(_ status: Int) -> HTTPTransportError? {
        // In a tunnel, the proxy's response is the one to CONNECT.
        guard status == 407, !HTTPSyntax.isSecure(origin), let proxyURL, !proxyURL.hasPrefix("socks"), let handle,
            // Unknown with an older libcurl. But only a proxy responds with this status.
            !CurlLibrary.reportsProxyUse || handle.number(PAW_CURLINFO_USED_PROXY) != 0
        else { return nil }
        return HTTPTransportError(.proxy, detail: "it responded with status \(status); \(credentialsAdvice)")
    }

    private var credentialsAdvice: String {
        switch settings.proxy {
        case .server(let server):
            server.credentials == nil
                ? "set its credentials in HTTPProxyServer.credentials"
                : "it does not accept HTTPProxyServer.credentials, which are sent by Basic authentication"
        case .environment, .none:
            proxyURL?.contains("@") == true
                ? "it does not accept the credentials in the variable, which are sent by Basic authentication"
                : "add its credentials as user:password@ before its name in the variable"
        }
    }

    /// Returns whether a SOCKS proxy reports that it cannot connect to the server.
    private func isServerUnreachable(_ handle: CurlHandle) -> Bool {
        switch paw_proxy_error(rawValue: UInt32(clamping: handle.number(PAW_CURLINFO_PROXY_ERROR))) {
        case PAW_PROXY_CONNECTION_REFUSED, PAW_PROXY_GENERAL_SERVER_FAILURE, PAW_PROXY_HOST_UNREACHABLE,
            PAW_PROXY_NETWORK_UNREACHABLE, PAW_PROXY_TTL_EXPIRED:
            true
        default: false
        }
    }

    /// Returns whether a certificate that is not accepted is that of a proxy with TLS.
    private func isProxyCertificate(_ handle: CurlHandle) -> Bool {
        guard let proxyURL, proxyURL.hasPrefix("https:") else { return false }
        // A request of `http` has no other certificate; the server's is presented only in the tunnel.
        return !HTTPSyntax.isSecure(origin)
            || handle.number(PAW_CURLINFO_HTTP_CONNECTCODE) == 0
                && handle.number(PAW_CURLINFO_PROXY_SSL_VERIFYRESULT) != 0
    }

    /// Returns whether the proxy closed the connection, or did not respond with HTTP, in place of a response to CONNECT.
    private func isBrokenTunnel(_ error: HTTPTransportError) -> Bool {
        error.code == .connectionLost
            && ["Proxy CONNECT ", "CONNECT ", "Failed sending CONNECT "].contains { error.detail.hasPrefix($0) }
    }

    /// Returns whether a connection to the proxy, not to the server, cannot be made.
    private func isUnreachableProxy(_ message: String, _ handle: CurlHandle) -> Bool {
        guard proxyURL != nil, message.hasPrefix("Failed to connect to ") else { return false }
        // Known from libcurl 8.7; an older one names the host that it tried to connect to.
        return handle.number(PAW_CURLINFO_USED_PROXY) != 0 || message.contains(" via ") || namesProxy(message)
    }

    /// Returns whether "Failed to connect to HOST port PORT" names the proxy rather than the request's host.
    private func namesProxy(_ message: String) -> Bool {
        let parts = message.split(separator: " ")
        guard let name = parts.firstIndex(of: "port"), parts.indices.contains(name + 1) else { return false }
        let (host, port) = (plain(parts[name - 1]), parts[name + 1])
        if case .server(let server) = settings.proxy {
            return host == plain(server.asciiHost[...]) && port == "\(server.port)"
        }
        let requestPort = request.url.port ?? (HTTPSyntax.isSecure(origin) ? 443 : 80)
        guard host != plain((request.url.host() ?? "")[...]) || port != "\(requestPort)" else { return false }
        return proxyURL?.contains(host) == true
    }

    /// Returns a host without brackets, in lower case.
    private func plain(_ host: Substring) -> String { host.filter { $0 != "[" && $0 != "]" }.lowercased() }

    /// The URL in lower case of the proxy for the request, unless its host is an exception; nil without a proxy.
    private var proxyURL: String? {
        guard settings.unixSocket == nil else { return nil }
        switch settings.proxy {
        case .none: return nil
        case .server(let server): return server.url.lowercased()
        case .environment:
            let variables = ProcessInfo.processInfo.environment
            let names = HTTPSyntax.isSecure(origin) ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
            return (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap { variables[$0]?.lowercased() }
                .first { !$0.isEmpty }
        }
    }
}
