#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What comes before a response's body.
public struct HTTPResponseHead: Sendable, Equatable {
    /// The status code, 200 to 599 (101 where a protocol is switched); interim answers are passed over.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// The URL that answered.
    public var url: URL

    /// Creates a head.
    public init(status: Int, headers: HTTPHeaders = [:], url: URL) {
        self.status = status
        self.headers = headers
        self.url = url
    }

    /// Whether the status is one of success, 200 to 299.
    public var isSuccess: Bool { (200...299).contains(status) }

    /// The bytes of the body as the server declared them; nil when it did not, or not rightly.
    public var contentLength: Int64? {
        headers["content-length"].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// The media type without its parameters, in lower case.
    public var mediaType: String? {
        headers["content-type"].map {
            $0.prefix { $0 != ";" && $0 != " " }.lowercased()
        }
    }
}
