import CLibcurl
import HTTPTransport

extension CurlExchange {
    /// The error that a result of libcurl stands for, as exactly as the handle tells.
    func failure(for result: Int32) -> HTTPTransportError {
        guard let handle else { return .curl(result, detail: "") }
        var error = HTTPTransportError.curl(result, detail: handle.errorMessage)
        let tunnelStatus = handle.number(PAW_CURLINFO_HTTP_CONNECTCODE)
        if tunnelStatus >= 300 {
            error.code = .proxy
            error.detail = "it answered \(tunnelStatus) to CONNECT"
            if tunnelStatus == 407 { error.detail += "; give its credentials " + placeOfProxyCredentials }
            return error
        }
        if isProxysFault(error.detail, handle) {
            error.code = .proxy
            error.detail = withoutProxysURL(error.detail)
            return error
        }
        switch paw_curl_code(rawValue: UInt32(clamping: result)) {
        case PAW_CURLE_PEER_FAILED_VERIFICATION, PAW_CURLE_SSL_ISSUER_ERROR:
            let problem = HTTPTransportError.problem(handle.number(PAW_CURLINFO_SSL_VERIFYRESULT), error.detail)
            error.code = .certificate(problem)
            error.detail += "; " + problem.advice
        case PAW_CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            error.code = .pinMismatch(expected: loop.configuration.connection.tls.pins, presented: presentedKey)
            error.detail = "if the server's key was changed on purpose, add its pin; else somebody listens in between"
        case PAW_CURLE_OUT_OF_MEMORY, PAW_CURLE_TOO_LARGE:
            // libcurl's own bounds on a line and on a head are told as a lack of memory.
            if !head.isDone { error.code = .headersTooLarge }
        case PAW_CURLE_RECV_ERROR, PAW_CURLE_SSL_CONNECT_ERROR, PAW_CURLE_SEND_ERROR:
            // TLS 1.3 tells a missing or refused client certificate only after the handshake.
            if error.detail.contains("certificate required") || error.detail.contains("bad certificate")
                || error.detail.contains("unknown ca")
            {
                error.code = .clientCertificate
                error.detail += "; the server asks for a client certificate of an authority that it trusts"
            }
        default: break
        }
        return error
    }
}

extension HTTPTransportError {
    /// The error that a result of libcurl stands for.
    /// - Parameters:
    ///   - result: a CURLcode other than 0.
    ///   - detail: what libcurl wrote into the transfer's error buffer; its general text stands in for an empty one.
    /// - Returns: the error, its place still unknown.
    static func curl(_ result: Int32, detail: String) -> HTTPTransportError {
        let general = curl_easy_strerror(result).map { String(cString: $0) } ?? ""
        var error = HTTPTransportError(code(of: result), detail: detail.isEmpty ? general : detail)
        if error.code == .library { error.detail += " (libcurl's code \(result))" }
        return error
    }

    /// What is wrong with a certificate, by OpenSSL's reason; other backends tell it in words alone.
    static func problem(_ reason: Int, _ words: String) -> CertificateProblem {
        switch paw_x509_error(rawValue: UInt32(clamping: reason)) {
        case PAW_X509_EXPIRED: return .expired
        case PAW_X509_NOT_YET_VALID: return .notYetValid
        case PAW_X509_SELF_SIGNED: return .selfSigned
        case PAW_X509_UNABLE_TO_GET_ISSUER, PAW_X509_UNABLE_TO_GET_ISSUER_LOCALLY, PAW_X509_UNABLE_TO_VERIFY_LEAF,
            PAW_X509_SELF_SIGNED_IN_CHAIN, PAW_X509_UNTRUSTED:
            return .unknownAuthority
        case PAW_X509_REVOKED: return .revoked
        case PAW_X509_HOSTNAME_MISMATCH, PAW_X509_ADDRESS_MISMATCH: return .wrongHost
        default: break
        }
        let words = words.lowercased()
        if words.contains("expired") { return .expired }
        if words.contains("not yet") { return .notYetValid }
        if words.contains("revoked") { return .revoked }
        if words.contains("host name") || words.contains("hostname") || words.contains("subject name") {
            return .wrongHost
        }
        return .other
    }

    private static func code(of result: Int32) -> Code {
        guard result > 0 else { return .library }
        return switch paw_curl_code(rawValue: UInt32(result)) {
        // The last is what libcurl calls a trailer without a colon.
        case PAW_CURLE_UNSUPPORTED_PROTOCOL, PAW_CURLE_WEIRD_SERVER_REPLY, PAW_CURLE_HTTP2,
            PAW_CURLE_BAD_FUNCTION_ARGUMENT:
            .malformedResponse
        case PAW_CURLE_URL_MALFORMAT: .invalidURL
        case PAW_CURLE_COULDNT_RESOLVE_HOST: .cannotResolveHost
        case PAW_CURLE_COULDNT_RESOLVE_PROXY, PAW_CURLE_PROXY: .proxy
        case PAW_CURLE_COULDNT_CONNECT: .cannotConnect
        case PAW_CURLE_PARTIAL_FILE: .bodyTruncated
        // Only the connecting is timed by libcurl; the loop keeps the other two times.
        case PAW_CURLE_OPERATION_TIMEDOUT: .timedOut(.connect)
        case PAW_CURLE_GOT_NOTHING: .noResponse
        case PAW_CURLE_SEND_ERROR, PAW_CURLE_RECV_ERROR, PAW_CURLE_HTTP2_STREAM: .connectionLost
        case PAW_CURLE_BAD_CONTENT_ENCODING: .badContentEncoding
        case PAW_CURLE_SEND_FAIL_REWIND, PAW_CURLE_READ_ERROR: .uploadFailed
        case PAW_CURLE_SSL_CERTPROBLEM, PAW_CURLE_SSL_CLIENTCERT: .clientCertificate
        case PAW_CURLE_SSL_CACERT_BADFILE: .invalidSettings
        case PAW_CURLE_SSL_CONNECT_ERROR, PAW_CURLE_SSL_ENGINE_NOTFOUND, PAW_CURLE_SSL_CIPHER,
            PAW_CURLE_PEER_FAILED_VERIFICATION, PAW_CURLE_SSL_ISSUER_ERROR, PAW_CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            .tls
        default: .library
        }
    }
}
