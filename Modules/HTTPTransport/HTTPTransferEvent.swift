/// Something that happened during an exchange, told while it runs.
public enum HTTPTransferEvent: Sendable, Equatable {
    /// So many bytes of the request's body have been handed to the network, of so many where that is known.
    case uploaded(Int64, of: Int64?)
    /// So many bytes of the response's body have arrived (unpacked), of so many where that is known.
    case downloaded(Int64, of: Int64?)
    /// The exchange has ended well, and cost this. Failures are thrown, not told here.
    case finished(HTTPMetrics)
}

/// Takes the events of one exchange, in their order, on the transport's own thread: be quick, and never block.
public typealias HTTPEventHandler = @Sendable (HTTPTransferEvent) -> Void
