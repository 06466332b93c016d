import EssentialFoundation
import HTTPTransport
import NetworkProvider

/// A request, as a target of the provider.
struct CalDAVRequest: RemoteTargetType {
    static var targetName: String { "CalDAV" }

    var httpMethod: HTTPMethod
    var url: URL
    var headers: HTTPHeaders = [:]
    var body: Data?
    var responseBytes = 64 << 20

    var base: String { url.absoluteString }
    var validation: ResponseValidation { .any }
    /// A write is not repeated: after a lost reply, the precondition of the second one would fail.
    var retry: RetryPolicy { ["PUT", "DELETE", "MKCALENDAR", "PROPPATCH"].contains(httpMethod) ? .never : .inherited }

    /// A request with an XML body.
    static func xml(_ method: HTTPMethod, _ url: URL, depth: Int? = nil, _ body: Data) -> CalDAVRequest {
        var headers: HTTPHeaders = ["Content-Type": "application/xml; charset=utf-8"]
        if let depth { headers.append("Depth", "\(depth)") }
        return CalDAVRequest(httpMethod: method, url: url, headers: headers, body: body)
    }

    func asRequest() -> HTTPRequest {
        HTTPRequest(
            httpMethod,
            url: url,
            headers: headers,
            body: body.map { .data($0) } ?? .none,
            // Radicale may be silent for a minute until it has the first token of 10,000 objects.
            timeouts: HTTPTimeouts(idle: .seconds(180), total: .seconds(600)),
            limits: HTTPLimits(bodyBytes: Int64(responseBytes), decompressedBytes: responseBytes),
            // A server or proxy that compresses an object may change its ETag.
            decompresses: httpMethod != .get && httpMethod != .put
        )
    }
}
