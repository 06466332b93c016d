import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A body that tells what is read of it, and its end.
final class TappedBody: HTTPBodySource {
    private let body: HTTPResponseBody
    private let onPiece: @Sendable (Data) -> Void
    private let onEnd: Locked<(@Sendable (HTTPTransportError?) -> Void)?>

    /// Taps a body.
    /// - Parameters:
    ///   - body: what is read, in place of which this is read.
    ///   - onPiece: takes each piece on its way to the reader.
    ///   - onEnd: told once: of an orderly end by nil, of a failure or of a reader that has gone by an error.
    init(
        _ body: HTTPResponseBody,
        onPiece: @escaping @Sendable (Data) -> Void = { _ in },
        onEnd: @escaping @Sendable (HTTPTransportError?) -> Void
    ) {
        self.body = body
        self.onPiece = onPiece
        self.onEnd = Locked(onEnd)
    }

    deinit { end(.cancelled) }

    func next() async throws(HTTPTransportError) -> Data? {
        // A body has one reader, and its iterators no state of their own.
        var pieces = body.makeAsyncIterator()
        do throws(HTTPTransportError) {
            let piece = try await pieces.next()
            if let piece { onPiece(piece) } else { end(nil) }
            return piece
        } catch {
            end(error)
            throw error
        }
    }

    func cancel() {
        body.cancel()
        end(.cancelled)
    }

    private func end(_ error: HTTPTransportError?) {
        let onEnd = onEnd.withLock { onEnd in
            defer { onEnd = nil }
            return onEnd
        }
        onEnd?(error)
    }
}
