/// One event of a `text/event-stream` (WHATWG HTML, section 9.2).
public struct ServerSentEvent: Sendable, Hashable {
    /// The event's type; `message` where the server names none.
    public var type: String
    /// The data, its lines joined by a line feed.
    public var data: String
    /// The last id that the server gave, with this event or an earlier one; empty when it gave none.
    public var id: String

    /// Creates an event.
    public init(type: String = "message", data: String, id: String = "") {
        self.type = type
        self.data = data
        self.id = id
    }
}
