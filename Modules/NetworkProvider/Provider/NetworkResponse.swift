/// What a target gave: its response, and the head it came with.
public struct NetworkResponse<Value: Sendable>: Sendable {
    /// The decoded response.
    public var value: Value
    /// Status and header fields.
    public var head: HTTPResponseHead

    /// Creates a response.
    public init(value: Value, head: HTTPResponseHead) {
        self.value = value
        self.head = head
    }

    /// The status code.
    public var status: Int { head.status }
}
