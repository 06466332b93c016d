import EssentialFoundation
import Threading

/// Reports each attempt at a request to a tracing, metrics or logging library, with the attribute names of OpenTelemetry's
/// semantic conventions for HTTP clients.
///
/// ```swift
/// let telemetry = TelemetryPlugin { start in
///     let span = tracer.startSpan(start.name, attributes: start.attributes)
///     return (headers: ["traceparent": span.context], end: { end in span.end(attributes: end.attributes) })
/// }
/// let provider = NetworkProvider(plugins: [RetryPlugin(), telemetry])
/// ```
///
/// Place it after (inside) a ``RetryPlugin``, so that each attempt is one span. The span ends with the head of the response;
/// ``MetricsPlugin`` measures the body as well, and names its values in the same way
/// (``ExchangeMeasurement/attributes``). URLs are redacted.
public struct TelemetryPlugin: NetworkPlugin {
    /// Receives the end of a span.
    public typealias End = @Sendable (HTTPSpan) -> Void

    private let begin: @Sendable (HTTPSpan) -> (headers: HTTPHeaders, end: End)

    /// Creates a plugin.
    /// - Parameter begin: receives the beginning of each span; returns the fields that continue the trace in the server, such
    ///   as `traceparent`, which replace those of the request, and the closure that receives the end of the span.
    public init(begin: @escaping @Sendable (HTTPSpan) -> (headers: HTTPHeaders, end: End)) { self.begin = begin }

    /// Sends the request within a span.
    public func send(
        _ request: HTTPRequest,
        _ context: RequestContext,
        next: NetworkSend
    ) async throws -> HTTPResponse {
        var span = HTTPSpan(name: request.method.rawValue, request: context.id, parent: context.parent)
        span.attributes = HTTPAttribute.of(context.redaction.redacted(request), url: request.url)
        let resends = context.attempts.withLock { $0.count }
        if resends > 0 { span.attributes[.resendCount] = .integer(Int64(resends)) }
        let (headers, end) = begin(span)
        let start = ContinuousClock.now
        var request = request
        request.headers = request.headers.merging(headers)
        do {
            let response = try await next(request)
            span.duration = .now - start
            span.attributes[.responseStatus] = .integer(Int64(response.status))
            if response.status >= 400 { span.attributes[.errorType] = .text("\(response.status)") }
            end(span)
            return response
        } catch {
            span.duration = .now - start
            span.attributes[.errorType] = .text(HTTPAttribute.errorType(error))
            end(span)
            throw error
        }
    }
}

/// The beginning or the end of an attempt at a request, as a span of a trace.
public struct HTTPSpan: Sendable, Hashable {
    /// The method, which OpenTelemetry recommends as the name.
    public var name: String
    /// The number of the request, which its attempts share.
    public var request: UInt64
    /// The number of the request during which it was sent; nil if there is none.
    public var parent: UInt64?
    /// The attributes known so far.
    public var attributes: [HTTPAttribute: HTTPAttribute.Value] = [:]
    /// The time from the beginning to the head of the response or the failure; nil at the beginning. It is a value of the
    /// histogram `http.client.request.duration`, in seconds there.
    public var duration: Duration?
}

/// An attribute of OpenTelemetry's semantic conventions for HTTP clients (version 1.23 and later).
public enum HTTPAttribute: String, Sendable, CaseIterable {
    /// The method.
    case method = "http.request.method"
    /// The number of earlier attempts at the request; absent for the first one.
    case resendCount = "http.request.resend_count"
    /// The size of the request's body in bytes, if known.
    case requestBodySize = "http.request.body.size"
    /// The status of the response.
    case responseStatus = "http.response.status_code"
    /// The size of the response's body in bytes, before decompression.
    case responseBodySize = "http.response.body.size"
    /// The status of an error response, or the kind of failure; absent after a success.
    case errorType = "error.type"
    /// The protocol, `http`.
    case protocolName = "network.protocol.name"
    /// The version of the protocol, such as `1.1` or `2`.
    case protocolVersion = "network.protocol.version"
    /// The host of the URL.
    case serverAddress = "server.address"
    /// The port of the URL, the scheme's own one included.
    case serverPort = "server.port"
    /// The redacted URL.
    case url = "url.full"
    /// The scheme of the URL.
    case scheme = "url.scheme"

    /// The value of an attribute.
    public enum Value: Sendable, Hashable, CustomStringConvertible {
        /// A text.
        case text(String)
        /// A number.
        case integer(Int64)

        /// The text, or the decimal digits.
        public var description: String {
            switch self {
            case .text(let text): text
            case .integer(let number): "\(number)"
            }
        }
    }

    /// Returns the attributes of a request.
    static func of(_ request: RedactedRequest, url: URL?) -> [HTTPAttribute: Value] {
        var attributes: [HTTPAttribute: Value] = [.method: .text(request.method.rawValue), .url: .text(request.url)]
        attributes[.requestBodySize] = request.bodyLength.map { .integer($0) }
        guard let url, let host = url.host(), let scheme = url.scheme?.lowercased() else { return attributes }
        attributes[.serverAddress] = .text(host)
        attributes[.serverPort] = .integer(Int64(url.port ?? (scheme == "https" ? 443 : 80)))
        attributes[.scheme] = .text(scheme)
        return attributes
    }

    /// Returns the kind of a failure, such as `timedOut`, with few different values.
    static func errorType(_ error: any Error) -> String {
        guard let error = error as? HTTPTransportError else { return "\(type(of: error))" }
        return String("\(error.code)".prefix { $0 != "(" })
    }
}

extension ExchangeMeasurement {
    /// The measurement by the attribute names of OpenTelemetry. The duration is that of the metrics.
    public var attributes: [HTTPAttribute: HTTPAttribute.Value] {
        var attributes = HTTPAttribute.of(request, url: URL(string: request.url))
        attributes[.requestBodySize] = .integer(metrics.bytesSent)
        attributes[.responseBodySize] = .integer(metrics.bytesReceived)
        attributes[.errorType] = failure.map { .text(HTTPAttribute.errorType($0)) }
        if let version = metrics.protocolVersion?.split(separator: "/"), version.count == 2 {
            attributes[.protocolName] = .text(version[0].lowercased())
            attributes[.protocolVersion] = .text(String(version[1]))
        }
        return attributes
    }
}
