/// An answer that was to be an event stream is something else.
public struct NoEventStream: Error, Sendable, CustomStringConvertible {
    /// What it is.
    public let mediaType: String?

    /// What came, and what was wanted.
    public var description: String { "the answer is \(mediaType ?? "of no media type"), not text/event-stream" }
}
