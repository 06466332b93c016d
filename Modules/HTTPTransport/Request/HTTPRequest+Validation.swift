#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension HTTPRequest {
    /// Checks that the request can be sent; every transport calls it before a byte leaves.
    /// - Throws: ``HTTPTransportError`` with one of the `invalid` codes, naming the offending part.
    public func validate() throws(HTTPTransportError) {
        try validateURL()
        guard HTTPSyntax.isToken(method.rawValue) else {
            throw refusal(.invalidMethod, "the method \(method.rawValue.debugDescription) is no token; use letters")
        }
        for field in headers {
            guard HTTPSyntax.isToken(field.name) else {
                throw refusal(.invalidHeader, "the header name \(field.name.debugDescription) is no token")
            }
            guard HTTPSyntax.isFieldValue(field.value) else {
                // The value itself may be a secret: it is not quoted.
                throw refusal(
                    .invalidHeader,
                    "the value of header \(field.name) holds a line break, a NUL or another control character"
                )
            }
            guard !HTTPSyntax.isFraming(field.name) else {
                throw refusal(.invalidHeader, "the transport writes \(field.name) from the body; do not set it")
            }
        }
        if method == .trace || method == .head {
            guard case .none = body else { throw refusal(.invalidBody, "a \(method) request carries no body") }
        }
        if let length = body.knownLength, length < 0 {
            throw refusal(.invalidBody, "the declared length \(length) is negative")
        }
    }

    private func validateURL() throws(HTTPTransportError) {
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw refusal(.invalidURL, "the scheme \((scheme ?? "").debugDescription) is not http or https")
        }
        guard let host = url.host(), !host.isEmpty else { throw refusal(.invalidURL, "the URL names no host") }
        guard url.user() == nil, url.password() == nil else {
            throw refusal(.invalidURL, "the URL holds credentials; send them in an Authorization header")
        }
        guard url.absoluteString.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw refusal(.invalidURL, "the URL holds a space, a control character or one outside ASCII; escape it")
        }
    }

    private func refusal(_ code: HTTPTransportError.Code, _ detail: String) -> HTTPTransportError {
        HTTPTransportError(code, url: url, detail: detail)
    }
}
