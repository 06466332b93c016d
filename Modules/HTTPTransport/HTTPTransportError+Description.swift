extension HTTPTransportError: CustomStringConvertible {
    /// What failed, where, and what the library underneath said.
    public var description: String {
        var text = summary
        if let location { text += " (\(location))" }
        return detail.isEmpty ? text : "\(text): \(detail)"
    }

    private var summary: String {
        switch code {
        case .invalidURL: "the URL cannot be sent to"
        case .invalidMethod: "the method cannot be sent"
        case .invalidHeader: "a header field cannot be sent"
        case .invalidBody: "the body cannot be sent"
        case .unsupported(let feature): "this transport has no \(feature.rawValue)"
        case .cannotResolveHost: "the host's name has no address"
        case .cannotConnect: "no connection"
        case .timedOut(.connect): "connecting took too long"
        case .timedOut(.idle): "the server fell silent"
        case .timedOut(.total): "the exchange took too long"
        case .timedOut(.queue): "no connection became free"
        case .tls: "no secure connection"
        case .certificate(let problem): HTTPTransportError.summary(of: problem)
        case .pinMismatch(let expected, let presented):
            "the server's public key \(presented.map { "\($0) " } ?? "")is not the pinned one: expected "
                + expected.map(\.description).joined(separator: " or ")
        case .clientCertificate: "the client certificate is of no use"
        case .proxy: "the proxy gives no connection"
        case .invalidSettings: "the connection settings cannot be used"
        case .connectionLost: "the connection broke"
        case .noResponse: "the server closed the connection without an answer"
        case .malformedResponse: "the answer is not HTTP"
        case .headersTooLarge: "the answer's head is too large"
        case .bodyTooLarge: "the answer's body is too large"
        case .bodyTruncated: "the answer's body ended early"
        case .badContentEncoding: "the answer's body does not unpack"
        case .uploadFailed: "the request's body could not be sent"
        case .cancelled: "cancelled"
        case .shutDown: "the transport was shut down"
        case .unexpectedRequest: "nobody foresaw this request"
        case .library: "the HTTP library refused"
        }
    }

    private static func summary(of problem: CertificateProblem) -> String {
        switch problem {
        case .expired: "the server's certificate has expired"
        case .notYetValid: "the server's certificate is not valid yet"
        case .selfSigned: "the server's certificate is signed by itself"
        case .unknownAuthority: "the server's certificate is signed by no trusted authority"
        case .wrongHost: "the server's certificate is for another host"
        case .revoked: "the server's certificate was revoked"
        case .other: "the server's certificate is not accepted"
        }
    }
}
