import Foundation
import HTTPTransport
import Locking

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Times and the end.
extension SessionExchange {
    /// Takes the end.
    func complete(_ error: (any Error)?) {
        if let error {
            finish(.failure(refined(SessionExchange.translate(error)).at(request.url)))
            return
        }
        let (received, sent) = state.withLock { ($0.received, $0.sent) }
        if let contentLength, request.method != .head, received < contentLength, isBodyExpected {
            finish(
                .failure(
                    HTTPTransportError(
                        .bodyTruncated,
                        url: request.url,
                        detail: "\(received) of \(contentLength) bytes"
                    )
                )
            )
            return
        }
        if let events {
            let (isSentBehind, isReceivedBehind) = state.withLock {
                ($0.uploadGate.isBehind(sent), $0.downloadGate.isBehind(received))
            }
            if isSentBehind { events(.uploaded(sent, of: upload.length)) }
            if isReceivedBehind { events(.downloaded(received, of: contentLength)) }
        }
        events?(
            .finished(
                HTTPMetrics(total: ContinuousClock.now - started, bytesSent: sent, bytesReceived: received)
            )
        )
        finish(.success(()))
    }

    /// On Linux most failures are "unknown"; how far the answer had come tells more.
    private func refined(_ error: HTTPTransportError) -> HTTPTransportError {
        let (head, received) = state.withLock { ($0.head, $0.received) }
        var error = error
        switch error.code {
        case .malformedResponse where head == nil:
            error.code = .noResponse
        case .library:
            guard let head else { break }
            if head.headers.contains("Content-Encoding") {
                error.code = .badContentEncoding
            } else if let length = head.contentLength, received < length {
                error.code = .bodyTruncated
            } else {
                error.code = .connectionLost
            }
        default: break
        }
        return error
    }

    private var isBodyExpected: Bool {
        state.withLock { state in state.head.map { $0.status != 204 && $0.status != 304 } ?? false }
    }

    func finish(_ end: Result<Void, HTTPTransportError>, overriding: Bool = false) {
        let (waiter, task, timer) = state.withLock {
            state -> (CheckedContinuation<Void, Never>?, URLSessionTask?, Task<Void, Never>?) in
            if state.end == nil || overriding && !state.isEndSeen { state.end = end }
            defer { (state.task, state.timer) = (nil, nil) }
            return (state.readyWaiter(), state.task, state.timer)
        }
        timer?.cancel()
        waiter?.resume()
        guard case .failure = end, let task else { return }
        #if canImport(FoundationNetworking)
            // There it waits for the session's queue, which a server that never pauses keeps busy: no caller's thread for it.
            DispatchQueue.global().async { self.cancel(task) }
        #else
            cancel(task)
        #endif
    }

    // MARK: - Time

    /// The next time to look at the clock; nil when the exchange has ended, perhaps by having run out of time.
    func nextDeadline() -> ContinuousClock.Instant? {
        let now = ContinuousClock.now
        let (isOver, lastActivity, isHeldByClient) = state.withLock { ($0.end != nil, $0.lastActivity, $0.isSuspended) }
        guard !isOver else { return nil }
        let total = request.timeouts.total.map { started + $0 }
        let idle = isHeldByClient ? now + .seconds(1) : lastActivity + request.timeouts.idle
        if let total, total <= now {
            expire(.total, "not done within \(request.timeouts.total ?? .zero)")
            return nil
        }
        if idle <= now {
            expire(.idle, "nothing came for \(request.timeouts.idle)")
            return nil
        }
        return total.map { min($0, idle) } ?? idle
    }

    private func expire(_ phase: HTTPTransportError.Phase, _ detail: String) {
        finish(.failure(HTTPTransportError(.timedOut(phase), url: request.url, detail: detail)))
    }
}
