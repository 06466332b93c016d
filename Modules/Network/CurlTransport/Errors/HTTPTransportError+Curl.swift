import CLibcurl
import EssentialFoundation
import HTTPTransport

extension CurlExchange {
    /// Determines the outcome of a finished transfer.
    /// - Parameters:
    ///   - result: libcurl's result.
    ///   - known: the failure for which the loop ends the transfer, if any.
    /// - Returns: the outcome; an error without a location.
    func outcome(result: Int32, failure known: HTTPTransportError?) -> Result<Void, HTTPTransportError> {
        if let error = known ?? failure { return .failure(error) }
        guard result == 0 else { return .failure(failure(for: result)) }
        guard response.hasHead else {
            return .failure(HTTPTransportError(.connectionLost, detail: "it was closed inside the response's head"))
        }
        guard response.isComplete else {
            return .failure(HTTPTransportError(.badContentEncoding, detail: "the compressed body is truncated"))
        }
        return .success(())
    }

    /// Returns the error for a result of libcurl, with the details that the handle provides.
    private func failure(for result: Int32) -> HTTPTransportError {
        guard let handle else { return .curl(result, detail: "") }
        var error = HTTPTransportError.curl(result, detail: handle.errorMessage)
        let code = paw_curl_code(rawValue: UInt32(clamping: result))
        if let proxyError = proxyError(error, code, handle) { return proxyError }
        if isClientCertificateRefused(code, error.detail) {
            error.code = .clientCertificate
            error.detail += "; the server requires a valid client certificate of an authority that it trusts"
            return error
        }
        switch code {
        case PAW_CURLE_PEER_FAILED_VERIFICATION, PAW_CURLE_SSL_ISSUER_ERROR:
            let problem = HTTPTransportError.CertificateProblem(
                handle.number(PAW_CURLINFO_SSL_VERIFYRESULT),
                message: error.detail
            )
            error.code = .certificate(problem)
            error.detail += "; " + problem.advice
        case PAW_CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            error.code = .pinMismatch(expected: loop.configuration.connection.tls.pins, presented: presentedKey)
            error.detail =
                "if the server's key was changed on purpose, add its pin; otherwise the connection is being intercepted"
        case PAW_CURLE_OUT_OF_MEMORY, PAW_CURLE_TOO_LARGE:
            // libcurl reports its own limit on a line of the head as a lack of memory.
            if !response.hasHead {
                error.code = .headersTooLarge
                error.detail = "a line of it is longer than the 100 KiB that libcurl allows"
            }
        case PAW_CURLE_HTTP2:
            // A server that closes a connection gracefully (GOAWAY) does not process the streams that clients opened
            // meanwhile. libcurl reports that as a framing error. On a new connection without TLS, where HTTP/2 has not
            // been negotiated, it is a server without HTTP/2, unless it has sent a part of a response.
            let isHTTP2 = HTTPSyntax.isSecure(origin) || handle.number(PAW_CURLINFO_NUM_CONNECTS) == 0
            guard isHTTP2 || response.hasBegun else { break }
            error.code = response.hasBegun ? .connectionLost : .noResponse
            error.detail += "; the server closed the HTTP/2 connection"
        case PAW_CURLE_HTTP2_STREAM where error.detail.contains("PROTOCOL_ERROR"):
            // libcurl's own HTTP/2 library resets the stream of a body that is shorter than declared, or of an invalid head.
            let isCut =
                response.hasHead
                && handle.offset(PAW_CURLINFO_SIZE_DOWNLOAD_T) < handle.offset(PAW_CURLINFO_CONTENT_LENGTH_DOWNLOAD_T)
            error.code = isCut ? .bodyTruncated : .malformedResponse
        case PAW_CURLE_HTTP2_STREAM:
            if !response.hasBegun { error.code = .noResponse }
            error.detail += "; the server reset the stream"
        case PAW_CURLE_PARTIAL_FILE where !response.hasBegun:
            // So does libcurl report an HTTP/2 connection that ends while a response is awaited.
            error.code = .connectionLost
        case PAW_CURLE_RECV_ERROR where error.detail.contains("chunked-encoding"):
            error.code = .malformedResponse
        case PAW_CURLE_RECV_ERROR
        where error.detail.contains("Too large response headers")
            || !response.hasHead && error.detail.contains("callback function failed"):
            // The second text is that of libcurl 7.88 for an HTTP/2 head of more than 128 KiB.
            error.code = .headersTooLarge
            error.detail += "; libcurl allows no more bytes"
        default: break
        }
        return error
    }

    /// Returns whether a failure is a server's alert that the client certificate is missing or not accepted.
    private func isClientCertificateRefused(_ code: paw_curl_code, _ message: String) -> Bool {
        switch code {
        case PAW_CURLE_PEER_FAILED_VERIFICATION:
            // So does libcurl report the alert of TLS 1.2 that the client certificate has expired. The text for the server's
            // own certificate contains a reason.
            loop.configuration.connection.tls.clientCertificate != nil
                && message == "SSL certificate verification failed"
        case PAW_CURLE_RECV_ERROR, PAW_CURLE_SSL_CONNECT_ERROR, PAW_CURLE_SEND_ERROR:
            // With TLS 1.3, the alert arrives after the handshake.
            CurlExchange.clientCertificateAlerts.contains { message.contains($0) }
        default: false
        }
    }

    /// The names of the alerts in OpenSSL's messages (RFC 8446, section 6.2).
    private static let clientCertificateAlerts = [
        "certificate required", "bad certificate", "unsupported certificate", "certificate revoked",
        "certificate expired", "certificate unknown", "unknown ca", "alert access denied",
    ]
}

// MARK: - Results

extension HTTPTransportError {
    /// Returns the error for a result of libcurl.
    /// - Parameters:
    ///   - result: a CURLcode other than 0.
    ///   - detail: the text of the transfer's error buffer; if it is empty, libcurl's general text is used.
    /// - Returns: the error, without a location.
    static func curl(_ result: Int32, detail: String) -> HTTPTransportError {
        let general = curl_easy_strerror(result).map { String(cString: $0) } ?? ""
        var error = HTTPTransportError(code(of: result), detail: detail.isEmpty ? general : detail)
        if error.code == .library { error.detail += " (libcurl's code \(result))" }
        return error
    }

    private static func code(of result: Int32) -> Code {
        guard result > 0 else { return .library }
        return switch paw_curl_code(rawValue: UInt32(result)) {
        // The last one is how libcurl reports a trailer without a colon.
        case PAW_CURLE_UNSUPPORTED_PROTOCOL, PAW_CURLE_WEIRD_SERVER_REPLY, PAW_CURLE_HTTP2,
            PAW_CURLE_BAD_FUNCTION_ARGUMENT:
            .malformedResponse
        case PAW_CURLE_URL_MALFORMAT: .invalidURL
        case PAW_CURLE_COULDNT_RESOLVE_HOST: .cannotResolveHost
        case PAW_CURLE_COULDNT_RESOLVE_PROXY, PAW_CURLE_PROXY: .proxy
        case PAW_CURLE_COULDNT_CONNECT: .cannotConnect
        case PAW_CURLE_PARTIAL_FILE: .bodyTruncated
        // libcurl measures only the connect timeout; the loop measures the others.
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

extension HTTPTransportError.CertificateProblem {
    /// Creates a problem from OpenSSL's reason or, with other TLS libraries, from the message.
    init(_ reason: Int, message: String) {
        let text = message.lowercased()
        switch paw_x509_error(rawValue: UInt32(clamping: reason)) {
        case PAW_X509_EXPIRED: self = .expired
        case PAW_X509_NOT_YET_VALID: self = .notYetValid
        case PAW_X509_SELF_SIGNED: self = .selfSigned
        case PAW_X509_UNABLE_TO_GET_ISSUER, PAW_X509_UNABLE_TO_GET_ISSUER_LOCALLY, PAW_X509_UNABLE_TO_VERIFY_LEAF,
            PAW_X509_SELF_SIGNED_IN_CHAIN, PAW_X509_UNTRUSTED:
            self = .unknownAuthority
        case PAW_X509_REVOKED: self = .revoked
        case PAW_X509_HOSTNAME_MISMATCH, PAW_X509_ADDRESS_MISMATCH: self = .wrongHost
        case _ where text.contains("expired"): self = .expired
        case _ where text.contains("not yet"): self = .notYetValid
        case _ where text.contains("revoked"): self = .revoked
        case _ where text.contains("host name") || text.contains("hostname") || text.contains("subject name"):
            self = .wrongHost
        default: self = .other
        }
    }
}
