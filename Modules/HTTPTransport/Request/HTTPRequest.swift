#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// One request, as a value: what is sent, how long it may take, and what the answer may weigh.
public struct HTTPRequest: Sendable {
    /// The method; GET unless told otherwise.
    public var method: HTTPMethod
    /// An absolute `http` or `https` URL. Its fragment is not sent.
    public var url: URL
    /// The header fields, in the order of sending. Framing fields are written by the transport.
    public var headers: HTTPHeaders
    /// The body.
    public var body: HTTPBody
    /// How long the exchange may take.
    public var timeouts: HTTPTimeouts
    /// What the answer may weigh.
    public var limits: HTTPLimits
    /// Whether compressed bodies are asked for and unpacked. Then Content-Encoding and Content-Length stay in the
    /// response's headers as they were sent, and speak of the packed bytes.
    public var decompresses: Bool

    /// Creates a request; nothing is checked before it is sent or ``validate()`` is called.
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

    /// Creates a request from a URL's text; characters that a URL cannot hold are percent-encoded, escapes that are
    /// there already stay as they are.
    /// - Throws: ``HTTPTransportError`` with ``HTTPTransportError/Code/invalidURL`` when it is no URL.
    public init(
        _ method: HTTPMethod = .get,
        _ url: String,
        headers: HTTPHeaders = [:],
        body: HTTPBody = .none
    ) throws(HTTPTransportError) {
        guard let escaped = URLText.escaped(url), let parsed = URL(string: escaped) else {
            throw HTTPTransportError(
                .invalidURL,
                detail: "\(url.debugDescription) is no URL; write scheme://host/path, without line breaks"
            )
        }
        self.init(method, url: parsed, headers: headers, body: body)
    }
}
