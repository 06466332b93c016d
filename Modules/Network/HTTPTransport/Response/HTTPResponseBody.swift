public import EssentialFoundation
import Threading

/// The body of a response: an asynchronous sequence of pieces, received at the reader's pace.
///
/// A body is read once, by one reader. The transfer pauses while it is not read. When the body and its iterators are
/// released before the end, the transfer is cancelled and its connection closed.
public struct HTTPResponseBody: AsyncSequence, Sendable {
    /// Pieces of any size, never empty.
    public typealias Element = Data
    /// The error of a body that cannot be received.
    public typealias Failure = HTTPTransportError

    /// Returns the pieces in order.
    public struct AsyncIterator: AsyncIteratorProtocol {
        /// The error of a body that cannot be received.
        public typealias Failure = HTTPTransportError

        let source: any HTTPBodySource

        /// Returns the next piece, or nil at the end.
        public mutating func next() async throws(HTTPTransportError) -> Data? { try await source.next() }
    }

    private let source: any HTTPBodySource

    /// Creates a body that is read from a source.
    public init(_ source: any HTTPBodySource) { self.source = source }

    /// Creates a body of bytes in memory.
    public init(_ data: Data = Data()) { source = MemorySource(data) }

    /// Returns an iterator over the pieces.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }

    /// Returns the whole body in memory.
    /// - Parameter limit: the maximum number of bytes; 64 MiB by default.
    /// - Returns: all bytes that have not been read yet.
    /// - Throws: ``HTTPTransportError``, with ``HTTPTransportError/Code/bodyTooLarge`` for a body that exceeds the limit.
    public func collect(upTo limit: Int = 64 << 20) async throws(HTTPTransportError) -> Data {
        try await source.collect(upTo: limit)
    }

    /// Cancels the transfer.
    public func cancel() { source.cancel() }
}

/// A source of a response's body, implemented by each transport.
///
/// It has one reader at a time. When its last reference is released before the end, it must cancel its transfer.
public protocol HTTPBodySource: AnyObject, Sendable {
    /// Returns the next piece, never empty, or nil at the end. After a failure it throws the same error again.
    func next() async throws(HTTPTransportError) -> Data?

    /// Returns the rest of the body.
    /// - Throws: ``HTTPTransportError/Code/bodyTooLarge`` as soon as it is known to be longer than `limit` bytes.
    func collect(upTo limit: Int) async throws(HTTPTransportError) -> Data

    /// Cancels the transfer: a waiting reader and all later calls throw ``HTTPTransportError/Code/cancelled``.
    func cancel()
}

extension HTTPBodySource {
    /// Collects the pieces.
    public func collect(upTo limit: Int) async throws(HTTPTransportError) -> Data {
        var whole = Data()
        while let piece = try await next() {
            guard whole.count + piece.count <= limit else {
                cancel()
                throw HTTPTransportError.bodyTooLarge(limit: limit)
            }
            if whole.isEmpty { whole = piece } else { whole.append(piece) }
        }
        return whole
    }
}

/// A body in memory.
private final class MemorySource: HTTPBodySource {
    private let rest: Locked<Result<Data, HTTPTransportError>>

    init(_ data: Data) { rest = Locked(.success(data)) }

    func next() async throws(HTTPTransportError) -> Data? {
        let taken = rest.withLock { rest in
            defer { if case .success = rest { rest = .success(Data()) } }
            return rest
        }
        let data = try taken.get()
        return data.isEmpty ? nil : data
    }

    func cancel() {
        let released = rest.withLock { rest in
            defer { rest = .failure(.cancelled) }
            return rest
        }
        // The bytes are released outside the lock.
        withExtendedLifetime(released) {}
    }
}
