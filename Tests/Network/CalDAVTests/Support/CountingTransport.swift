import HTTPTransport
import Threading

/// Records the requests that pass through it, and may redirect them to another server.
final class CountingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let change: @Sendable (inout HTTPRequest) -> Void
    private let sent = Locked<[HTTPRequest]>([])

    init(_ inner: any HTTPTransport, change: @escaping @Sendable (inout HTTPRequest) -> Void = { _ in }) {
        self.inner = inner
        self.change = change
    }

    /// The requests since the last call.
    func takeRequests() -> [HTTPRequest] {
        sent.withLock { sent in
            defer { sent = [] }
            return sent
        }
    }

    func send(_ request: HTTPRequest, events: HTTPEventHandler?) async throws(HTTPTransportError) -> HTTPResponse {
        sent.withLock { $0.append(request) }
        var changed = request
        change(&changed)
        var response = try await inner.send(changed, events: events)
        response.head.url = request.url
        return response
    }
}
