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
    struct State: @unchecked Sendable {
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

    static let highWater = 512 << 10

    let request: HTTPRequest
    let upload: SessionUpload
    let events: HTTPEventHandler?
    let started = ContinuousClock.now
    let state = Locked(State())
    /// Whether the session has ended the task. Held by whoever cancels it: on Linux a task that ends between the two
    /// halves of its cancelling is struck off the session's list, and the second half, which looks it up there, ends
    /// the process.
    private let isOver = Locked(false)

    init(request: HTTPRequest, upload: SessionUpload, events: HTTPEventHandler?) {
        self.request = request
        self.upload = upload
        self.events = events
    }

    /// Notes that the session is ending the task, once nobody is in the middle of cancelling it.
    func noteOver() { isOver.withLock { $0 = true } }

    /// Ends the task, unless the session is ending it.
    func cancel(_ task: URLSessionTask) { isOver.withLock { if !$0 { task.cancel() } } }

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
}
