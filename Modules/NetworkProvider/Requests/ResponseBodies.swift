import Locking

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A body that tells what is read of it, and its end.
package final class TappedBody: HTTPBodySource {
    private let body: HTTPResponseBody
    private let onPiece: @Sendable (Data) -> Void
    private let onEnd: Locked<(@Sendable (HTTPTransportError?) -> Void)?>

    /// Taps a body.
    /// - Parameters:
    ///   - body: what is read, in place of which this is read.
    ///   - onPiece: takes each piece on its way to the reader.
    ///   - onEnd: told once: of an orderly end by nil, of a failure or of a reader that has gone by an error.
    package init(
        _ body: HTTPResponseBody,
        onPiece: @escaping @Sendable (Data) -> Void = { _ in },
        onEnd: @escaping @Sendable (HTTPTransportError?) -> Void
    ) {
        self.body = body
        self.onPiece = onPiece
        self.onEnd = Locked(onEnd)
    }

    deinit { end(.cancelled) }

    package func next() async throws(HTTPTransportError) -> Data? {
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

    package func cancel() {
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

/// A body that did not come.
final class FailedBody: HTTPBodySource {
    private let error: HTTPTransportError

    init(_ error: HTTPTransportError) { self.error = error }

    func next() async throws(HTTPTransportError) -> Data? { throw error }

    func cancel() {}
}

extension HTTPResponse {
    /// Lets go of an answer that nobody will read: a short body is read to its end, so that the connection can be used
    /// again; one that is long, or does not come, is not worth it.
    package func discard() async {
        guard (head.contentLength ?? 0) <= 65_536 else { return body.cancel() }
        _ = await body.patiently { try? await body.collect(upTo: 65_536) }
    }
}

extension HTTPResponseBody {
    /// How long anybody waits for a body that is read by the way: the exchange's own times are for wanted ones.
    private static let patience = Duration.seconds(1)

    /// Reads the body for about a second; then the transfer is ended, and the reading with it.
    package func patiently<Value>(_ read: () async -> Value) async -> Value {
        let timer = Task {
            guard (try? await Task.sleep(for: HTTPResponseBody.patience)) != nil else { return }
            cancel()
        }
        defer { timer.cancel() }
        return await read()
    }
}
