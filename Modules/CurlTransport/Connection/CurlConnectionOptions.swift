import CLibcurl
import HTTPTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A transport's connection settings as options of libcurl.
struct CurlConnectionOptions {
    let settings: HTTPConnectionSettings
    private let blobs = CurlBlobs()
    private var kept: [Data: UnsafeMutableRawBufferPointer] = [:]
    private let pinList: String

    init(_ settings: HTTPConnectionSettings) {
        self.settings = settings
        pinList = settings.tls.pins.map { "sha256//" + $0.sha256.base64EncodedString() }.joined(separator: ";")
        let client = settings.tls.clientCertificate
        var sources = [client?.certificate, client?.key]
        if case .authorities(let source) = settings.tls.trust { sources.append(source) }
        for case .bytes(let data)? in sources where kept[data] == nil { kept[data] = blobs.keep(data) }
    }

    /// Whether libcurl has to tell the key that a server presents.
    var hasPins: Bool { !pinList.isEmpty }

    /// Sets them on a handle.
    /// - Throws: `HTTPTransportError/Code/unsupported(_:)` where this libcurl lacks one.
    func apply(to easy: UnsafeMutableRawPointer) throws(HTTPTransportError) {
        let version =
            switch settings.version {
            case .automatic: PAW_CURL_HTTP_VERSION_2TLS
            case .http1: PAW_CURL_HTTP_VERSION_1_1
            case .http2PriorKnowledge: PAW_CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            }
        let isVersionSet = paw_curl_set_long(easy, PAW_CURLOPT_HTTP_VERSION, Int(version)) == 0
        // A libcurl without HTTP/2 speaks HTTP/1.1, which "automatic" allows.
        try require(isVersionSet || settings.version == .automatic, .versionPolicy)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try applyTLS(easy)
        try applyProxy(easy)
        if let path = settings.unixSocket {
            try require(paw_curl_set_string(easy, PAW_CURLOPT_UNIX_SOCKET_PATH, path) == 0, .unixSocket)
            _ = paw_curl_set_string(easy, PAW_CURLOPT_PROXY, "")
        }
    }

    // MARK: - TLS

    private func applyTLS(_ easy: UnsafeMutableRawPointer) throws(HTTPTransportError) {
        if case .authorities(let source) = settings.tls.trust {
            let isSet =
                set(source, easy, PAW_CURLOPT_CAINFO, PAW_CURLOPT_CAINFO_BLOB)
                // These alone: the folder of the system's authorities would be looked into as well.
                && paw_curl_set_string(easy, PAW_CURLOPT_CAPATH, nil) == 0
            try require(isSet, .customTrust)
            // Also for the environment's proxy, which may be one of https.
            if settings.proxy != .none {
                _ = set(source, easy, PAW_CURLOPT_PROXY_CAINFO, PAW_CURLOPT_PROXY_CAINFO_BLOB)
                _ = paw_curl_set_string(easy, PAW_CURLOPT_PROXY_CAPATH, nil)
            }
        }
        if let client = settings.tls.clientCertificate {
            let isSet =
                set(client.certificate, easy, PAW_CURLOPT_SSLCERT, PAW_CURLOPT_SSLCERT_BLOB)
                && set(client.key, easy, PAW_CURLOPT_SSLKEY, PAW_CURLOPT_SSLKEY_BLOB)
            try require(isSet, .clientCertificate)
            // An empty passphrase is one, too: without it OpenSSL would ask at the terminal.
            _ = paw_curl_set_string(easy, PAW_CURLOPT_KEYPASSWD, client.passphrase ?? "")
        }
        guard hasPins else { return }
        try require(paw_curl_set_string(easy, PAW_CURLOPT_PINNEDPUBLICKEY, pinList) == 0, .publicKeyPinning)
        // The key that was presented is told in libcurl's notes alone.
        _ = paw_curl_set_long(easy, PAW_CURLOPT_VERBOSE, 1)
        CurlExchange.setNoteCallback(easy)
    }

    private func set(
        _ source: PEMSource,
        _ easy: UnsafeMutableRawPointer,
        _ file: paw_curl_option,
        _ blob: paw_curl_option
    ) -> Bool {
        switch source {
        case .file(let path): return paw_curl_set_string(easy, file, path) == 0
        case .bytes(let data):
            guard let bytes = kept[data] else { return false }
            return paw_curl_set_blob(easy, blob, bytes.baseAddress, bytes.count) == 0
        }
    }

    // MARK: - The proxy

    private func applyProxy(_ easy: UnsafeMutableRawPointer) throws(HTTPTransportError) {
        switch settings.proxy {
        case .environment: return
        case .none: _ = paw_curl_set_string(easy, PAW_CURLOPT_PROXY, "")
        case .server(let server):
            try require(paw_curl_set_string(easy, PAW_CURLOPT_PROXY, server.url) == 0, .proxySelection)
            // Set even when it is empty, for otherwise the environment's list would count.
            _ = paw_curl_set_string(easy, PAW_CURLOPT_NOPROXY, server.exceptions.joined(separator: ","))
            guard let credentials = server.credentials else { return }
            _ = paw_curl_set_string(easy, PAW_CURLOPT_PROXYUSERNAME, credentials.user)
            _ = paw_curl_set_string(easy, PAW_CURLOPT_PROXYPASSWORD, credentials.password)
        }
    }

    private func require(_ isSet: Bool, _ feature: HTTPTransportFeature) throws(HTTPTransportError) {
        guard isSet else {
            throw HTTPTransportError(
                .unsupported(feature),
                detail: "this machine's libcurl lacks it; install a newer one"
            )
        }
    }
}
