public import EssentialFoundation

/// An HTTP request, with its timeouts and the limits on its response.
public struct HTTPRequest: Sendable {
    /// The method.
    public var method: HTTPMethod
    /// An absolute `http` or `https` URL, with an international host in its ASCII form (`xn--`). Its fragment is not sent.
    public var url: URL
    /// The header fields, in the order in which they are sent. The transport adds `Host`, the fields that frame the body, and
    /// those of `Accept: */*`, `User-Agent` and, if the request ``decompresses``, `Accept-Encoding` that are not among them.
    /// A request with `Expect` or a field that frames the body is rejected.
    public var headers: HTTPHeaders
    /// The body.
    public var body: HTTPBody
    /// The timeouts of the exchange.
    public var timeouts: HTTPTimeouts
    /// The limits on the response.
    public var limits: HTTPLimits
    /// Whether compressed bodies are requested and decompressed. The fields Content-Encoding and Content-Length of the
    /// response remain unchanged and describe the compressed body.
    public var decompresses: Bool

    /// Creates a request; it is checked when it is sent or ``validate()`` is called.
    public init(
        _ method: HTTPMethod = .get,
        url: URL,
        headers: HTTPHeaders = [:],
        body: HTTPBody = .none,
        timeouts: HTTPTimeouts = HTTPTimeouts(),
        limits: HTTPLimits = HTTPLimits(),
        decompresses: Bool = true
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeouts = timeouts
        self.limits = limits
        self.decompresses = decompresses
    }

    /// Creates a request from a URL's text. Characters that a URL cannot contain are percent-encoded; existing escapes
    /// remain unchanged, and an international host is sent in its ASCII form.
    /// - Throws: ``HTTPTransportError`` with ``HTTPTransportError/Code/invalidURL`` if the text is not a URL.
    public init(
        _ method: HTTPMethod = .get,
        _ url: String,
        headers: HTTPHeaders = [:],
        body: HTTPBody = .none
    ) throws(HTTPTransportError) {
        guard let escaped = URLText.escaped(url), let parsed = URL(string: escaped) else {
            throw HTTPTransportError(
                .invalidURL,
                detail: "\(URLText.quoted(url)) is not a URL; write scheme://host/path, without line breaks"
            )
        }
        self.init(method, url: parsed, headers: headers, body: body)
    }
}

// MARK: - Validation

extension HTTPRequest {
    /// Checks that the request can be sent; every transport calls it before it sends anything.
    /// - Throws: ``HTTPTransportError`` with one of the `invalid` codes, naming the invalid part.
    public func validate() throws(HTTPTransportError) {
        try validateURL()
        guard HTTPSyntax.isToken(method.rawValue) else {
            throw refusal(.invalidMethod, "the method \(method.rawValue.debugDescription) is not a token; use letters")
        }
        for field in headers {
            guard HTTPSyntax.isToken(field.name) else {
                throw refusal(.invalidHeader, "the header name \(field.name.debugDescription) is not a token")
            }
            guard HTTPSyntax.isFieldValue(field.value) else {
                // The value may be a secret and is not quoted.
                throw refusal(
                    .invalidHeader,
                    "the value of field \(field.name) contains a line break, a NUL or another control character"
                )
            }
            guard !HTTPSyntax.isFraming(field.name) else {
                throw refusal(.invalidHeader, "the transport sets \(field.name) from the body; do not set it")
            }
            guard !HTTPSyntax.equal(field.name, "expect") else {
                throw refusal(.invalidHeader, "the transport sends the body at once; do not set \(field.name)")
            }
        }
        if method == .trace || method == .head {
            guard case .none = body else { throw refusal(.invalidBody, "a \(method) request has no body") }
        }
        if let length = body.knownLength, length < 0 {
            throw refusal(.invalidBody, "the declared length \(length) is negative")
        }
    }

    private func validateURL() throws(HTTPTransportError) {
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else {
            let problem =
                scheme.map { "the scheme \($0.debugDescription) is not http or https" } ?? "the URL has no scheme"
            throw refusal(.invalidURL, "\(problem); write it as http://host or https://host")
        }
        guard let host = url.host(), !host.isEmpty else { throw refusal(.invalidURL, "the URL has no host") }
        if let name = HostName.ascii(host.utf8) {
            throw refusal(.invalidURL, "the host is not in ASCII; write \(name)")
        }
        if let port = url.port, port > Int(UInt16.max) {
            throw refusal(.invalidURL, "the port \(port) is not between 0 and \(UInt16.max)")
        }
        guard url.user() == nil, url.password() == nil else {
            throw refusal(.invalidURL, "the URL contains credentials; send them in an Authorization field")
        }
        guard url.absoluteString.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else {
            throw refusal(.invalidURL, "the URL contains a space, a control or non-ASCII character; percent-encode it")
        }
    }

    private func refusal(_ code: HTTPTransportError.Code, _ detail: String) -> HTTPTransportError {
        HTTPTransportError(code, url: url, detail: detail)
    }
}

// MARK: - Description

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The method and the location, without query, fields and body, any of which may contain a secret.
    public var description: String { "\(method) \(HTTPTransportError.location(of: url))" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The description and the names of the fields, so that `dump` prints no secret.
    public var customMirror: Mirror {
        Mirror(self, children: ["request": description, "fields": headers.map(\.name)])
    }
}

/// A request method: a standard one or any other token.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The token as it is sent; methods are case-sensitive.
    public let rawValue: String

    /// Creates a method; a request with an invalid token is rejected when it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a method from a literal.
    public init(stringLiteral value: String) { rawValue = value }

    /// The token.
    public var description: String { rawValue }

    /// Requests a resource.
    public static let get = HTTPMethod(rawValue: "GET")
    /// Requests a resource's header fields without its body.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Sends a body to be processed.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces a resource.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes parts of a resource.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes a resource.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Requests the supported methods and features.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    /// Requests that the server returns the request.
    public static let trace = HTTPMethod(rawValue: "TRACE")

    /// Whether the method only reads (RFC 9110, section 9.2.1).
    public var isSafe: Bool { self == .get || self == .head || self == .options || self == .trace }

    /// Whether sending the request twice has the same effect as sending it once (RFC 9110, section 9.2.2).
    public var isIdempotent: Bool { isSafe || self == .put || self == .delete }
}
