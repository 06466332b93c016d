extension HTTPTransportError.Code {
    /// The failures that can be recorded and replayed, by their names. What a platform's library alone can tell, such as
    /// a certificate, is replayed as the failure that stands nearest.
    private static let names: [(name: String, code: HTTPTransportError.Code)] = [
        ("cannotResolveHost", .cannotResolveHost), ("cannotConnect", .cannotConnect),
        ("timedOut.connect", .timedOut(.connect)), ("timedOut.idle", .timedOut(.idle)),
        ("timedOut.total", .timedOut(.total)), ("timedOut.queue", .timedOut(.queue)), ("tls", .tls),
        ("proxy", .proxy), ("connectionLost", .connectionLost), ("noResponse", .noResponse),
        ("malformedResponse", .malformedResponse), ("headersTooLarge", .headersTooLarge),
        ("bodyTooLarge", .bodyTooLarge), ("bodyTruncated", .bodyTruncated),
        ("badContentEncoding", .badContentEncoding), ("uploadFailed", .uploadFailed), ("cancelled", .cancelled),
        ("shutDown", .shutDown), ("library", .library),
    ]

    /// The failure of a name; nil for none of them.
    init?(recorded name: String) {
        guard let found = HTTPTransportError.Code.names.first(where: { $0.name == name }) else { return nil }
        self = found.code
    }

    /// The name.
    var recorded: String {
        if let found = HTTPTransportError.Code.names.first(where: { $0.code == self }) { return found.name }
        return switch self {
        case .certificate, .pinMismatch, .clientCertificate: "tls"
        default: "library"
        }
    }
}
