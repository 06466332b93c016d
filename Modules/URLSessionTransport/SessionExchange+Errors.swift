import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension SessionExchange {
    /// What a session's error stands for.
    static func translate(_ error: any Error) -> HTTPTransportError {
        guard let error = error as? URLError else { return HTTPTransportError(.library, detail: "\(error)") }
        return HTTPTransportError(code(of: error.code), detail: error.localizedDescription)
    }

    private static func code(of code: URLError.Code) -> HTTPTransportError.Code {
        switch code {
        case .badURL, .unsupportedURL: .invalidURL
        case .cannotFindHost, .dnsLookupFailed: .cannotResolveHost
        case .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff: .cannotConnect
        case .timedOut: .timedOut(.idle)
        case .networkConnectionLost: .connectionLost
        case .badServerResponse, .cannotParseResponse, .zeroByteResource: .malformedResponse
        case .cannotDecodeContentData, .cannotDecodeRawData: .badContentEncoding
        case .dataLengthExceedsMaximum: .bodyTooLarge
        case .requestBodyStreamExhausted: .uploadFailed
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            .tls
        case .cancelled: .cancelled
        default: .library
        }
    }
}
