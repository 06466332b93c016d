package import EssentialFoundation
import Threading

extension HTTPResponse {
    /// Releases the connection of a response that is not used: reads a short body to its end, so that the connection can
    /// be used again, and cancels one that is long or slow.
    package func discard() async {
        guard (head.contentLength ?? 0) <= 65_536 else { return body.cancel() }
        _ = await body.withTimeLimit { try? await body.collect(upTo: 65_536) }
    }
}

extension HTTPResponseBody {
    /// The time limit for reading a body that the caller has not requested.
    private static let timeLimit = Duration.seconds(1)

    /// Runs `read`, and cancels the transfer if it has not returned after a second.
    package func withTimeLimit<Value>(_ read: () async -> Value) async -> Value {
        let timer = Task {
            guard (try? await Task.sleep(for: HTTPResponseBody.timeLimit)) != nil else { return }
            cancel()
        }
        defer { timer.cancel() }
        return await read()
    }

    /// Returns up to 4 KiB from the beginning of the body, received within the time limit.
    func excerpt() async -> Data {
        await withTimeLimit {
            var excerpt = Data()
            do {
                for try await piece in self {
                    excerpt.append(piece.prefix(4_096 - excerpt.count))
                    if excerpt.count >= 4_096 { break }
                }
            } catch {
                // The status is the failure to report; a body that breaks does not change it.
            }
            return excerpt
        }
    }
}

/// A body that reports the pieces that are read, and its end.
package final class TappedBody: HTTPBodySource {
    private let body: HTTPResponseBody
    private let onPiece: @Sendable (Data) -> Void
    private let onEnd: Locked<(@Sendable (HTTPTransportError?) -> Void)?>

    /// Creates a body that is read in place of another one.
    /// - Parameters:
    ///   - body: the other body.
    ///   - onPiece: called with each piece before the reader receives it.
    ///   - onEnd: called once: with nil when the body has ended, with an error when it failed or its reader stopped.
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
        // A body has one reader, and its iterators have no state.
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

/// A body that fails at once.
final class FailedBody: HTTPBodySource {
    private let error: HTTPTransportError

    init(_ error: HTTPTransportError) { self.error = error }

    func next() async throws(HTTPTransportError) -> Data? { throw error }

    func cancel() {}
}
