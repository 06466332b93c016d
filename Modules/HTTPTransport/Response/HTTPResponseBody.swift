#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A response's body: pieces as they arrive, at the reader's pace.
///
/// Read it once, by one reader. While nobody reads, the transfer is held back; when the body and its iterators are let
/// go of before the end, the transfer is ended and its connection closed.
public struct HTTPResponseBody: AsyncSequence, Sendable {
    /// Never-empty pieces, of whatever size they arrived in.
    public typealias Element = Data
    /// What went wrong while the body arrived.
    public typealias Failure = HTTPTransportError

    /// Reads the pieces in their order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// What went wrong while the body arrived.
        public typealias Failure = HTTPTransportError

        let source: any HTTPBodySource

        /// The next piece; nil at the end.
        public mutating func next() async throws(HTTPTransportError) -> Data? { try await source.next() }
    }

    private let source: any HTTPBodySource

    /// A body that comes from a source.
    public init(_ source: any HTTPBodySource) { self.source = source }

    /// A body of bytes in memory.
    public init(_ data: Data = Data()) { source = DataSource(data) }

    /// Starts reading.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

    /// The whole body in memory.
    /// - Parameter limit: the greatest number of bytes to take; 64 MiB unless told otherwise.
    /// - Returns: all bytes that had not been read yet.
    /// - Throws: ``HTTPTransportError``, with ``HTTPTransportError/Code/bodyTooLarge`` for a body over the limit.
    public func collect(upTo limit: Int = 64 << 20) async throws(HTTPTransportError) -> Data {
        try await source.collect(upTo: limit)
    }

    /// Ends the transfer, for a reader that has seen enough.
    public func cancel() { source.cancel() }
}
