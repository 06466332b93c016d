#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension NetworkError: CustomStringConvertible {
    /// What failed, the request and, where there is one, the answer: one line, safe to show and to log.
    public var description: String {
        var text = "\(target): \(summary)"
        if let request { text += " [\(request.method) \(request.url)]" }
        if let response, !response.body.isEmpty {
            text += " answered: \(String(response.text.prefix(200)))"
        }
        return text
    }

    /// An encoder's error without the value that it could not encode, which may be a secret.
    private static func text(_ error: any Error) -> String {
        guard case EncodingError.invalidValue(_, let context) = error else { return "\(error)" }
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return context.debugDescription + (path.isEmpty ? "" : " (at \(path))")
    }

    private var summary: String {
        switch reason {
        case .invalidRequest(let why): "no request can be made: \(why)"
        case .encoding(let error): "the body cannot be encoded: \(NetworkError.text(error))".withVisibleControls
        case .transport(let error): error.description.withVisibleControls
        case .unacceptableStatus(let status): "the server answered with status \(status)"
        case .decoding(let error): "the answer is not what was expected: \(error)".withVisibleControls
        case .tooManyRedirects(let limit): "more than \(limit) redirects"
        case .refusedRedirect(let why): "the redirect is not followed: \(why)".withVisibleControls
        case .bodyTooLarge(let limit):
            "the answer is longer than \(limit) bytes; raise maximumBodyBytes, or stream or download it"
        case .notCached: "nothing usable is cached, and the policy onlyCached asks no server; ask by another policy"
        case .file(let path, let code): "the file \(path) cannot be written: \(SystemText.of(code))"
        case .plugin(let error): "a plugin stopped the request: \(error)".withVisibleControls
        case .cancelled: "cancelled"
        }
    }
}

extension String {
    /// The text with control characters, bidirectional overrides among them, as escapes: it cannot steer a terminal
    /// or forge a line of a log.
    package var withVisibleControls: String {
        guard unicodeScalars.contains(where: String.isControl) else { return self }
        return unicodeScalars.map {
            String.isControl($0) ? "\\u{\(String($0.value, radix: 16))}" : String($0)
        }.joined()
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}

/// The system's error numbers in words.
package enum SystemText {
    /// What the system says of an error, with its number: `Permission denied (errno 13)`.
    package static func of(_ code: Int32) -> String { "\(String(cString: strerror(code))) (errno \(code))" }
}
