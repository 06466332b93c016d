import CLibcurl
import HTTPTransport

extension HTTPTransportError {
    /// The error that a result of libcurl stands for.
    /// - Parameters:
    ///   - result: a CURLcode other than 0.
    ///   - detail: what libcurl wrote into the transfer's error buffer; its general text stands in for an empty one.
    /// - Returns: the error, its place still unknown.
    static func curl(_ result: Int32, detail: String) -> HTTPTransportError {
        let general = curl_easy_strerror(result).map { String(cString: $0) } ?? ""
        return HTTPTransportError(code(of: result), detail: detail.isEmpty ? general : detail)
    }

    private static func code(of result: Int32) -> Code {
        guard result > 0 else { return .library }
        return switch paw_curl_code(rawValue: UInt32(result)) {
        case PAW_CURLE_UNSUPPORTED_PROTOCOL, PAW_CURLE_WEIRD_SERVER_REPLY, PAW_CURLE_HTTP2, PAW_CURLE_HTTP2_STREAM:
            .malformedResponse
        case PAW_CURLE_URL_MALFORMAT: .invalidURL
        case PAW_CURLE_COULDNT_RESOLVE_HOST, PAW_CURLE_COULDNT_RESOLVE_PROXY: .cannotResolveHost
        case PAW_CURLE_COULDNT_CONNECT: .cannotConnect
        case PAW_CURLE_PARTIAL_FILE: .bodyTruncated
        // Only the connecting is timed by libcurl; the loop keeps the other two times.
        case PAW_CURLE_OPERATION_TIMEDOUT: .timedOut(.connect)
        case PAW_CURLE_GOT_NOTHING: .noResponse
        case PAW_CURLE_SEND_ERROR, PAW_CURLE_RECV_ERROR: .connectionLost
        case PAW_CURLE_BAD_CONTENT_ENCODING: .badContentEncoding
        case PAW_CURLE_SEND_FAIL_REWIND, PAW_CURLE_READ_ERROR: .uploadFailed
        case PAW_CURLE_SSL_CONNECT_ERROR, PAW_CURLE_SSL_ENGINE_NOTFOUND, PAW_CURLE_SSL_CERTPROBLEM,
            PAW_CURLE_SSL_CIPHER, PAW_CURLE_PEER_FAILED_VERIFICATION, PAW_CURLE_SSL_CACERT_BADFILE,
            PAW_CURLE_SSL_ISSUER_ERROR, PAW_CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            .tls
        default: .library
        }
    }
}
