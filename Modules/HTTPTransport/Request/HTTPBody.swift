#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The body of a request.
public enum HTTPBody: Sendable {
    /// No body, and no Content-Length field.
    case none
    /// Bytes in memory.
    case data(Data)
    /// The contents of the file at a path, read while it is sent; its size is taken when the sending begins.
    case file(path: String)
    /// Pieces made while they are sent.
    case stream(HTTPBodyStream)

    /// The bytes to be sent where that is known beforehand; nil for a file or a stream of unknown length.
    public var knownLength: Int64? {
        switch self {
        case .none: 0
        case .data(let data): Int64(data.count)
        case .file: nil
        case .stream(let stream): stream.length
        }
    }
}

/// A body made piece by piece; the transport asks for the next piece when there is room for it.
public struct HTTPBodyStream: Sendable {
    /// The number of bytes of all pieces; nil sends them in chunks.
    ///
    /// A stream that keeps not to it fails the exchange, and no server gets the whole length: the last piece is sent once
    /// the sequence has ended.
    public let length: Int64?
    /// Makes the pieces from the beginning; called once for each time that the body is sent.
    public let makePieces: @Sendable () -> any AsyncSequence<Data, any Error> & Sendable

    /// Creates a stream body.
    /// - Parameters:
    ///   - length: the number of bytes, or nil when it is not known.
    ///   - makePieces: gives a fresh sequence each time, so that a redirect or a retry can send the body again.
    public init(
        length: Int64? = nil,
        _ makePieces: @escaping @Sendable () -> any AsyncSequence<Data, any Error> & Sendable
    ) {
        self.length = length
        self.makePieces = makePieces
    }
}
