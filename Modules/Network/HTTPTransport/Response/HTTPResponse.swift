public import EssentialFoundation

/// A response: its head, and a body that is still arriving.
public struct HTTPResponse: Sendable {
    /// The status and the header fields.
    public var head: HTTPResponseHead
    /// The body, received at the reader's pace.
    public var body: HTTPResponseBody

    /// Creates a response.
    public init(head: HTTPResponseHead, body: HTTPResponseBody) {
        self.head = head
        self.body = body
    }

    /// The status code.
    public var status: Int { head.status }
    /// The header fields.
    public var headers: HTTPHeaders { head.headers }
}

/// The status, header fields and URL of a response.
public struct HTTPResponseHead: Sendable, Equatable {
    /// The status code, 200 to 599, or 101 for a change of protocol; interim responses are skipped.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The URL of the request.
    public var url: URL

    /// Creates a head.
    public init(status: Int, headers: HTTPHeaders = [:], url: URL) {
        self.status = status
        self.headers = headers
        self.url = url
    }

    /// Whether the status is one of success, 200 to 299.
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The number of bytes of the body as declared by the server; nil if it is missing or invalid.
    public var contentLength: Int64? {
        headers.values(.contentLength).first.flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The names of the authentication schemes in the WWW-Authenticate fields (RFC 9110, section 11.6.1), in lower case,
    /// such as `basic` or `digest`.
    ///
    /// No transport responds to a challenge. A client can use the names to report a scheme that it does not support.
    public var authenticationSchemes: [String] {
        headers.values(.wwwAuthenticate).flatMap { value -> [String] in
            // The challenges and their parameters are both separated by commas: a parameter has a name followed by "=".
            HTTPResponseHead.elements(of: value).compactMap { element in
                let name = element.prefix { $0 != " " && $0 != "=" }
                let rest = element.dropFirst(name.count).drop { $0 == " " }
                let isParameter = rest.first == "="
                return isParameter || !HTTPSyntax.isToken(String(name)) ? nil : name.lowercased()
            }
        }
    }

    /// Splits a value at the commas outside quoted strings.
    package static func elements(of value: String) -> [Substring] {
        var (isQuoted, isEscaped) = (false, false)
        return value.split { character in
            if isEscaped {
                isEscaped = false
            } else if character == "\\" {
                isEscaped = isQuoted
            } else if character == "\"" {
                isQuoted.toggle()
            }
            return character == "," && !isQuoted
        }.map { $0.drop { $0 == " " || $0 == "\t" } }
    }

    /// The media type without its parameters, in lower case.
    public var mediaType: String? {
        headers.values(.contentType).first.map { $0.prefix { $0 != ";" && $0 != " " }.lowercased() }
    }
}
