import Foundation
import HTTPTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension SessionExchange {
    /// What a session's error stands for.
    static func translate(_ error: any Error) -> HTTPTransportError {
        guard let error = error as? URLError else { return HTTPTransportError(.library, detail: "\(error)") }
        let code = code(of: error.code)
        var detail = error.localizedDescription
        if case .certificate(let problem) = code { detail += "; " + problem.advice }
        return HTTPTransportError(code, detail: detail)
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
        case .serverCertificateHasBadDate: .certificate(.expired)
        case .serverCertificateNotYetValid: .certificate(.notYetValid)
        case .serverCertificateHasUnknownRoot: .certificate(.unknownAuthority)
        // For another host, signed by itself, withdrawn: URLSession tells them apart in words alone.
        case .serverCertificateUntrusted: .certificate(.other)
        case .clientCertificateRejected, .clientCertificateRequired: .clientCertificate
        case .secureConnectionFailed, .appTransportSecurityRequiresSecureConnection: .tls
        case .cancelled: .cancelled
        default: .library
        }
    }
}
