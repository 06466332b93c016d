import Foundation
import HTTPTransport
import Threading

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request and its response, shared by the task that reads it and the session's queue.
///
/// The end is set once, and only a cancellation may replace it until the reader has received it. There is at most one
/// waiting reader; whoever resumes it removes it under the lock first, so that it is resumed exactly once.
final class SessionExchange: Sendable {
    struct State: @unchecked Sendable {
        var task: URLSessionTask?
        var head: HTTPResponseHead?
        var pieces: [Data] = []
        var buffered = 0
        var received: Int64 = 0
        var sent: Int64 = 0
        var isSuspended = false
        var end: Result<Void, HTTPTransportError>?
        /// Whether a reader has received the end, after which a cancellation has no effect.
        var isEndReceived = false
        /// Whether the waiting reader waits for the head rather than for a piece.
        var waitsForHead = true
        var waiter: CheckedContinuation<Void, Never>?
        var lastActivity = ContinuousClock.now
        var timer: Task<Void, Never>?
        var uploadGate = ProgressGate()
        var downloadGate = ProgressGate()

        /// Returns the nanoseconds from `start` to the last activity.
        func time(since start: ContinuousClock.Instant) -> Int64 {
            let (seconds, attoseconds) = (lastActivity - start).components
            return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        }

        /// Removes the waiter if the event that it waits for has occurred.
        mutating func readyWaiter() -> CheckedContinuation<Void, Never>? {
            guard end != nil || (waitsForHead ? head != nil : !pieces.isEmpty) else { return nil }
            defer { waiter = nil }
            return waiter
        }
    }

    /// The number of buffered bytes above which a task is suspended, where that is possible.
    static let bufferedBytes = 512 << 10

    let request: HTTPRequest
    let upload: SessionUpload
    let events: HTTPEventHandler?
    let start: ContinuousClock.Instant
    let state = Locked(State())
    /// Whether the session has ended the task. Locked while the task is cancelled: on Linux the process ends if a task ends
    /// between the two halves of its cancellation, the second of which looks it up in the session's list.
    private let hasTaskEnded = Locked(false)

    init(request: HTTPRequest, upload: SessionUpload, events: HTTPEventHandler?, start: ContinuousClock.Instant) {
        self.request = request
        self.upload = upload
        self.events = events
        self.start = start
    }

    /// The request in Foundation's form.
    var urlRequest: URLRequest {
        var urlRequest = URLRequest(url: request.url, timeoutInterval: 7 * 86_400)
        urlRequest.httpMethod = request.method.rawValue
        urlRequest.httpShouldHandleCookies = false
        for field in request.headers {
            urlRequest.addValue(HTTPSyntax.trimmed(field.value), forHTTPHeaderField: field.name)
        }
        if !request.decompresses, !request.headers.contains(.acceptEncoding) {
            urlRequest.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        if case .none = upload.source, [.post, .put, .patch].contains(request.method) {
            urlRequest.httpBody = Data()
            urlRequest.setValue("0", forHTTPHeaderField: "Content-Length")
        }
        return urlRequest
    }

    // MARK: - Starting and reading

    /// Stores the task and starts measuring the timeouts; false if the exchange has ended already.
    func attach(_ task: URLSessionTask) -> Bool {
        let timer = Task { [weak self] in
            while let next = self?.nextDeadline() {
                try? await Task.sleep(until: next, clock: .continuous)
                guard !Task.isCancelled else { return }
            }
        }
        let isAttached = state.withLock { state in
            guard state.end == nil else { return false }
            state.task = task
            state.timer = timer
            state.lastActivity = .now
            return true
        }
        if !isAttached { timer.cancel() }
        return isAttached
    }

    /// Starts the exchange, unless it has been cancelled, and waits for the head.
    func head(_ start: () -> Void) async -> Result<HTTPResponseHead, HTTPTransportError> {
        if state.withLock({ $0.end == nil }) { start() }
        await wait(forHead: true)
        return state.withLock { state in
            if case .failure(let error) = state.end, state.head == nil || error.code == .cancelled {
                state.isEndReceived = true
                return .failure(error)
            }
            guard let head = state.head else {
                let detail = "the response has no head"
                return .failure(HTTPTransportError(.malformedResponse, url: request.url, detail: detail))
            }
            return .success(head)
        }
    }

    /// Waits for the next piece of the body; nil at the end.
    func piece() async throws(HTTPTransportError) -> Data? {
        await withTaskCancellationHandler {
            await wait(forHead: false)
        } onCancel: {
            cancel()
        }
        let result = state.withLock { state -> Result<Data?, HTTPTransportError> in
            if case .failure(let error) = state.end, state.pieces.isEmpty || error.code == .cancelled {
                state.isEndReceived = true
                return .failure(error)
            }
            guard !state.pieces.isEmpty else {
                state.isEndReceived = true
                return .success(nil)
            }
            let piece = state.pieces.removeFirst()
            state.buffered -= piece.count
            if state.isSuspended, state.buffered == 0 {
                state.isSuspended = false
                state.lastActivity = .now
                state.task?.resume()
            }
            return .success(piece)
        }
        return try result.get()
    }

    private func wait(forHead isHead: Bool) async {
        await withCheckedContinuation { waiter in
            let ready = state.withLock { state in
                state.waitsForHead = isHead
                state.waiter = waiter
                return state.readyWaiter()
            }
            ready?.resume()
        }
    }

    // MARK: - Ending

    /// Cancels the exchange; the reader is resumed at once.
    func cancel() { finish(.failure(HTTPTransportError.cancelled.at(request.url)), overriding: true) }

    /// Sets the end, resumes the reader and, after a failure, cancels the task.
    /// - Parameters:
    ///   - end: the outcome.
    ///   - overriding: whether it replaces an outcome that the reader has not received.
    func finish(_ end: Result<Void, HTTPTransportError>, overriding: Bool = false) {
        let (waiter, task, timer, metrics) = state.withLock {
            state -> (CheckedContinuation<Void, Never>?, URLSessionTask?, Task<Void, Never>?, HTTPMetrics?) in
            let isFirst = state.end == nil
            if isFirst || overriding && !state.isEndReceived { state.end = end }
            defer { (state.task, state.timer) = (nil, nil) }
            let metrics = HTTPMetrics(total: .now - start, bytesSent: state.sent, bytesReceived: state.received)
            return (state.readyWaiter(), state.task, state.timer, isFirst ? metrics : nil)
        }
        if let events, let metrics, case .failure(let error) = end { events(.failed(error, metrics)) }
        timer?.cancel()
        waiter?.resume()
        guard case .failure = end, let task else { return }
        #if canImport(FoundationNetworking)
            // On Linux, cancelling waits for the session's queue, which a fast server occupies: do not block the caller.
            DispatchQueue.global().async { self.cancel(task) }
        #else
            cancel(task)
        #endif
    }

    /// Notes that the session is about to end the task; waits while the task is being cancelled.
    func taskWillEnd() { hasTaskEnded.withLock { $0 = true } }

    private func cancel(_ task: URLSessionTask) { hasTaskEnded.withLock { if !$0 { task.cancel() } } }

    // MARK: - Timeouts

    /// Returns the time at which a timeout may expire; nil if the exchange has ended, for instance by a timeout.
    private func nextDeadline() -> ContinuousClock.Instant? {
        let now = ContinuousClock.now
        let (hasEnded, lastActivity, isSuspended) = state.withLock { ($0.end != nil, $0.lastActivity, $0.isSuspended) }
        guard !hasEnded else { return nil }
        let total = request.timeouts.total.map { start + $0 }
        let idle = isSuspended ? now + .seconds(1) : lastActivity + request.timeouts.idle
        if let total, total <= now {
            expire(.total, "not finished within \((request.timeouts.total ?? .zero).roundedDescription)")
            return nil
        }
        if idle <= now {
            expire(.idle, "nothing was received or sent for \(request.timeouts.idle.roundedDescription)")
            return nil
        }
        return total.map { min($0, idle) } ?? idle
    }

    private func expire(_ phase: HTTPTransportError.Phase, _ detail: String) {
        finish(.failure(HTTPTransportError(.timedOut(phase), url: request.url, detail: detail)))
    }
}
