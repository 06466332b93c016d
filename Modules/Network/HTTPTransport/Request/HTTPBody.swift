public import EssentialFoundation

/// The body of a request.
public enum HTTPBody: Sendable {
    /// No body, and no Content-Length field.
    case none
    /// Bytes in memory.
    case data(Data)
    /// The contents of the regular file at a path, read while they are sent; the size is determined at the start.
    case file(path: String)
    /// Pieces that are produced while they are sent.
    case stream(HTTPBodyStream)

    /// The number of bytes if it is known without reading a file; nil for a file or a stream of unknown length.
    public var knownLength: Int64? {
        switch self {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .file: nil
        case .stream(let stream): stream.length
        }
    }
}

/// A body that is produced piece by piece; the transport requests the next piece when it can send it.
public struct HTTPBodyStream: Sendable {
    /// The number of bytes of all pieces; nil for a body of unknown length, sent with chunked transfer coding.
    ///
    /// A stream with a different length fails the exchange. The last piece is sent only after the sequence has ended, so
    /// that no server takes a wrong body for a complete one.
    public let length: Int64?
    /// Makes a sequence of the pieces; called once for each time that the body is sent.
    public let makePieces: @Sendable () -> any AsyncSequence<Data, any Error> & Sendable

    /// Creates a stream body.
    /// - Parameters:
    ///   - length: the number of bytes, or nil if unknown.
    ///   - makePieces: returns a new sequence at each call, so that a redirect or a retry can send the body again.
    public init(
        length: Int64? = nil,
        _ makePieces: @escaping @Sendable () -> any AsyncSequence<Data, any Error> & Sendable
    ) {
        self.length = length
        self.makePieces = makePieces
    }
}
