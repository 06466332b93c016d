package import SystemCalls
import TextEscaping

extension NetworkError: CustomStringConvertible {
    /// The reason, the request and, if there was one, the response: one line that can be shown and logged.
    public var description: String {
        var text = "\(target): \(summary)"
        if let request { text += " [\(request.method) \(request.url)]" }
        if let response, !response.body.isEmpty { text += " response: \(String(response.text.prefix(200)))" }
        return text
    }

    /// The description of an encoder's error without the value, which may be a secret.
    static func text(_ error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context) = error else { return "\(error)" }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return context.debugDescription + (path.isEmpty ? "" : " (at \(path))")
    }

    /// What a refusal demands beyond the schemes of ``Credential``, such as digest authentication; often empty.
    private var unsupportedSchemes: String {
        guard let head = response?.head, head.status == 401 else { return "" }
        let schemes = head.authenticationSchemes
        guard !schemes.isEmpty, Set(schemes).isDisjoint(with: ["basic", "bearer"]) else { return "" }
        let names = schemes.joined(separator: " or ").escapingControls()
        return " and requires \(names) authentication, which no Credential provides; use a plugin that does"
    }

    private var summary: String {
        switch reason {
        case .invalidRequest(let why): "invalid request: \(why)"
        case .encoding(let error): "the body cannot be encoded: \(NetworkError.text(error))".escapingControls()
        case .transport(let error): error.description.escapingControls()
        case .unacceptableStatus(let status): "the server responded with status \(status)\(unsupportedSchemes)"
        case .decoding(let error): "the response cannot be decoded: \(error)".escapingControls()
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .refusedRedirect(let why): "the redirect is not followed: \(why)".escapingControls()
        case .bodyTooLarge(let limit):
            "the response is larger than \(limit) bytes; \(advice ?? "raise maximumBodyBytes, or stream or download it")"
        case .notCached:
            "there is no usable cached response, and the policy onlyCached sends no request; use another policy"
        case .file(let path, let code): "the file \(path) cannot be written: \(SystemError.text(code))"
        case .plugin(let error): "a plugin stopped the request: \(error)".escapingControls()
        case .cancelled: "cancelled"
        }
    }
}

extension SystemError {
    /// The system's message for an error number: `Permission denied (errno 13)`.
    package static func text(_ code: Int32) -> String { "\(message(of: code)) (errno \(code))" }
}
