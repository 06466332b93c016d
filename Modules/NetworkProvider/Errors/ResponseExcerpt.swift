#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The beginning of an answer, kept for an error.
public struct ResponseExcerpt: Sendable {
    /// Status and header fields, credentials taken out.
    public var head: HTTPResponseHead
    /// At most the first 4 KiB of the body, with the secret fields of JSON and forms taken out.
    public var body: Data

    /// Creates an excerpt.
    public init(head: HTTPResponseHead, body: Data = Data()) {
        self.head = head
        self.body = body
    }

    /// The body as text, control characters shown as escapes.
    public var text: String { String(decoding: body, as: UTF8.self).withVisibleControls }
}
