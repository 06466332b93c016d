extension HTTPTransportError: CustomStringConvertible {
    /// The failure, the request's location and the detail.
    public var description: String {
        var text = summary
        if let location, !location.isEmpty { text += " (\(location))" }
        return detail.isEmpty ? text : "\(text): \(detail)"
    }

    private var summary: String {
        switch code {
        case .invalidURL: "invalid URL"
        case .invalidMethod: "invalid method"
        case .invalidHeader: "invalid header field"
        case .invalidBody: "invalid request body"
        case .unsupported(let feature): "the transport does not support \(feature.rawValue)"
        case .cannotResolveHost: "the host name cannot be resolved"
        case .cannotConnect: "cannot connect to the server"
        case .timedOut(.connect): "the connect timeout expired"
        case .timedOut(.idle): "the idle timeout expired"
        case .timedOut(.total): "the total timeout expired"
        case .timedOut(.queue): "no connection became available"
        case .tls: "no secure connection can be made"
        case .certificate(let problem): HTTPTransportError.summary(of: problem)
        case .pinMismatch(let expected, let presented):
            "the server's public key \(presented.map { "\($0) " } ?? "")is not pinned: expected "
                + expected.map(\.description).joined(separator: " or ")
        case .clientCertificate: "the client certificate cannot be used"
        case .proxy: "the proxy failed"
        case .invalidSettings: "the connection settings are invalid"
        case .connectionLost: "the exchange was interrupted"
        case .noResponse: "no response was received"
        case .malformedResponse: "the response is malformed"
        case .headersTooLarge: "the response's head is too large"
        case .bodyTooLarge: "the response's body is too large"
        case .bodyTruncated: "the response's body is truncated"
        case .badContentEncoding: "the response's body cannot be decompressed"
        case .uploadFailed: "the request's body could not be sent"
        case .cancelled: "cancelled"
        case .shutDown: "the transport was shut down"
        case .unexpectedRequest: "unexpected request"
        case .library: "the HTTP library failed"
        }
    }

    /// Returns the summary of a problem with a certificate: the server's, or another owner's.
    package static func summary(of problem: CertificateProblem, owner: String = "the server's") -> String {
        switch problem {
        case .expired: "\(owner) certificate has expired"
        case .notYetValid: "\(owner) certificate is not valid yet"
        case .selfSigned: "\(owner) certificate is self-signed"
        case .unknownAuthority: "\(owner) certificate is signed by no trusted authority"
        case .wrongHost: "\(owner) certificate is for another host"
        case .revoked: "\(owner) certificate was revoked"
        case .other: "\(owner) certificate is not accepted"
        }
    }
}

extension HTTPTransportError {
    /// A reason for rejecting a server's certificate.
    public enum CertificateProblem: Sendable, Hashable, CaseIterable {
        /// The certificate has expired.
        case expired
        /// The certificate's validity has not begun.
        case notYetValid
        /// The certificate is self-signed and not trusted.
        case selfSigned
        /// No trusted authority signed the certificate.
        case unknownAuthority
        /// The certificate is for another host.
        case wrongHost
        /// The authority revoked the certificate.
        case revoked
        /// Any other reason; the error's detail names it.
        case other

        /// Advice on how to solve the problem.
        public var advice: String {
            switch self {
            case .expired: "the server's owner must renew it; also check this machine's clock"
            case .notYetValid: "check this machine's clock; otherwise the server's owner must replace it"
            case .selfSigned: "if it is the expected certificate, trust its PEM with HTTPTLSSettings.trust"
            case .unknownAuthority:
                "trust its authority with HTTPTLSSettings.trust, or have the server send the intermediate certificates"
            case .wrongHost: "use a host name that the certificate lists, or have the server's owner add this one"
            case .revoked: "do not trust this server before its owner has replaced the certificate"
            case .other: "inspect it with: openssl s_client -connect HOST:PORT -showcerts"
            }
        }
    }
}
