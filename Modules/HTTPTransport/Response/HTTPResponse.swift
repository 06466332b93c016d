/// An answer: its head, and a body that is still arriving.
public struct HTTPResponse: Sendable {
    /// Status and header fields.
    public var head: HTTPResponseHead
    /// The body, read at the reader's pace.
    public var body: HTTPResponseBody

    /// Creates an answer.
    public init(head: HTTPResponseHead, body: HTTPResponseBody) {
        self.head = head
        self.body = body
    }

    /// The status code.
    public var status: Int { head.status }
    /// The header fields.
    public var headers: HTTPHeaders { head.headers }
}
