import EssentialFoundation
import HTTPTransport
import Threading

/// A body that is read from a store.
final class CachedBody: HTTPBodySource {
    private enum State {
        case reading(Int)
        case ended
        case failed(HTTPTransportError)
    }

    private let reader: any HTTPCacheBodyReader
    private let count: Int
    private let url: URL
    private let events: HTTPEventHandler?
    private let onDamage: @Sendable () -> Void
    private let state = Locked(State.reading(0))

    /// - Parameters:
    ///   - reader: returns the pieces.
    ///   - count: the expected number of bytes.
    ///   - url: the URL of the response.
    ///   - events: called with the progress.
    ///   - onDamage: called once if the bytes are not those that were stored.
    init(
        _ reader: any HTTPCacheBodyReader,
        count: Int,
        url: URL,
        events: HTTPEventHandler?,
        onDamage: @escaping @Sendable () -> Void
    ) {
        self.reader = reader
        self.count = count
        self.url = url
        self.events = events
        self.onDamage = onDamage
    }

    func next() async throws(HTTPTransportError) -> Data? {
        if Task.isCancelled { cancel() }
        let before: Int
        switch state.withLock({ $0 }) {
        case .reading(let offset): before = offset
        case .ended: return nil
        case .failed(let error): throw error
        }
        let piece: Data?
        do {
            piece = try await reader.next()
        } catch {
            throw damaged("\(error)")
        }
        let after = before + (piece?.count ?? 0)
        guard after <= count, piece != nil || after == count else { throw damaged("its length is wrong") }
        let isCancelled = state.withLock { state in
            if case .failed = state { return true }
            state = piece == nil ? .ended : .reading(after)
            return false
        }
        if isCancelled { throw HTTPTransportError.cancelled.at(url) }
        if piece != nil {
            events?(.downloaded(Int64(after), of: Int64(count)))
        } else {
            events?(.finished(HTTPMetrics(total: .zero, bytesSent: 0, bytesReceived: 0)))
        }
        return piece
    }

    func cancel() {
        state.withLock { state in
            if case .reading = state { state = .failed(HTTPTransportError.cancelled.at(url)) }
        }
    }

    private func damaged(_ why: String) -> HTTPTransportError {
        let error = HTTPTransportError(
            .bodyTruncated,
            url: url,
            detail: "the stored body was damaged while it was read (\(why)); send the request again"
        )
        state.withLock { $0 = .failed(error) }
        onDamage()
        return error
    }
}
