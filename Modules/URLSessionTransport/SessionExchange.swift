import Foundation
import HTTPTransport
import Locking

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its answer, between the task that waits and the session's queue.
///
/// The end is set once, and only a cancellation may replace it until the reader has seen it; the one waiter is taken
/// out of the lock by whoever wakes it, and so is resumed exactly once.
final class SessionExchange: Sendable {
    private struct State: @unchecked Sendable {
        var task: URLSessionTask?
        var head: HTTPResponseHead?
        var pieces: [Data] = []
        var buffered = 0
        var received: Int64 = 0
        var sent: Int64 = 0
        var isSuspended = false
        var end: Result<Void, HTTPTransportError>?
        var isEndSeen = false
        var isHeadWanted = true
        var waiter: CheckedContinuation<Void, Never>?
        var lastActivity = ContinuousClock.now
        var timer: Task<Void, Never>?
        var uploadGate = ProgressGate()
        var downloadGate = ProgressGate()

        /// Nanoseconds from `start` to the last activity.
        func time(since start: ContinuousClock.Instant) -> Int64 {
            let (seconds, attoseconds) = (lastActivity - start).components
            return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }

        mutating func readyWaiter() -> CheckedContinuation<Void, Never>? {
            guard end != nil || (isHeadWanted ? head != nil : !pieces.isEmpty) else { return nil }
            defer { waiter = nil }
            return waiter
        }
    }

    private static let highWater = 512 << 10

    let request: HTTPRequest
    let upload: SessionUpload
    private let events: HTTPEventHandler?
    private let started = ContinuousClock.now
    private let state = Locked(State())

    init(request: HTTPRequest, upload: SessionUpload, events: HTTPEventHandler?) {
        self.request = request
        self.upload = upload
        self.events = events
    }

    /// The request as Foundation writes it.
    var urlRequest: URLRequest {
        var urlRequest = URLRequest(url: request.url, timeoutInterval: 7 * 86_400)
        urlRequest.httpMethod = request.method.rawValue
        urlRequest.httpShouldHandleCookies = false
        for field in request.headers {
            urlRequest.addValue(HTTPSyntax.trimmed(field.value), forHTTPHeaderField: field.name)
        }
        if !request.decompresses, !request.headers.contains("Accept-Encoding") {
            urlRequest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        if case .none = upload.source, [.post, .put, .patch].contains(request.method) {
            urlRequest.httpBody = Data()
            urlRequest.setValue("0", forHTTPHeaderField: "Content-Length")
        }
        return urlRequest
    }

    // MARK: - The reader

    /// Starts the exchange, unless it was cancelled before, and waits for the head.
    func head(_ start: () -> Void) async -> Result<HTTPResponseHead, HTTPTransportError> {
        if state.withLock({ $0.end == nil }) { start() }
        await wait(head: true)
        return state.withLock { state in
            if case .failure(let error) = state.end, state.head == nil || error.code == .cancelled {
                state.isEndSeen = true
                return .failure(error)
            }
            guard let head = state.head else {
                return .failure(HTTPTransportError(.malformedResponse, url: request.url, detail: "no head came"))
            }
            return .success(head)
        }
    }

    /// Takes the task in and starts the clock; false when the exchange has ended already.
    func attach(_ task: URLSessionTask) -> Bool {
        let timer = Task { [weak self] in
            while let next = self?.nextDeadline() {
                try? await Task.sleep(until: next, clock: .continuous)
                guard !Task.isCancelled else { return }
            }
        }
        let isWanted = state.withLock { state in
            guard state.end == nil else { return false }
            state.task = task
            state.timer = timer
            state.lastActivity = .now
            return true
        }
        if !isWanted { timer.cancel() }
        return isWanted
    }

    /// Waits for the next piece; nil at the end.
    func piece() async throws(HTTPTransportError) -> Data? {
        await withTaskCancellationHandler {
            await wait(head: false)
        } onCancel: {
            cancel()
        }
        let (result, suspended) = state.withLock { state -> (Result<Data?, HTTPTransportError>, URLSessionTask?) in
            if case .failure(let error) = state.end, state.pieces.isEmpty || error.code == .cancelled {
                state.isEndSeen = true
                return (.failure(error), nil)
            }
            guard !state.pieces.isEmpty else {
                state.isEndSeen = true
                return (.success(nil), nil)
            }
            let piece = state.pieces.removeFirst()
            state.buffered -= piece.count
            guard state.isSuspended, state.buffered == 0 else { return (.success(piece), nil) }
            state.isSuspended = false
            state.lastActivity = .now
            return (.success(piece), state.task)
        }
        suspended?.resume()
        return try result.get()
    }

    /// Ends the exchange; whoever waits is told at once.
    func cancel() { finish(.failure(HTTPTransportError.cancelled.at(request.url)), overriding: true) }

    private func wait(head: Bool) async {
        await withCheckedContinuation { waiter in
            let ready = state.withLock { state in
                state.isHeadWanted = head
                state.waiter = waiter
                return state.readyWaiter()
            }
            ready?.resume()
        }
    }

    // MARK: - The session

    /// Takes the head; false when nobody wants the answer any more.
    func receive(_ response: HTTPURLResponse) -> Bool {
        let fields = response.allHeaderFields.map { name, value in
            HTTPHeaders.Field(name: "\(name)", value: "\(value)")
        }
        let head = HTTPResponseHead(
            status: response.statusCode,
            headers: HTTPHeaders(fields.sorted { $0.name < $1.name }),
            url: request.url
        )
        let (isWanted, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
            state.lastActivity = .now
            guard state.end == nil else { return (false, nil) }
            state.head = head
            return (true, state.readyWaiter())
        }
        waiter?.resume()
        return isWanted
    }

    /// Takes bytes of the body, unpacked already.
    func receive(_ data: Data) {
        guard !data.isEmpty else { return }
        let (waiter, suspended, received) = state.withLock {
            state -> (CheckedContinuation<Void, Never>?, URLSessionTask?, Int64?) in
            state.lastActivity = .now
            guard state.end == nil else { return (nil, nil, nil) }
            state.pieces.append(data)
            state.buffered += data.count
            state.received += Int64(data.count)
            var suspended: URLSessionTask?
            #if canImport(Darwin)
                // On Linux a suspended task begins again from the start.
                if state.buffered > SessionExchange.highWater, !state.isSuspended {
                    state.isSuspended = true
                    suspended = state.task
                }
            #endif
            return (state.readyWaiter(), suspended, state.received)
        }
        suspended?.suspend()
        if let events, let received {
            let total = contentLength
            let isTold = state.withLock { $0.downloadGate.tells(received, of: total, at: $0.time(since: started)) }
            if isTold { events(.downloaded(received, of: total)) }
        }
        waiter?.resume()
    }

    private var contentLength: Int64? {
        state.withLock { state in
            guard let head = state.head, !head.headers.contains("Content-Encoding") else { return nil }
            return head.contentLength
        }
    }

    /// Notes progress of the upload.
    func sent(_ count: Int64) {
        let isTold = state.withLock { state in
            state.lastActivity = .now
            state.sent = count
            return events != nil && state.uploadGate.tells(count, of: upload.length, at: state.time(since: started))
        }
        if isTold { events?(.uploaded(count, of: upload.length)) }
    }

    /// Gives the head of an answer with a challenge, whose body cannot be had from the session.
    func refuseChallenge(_ response: HTTPURLResponse?) {
        if let response, state.withLock({ $0.head == nil }) { _ = receive(response) }
        let detail = "the server answered 401 and asks for credentials; send an Authorization header"
        finish(.failure(HTTPTransportError(.unsupported(.basicChallenge), url: request.url, detail: detail)))
    }

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

    private func finish(_ end: Result<Void, HTTPTransportError>, overriding: Bool = false) {
        let (waiter, task, timer) = state.withLock {
            state -> (CheckedContinuation<Void, Never>?, URLSessionTask?, Task<Void, Never>?) in
            if state.end == nil || overriding && !state.isEndSeen { state.end = end }
            defer { (state.task, state.timer) = (nil, nil) }
            return (state.readyWaiter(), state.task, state.timer)
        }
        timer?.cancel()
        if case .failure = end { task?.cancel() }
        waiter?.resume()
    }

    // MARK: - Time

    /// The next time to look at the clock; nil when the exchange has ended, perhaps by having run out of time.
    private func nextDeadline() -> ContinuousClock.Instant? {
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
