import CLibcurl
import EssentialFoundation
import HTTPTransport
import SystemCalls

/// A transport's connection settings as libcurl's options.
struct CurlConnectionOptions {
    let settings: HTTPConnectionSettings
    private let memory = PEMMemory()
    private var blobs: [Data: UnsafeMutableRawBufferPointer] = [:]
    private let pinList: String
    /// Whether there is no proxy, which libcurl would otherwise look up in the environment before each request.
    private let hasNoProxy: Bool

    init(_ settings: HTTPConnectionSettings) {
        self.settings = settings
        let variables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
        hasNoProxy =
            switch settings.proxy {
            case _ where settings.unixSocket != nil: true
            case .none: true
            case .environment: variables.allSatisfy { (name: String) in getenv(name) == nil }
            case .server: false
            }
        pinList = settings.tls.pins.map { "sha256//" + $0.sha256.base64EncodedString() }.joined(separator: ";")
        let client = settings.tls.clientCertificate
        var sources = [client?.certificate, client?.key]
        if case .authorities(let source) = settings.tls.trust { sources.append(source) }
        for case .bytes(let data)? in sources where blobs[data] == nil { blobs[data] = memory.copy(data) }
    }

    /// Whether libcurl must report the key that a server presents.
    var hasPins: Bool { !pinList.isEmpty }

    /// Sets the options on a handle.
    /// - Throws: `HTTPTransportError/Code/unsupported(_:)` if this libcurl does not support one.
    func apply(to easy: UnsafeMutableRawPointer) throws(HTTPTransportError) {
        let version =
            switch settings.version {
            case .automatic: PAW_CURL_HTTP_VERSION_2TLS
            case .http1: PAW_CURL_HTTP_VERSION_1_1
            case .http2PriorKnowledge: PAW_CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            }
        let isVersionSet = paw_curl_set_long(easy, PAW_CURLOPT_HTTP_VERSION, Int(version)) == 0
        // A libcurl without HTTP/2 uses HTTP/1.1, which "automatic" allows.
        try require(isVersionSet || settings.version == .automatic, .versionPolicy)
        _ = paw_curl_set_long(easy, PAW_CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try applyTLS(easy)
        try applyProxy(easy)
        if let path = settings.unixSocket {
            try require(paw_curl_set_string(easy, PAW_CURLOPT_UNIX_SOCKET_PATH, path) == 0, .unixSocket)
        }
    }

    // MARK: - TLS

    private func applyTLS(_ easy: UnsafeMutableRawPointer) throws(HTTPTransportError) {
        if case .authorities(let source) = settings.tls.trust {
            let isSet =
                set(source, easy, PAW_CURLOPT_CAINFO, PAW_CURLOPT_CAINFO_BLOB)
                // Otherwise the system's folder of authorities would be trusted as well.
                && paw_curl_set_string(easy, PAW_CURLOPT_CAPATH, nil) == 0
            try require(isSet, .customTrust)
            // The environment's proxy may use https as well.
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
            // Without a passphrase, even an empty one, OpenSSL would prompt for it at the terminal.
            _ = paw_curl_set_string(easy, PAW_CURLOPT_KEYPASSWD, client.passphrase ?? "")
        }
        if let minimum = settings.tls.minimumVersion {
            let version = minimum == .tls12 ? PAW_CURL_SSLVERSION_TLS_1_2 : PAW_CURL_SSLVERSION_TLS_1_3
            try require(paw_curl_set_long(easy, PAW_CURLOPT_SSLVERSION, Int(version)) == 0, .minimumTLSVersion)
            if settings.proxy != .none { _ = paw_curl_set_long(easy, PAW_CURLOPT_PROXY_SSLVERSION, Int(version)) }
        }
        guard hasPins else { return }
        try require(paw_curl_set_string(easy, PAW_CURLOPT_PINNEDPUBLICKEY, pinList) == 0, .publicKeyPinning)
    }

    private func set(
        _ source: HTTPTLSSettings.PEMSource,
        _ easy: UnsafeMutableRawPointer,
        _ file: paw_curl_option,
        _ blob: paw_curl_option
    ) -> Bool {
        switch source {
        case .file(let path): return paw_curl_set_string(easy, file, path) == 0
        case .bytes(let data):
            guard let bytes = blobs[data] else { return false }
            return paw_curl_set_blob(easy, blob, bytes.baseAddress, bytes.count) == 0
        }
    }

    // MARK: - Proxy

    private func applyProxy(_ easy: UnsafeMutableRawPointer) throws(HTTPTransportError) {
        guard !hasNoProxy else { return _ = paw_curl_set_string(easy, PAW_CURLOPT_PROXY, "") }
        switch settings.proxy {
        case .environment, .none: return
        case .server(let server):
            try require(paw_curl_set_string(easy, PAW_CURLOPT_PROXY, server.url) == 0, .proxySelection)
            // Set even if it is empty, or the environment's list would apply.
            _ = paw_curl_set_string(easy, PAW_CURLOPT_NOPROXY, server.exceptionPatterns.joined(separator: ","))
            guard let credentials = server.credentials else { return }
            _ = paw_curl_set_string(easy, PAW_CURLOPT_PROXYUSERNAME, credentials.user)
            _ = paw_curl_set_string(easy, PAW_CURLOPT_PROXYPASSWORD, credentials.password)
        }
    }

    private func require(_ isSet: Bool, _ feature: HTTPTransportFeature) throws(HTTPTransportError) {
        guard isSet else {
            throw HTTPTransportError(
                .unsupported(feature),
                detail: "this machine's libcurl does not support it; install a newer one"
            )
        }
    }
}

/// Certificates and keys in memory that libcurl reads in place, for as long as a handle uses them.
private final class PEMMemory {
    private var blocks: [UnsafeMutableRawBufferPointer] = []

    /// Copies bytes to memory that lives as long as this object.
    func copy(_ data: Data) -> UnsafeMutableRawBufferPointer {
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: data.count, alignment: 1)
        data.withUnsafeBytes { block.copyMemory(from: $0) }
        blocks.append(block)
        return block
    }

    deinit {
        for block in blocks { block.deallocate() }
    }
}
