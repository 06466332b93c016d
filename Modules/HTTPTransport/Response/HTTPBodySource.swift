#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Where a response's body comes from: what a transport gives to make an ``HTTPResponseBody``.
///
/// One reader at a time. A source whose last reference goes away before its end must end its transfer.
public protocol HTTPBodySource: AnyObject, Sendable {
    /// The next piece, never empty; nil at the end. Fails with the same error again once it has failed.
    func next() async throws(HTTPTransportError) -> Data?

    /// The whole rest of the body.
    /// - Throws: ``HTTPTransportError/Code/bodyTooLarge`` as soon as it is known to be longer than `limit` bytes.
    func collect(upTo limit: Int) async throws(HTTPTransportError) -> Data

    /// Ends the transfer: a waiting reader and all later ones get ``HTTPTransportError/Code/cancelled``.
    func cancel()
}

extension HTTPBodySource {
    /// Gathers the pieces.
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
