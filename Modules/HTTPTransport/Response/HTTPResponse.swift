#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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
        headers.values("content-length").first.flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The media type without its parameters, in lower case.
    public var mediaType: String? {
        headers.values("content-type").first.map {
            $0.prefix { $0 != ";" && $0 != " " }.lowercased()
        }
    }
}
