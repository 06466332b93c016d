import HTTPTransport
import Locking
import NetworkProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What really went over the wire for a request, below retries and authentication: the requests as they were sent, with
/// their credentials, and the heads that came. Only the last try counts.
final class ExchangeTrace: ExchangeObserver {
    /// One exchange.
    struct Hop: Sendable {
        var request: HTTPRequest
        var head: HTTPResponseHead
        /// When it was sent, in seconds since 1970.
        var requestTime: Double
        /// When the head had come.
        var responseTime: Double
        /// Taken before it was sent.
        var ticket: CacheChanges.Ticket
        /// The body of a redirect that was followed, where it was read to its end.
        var body: Data?
    }

    private struct State {
        var hops: [Hop] = []
        var running = 0
        var isConfused = false
    }

    private let state = Locked(State())
    private let cache: HTTPCache
    /// Fields that the cache has added, which are about the first URL alone.
    private let conditions: [String]

    init(_ cache: HTTPCache, conditions: [String] = []) {
        self.cache = cache
        self.conditions = conditions
    }

    /// The exchanges of the last try in their order; empty where that cannot be told, since tries ran side by side.
    var hops: [Hop] { state.withLock { $0.isConfused ? [] : $0.hops } }

    /// A try begins.
    func attemptDidBegin() {
        state.withLock { state in
            if state.running > 0 { state.isConfused = true }
            state.running += 1
            state.hops = []
        }
    }

    /// A try has ended.
    func attemptDidEnd() { state.withLock { $0.running -= 1 } }

    /// Sends one request of an attempt and notes what came.
    func send(
        _ request: HTTPRequest,
        over transport: (HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let requestTime = cache.now()
        let ticket = cache.changes.ticket(CacheIdentity.key(of: request.url))
        let response = try await transport(request)
        let hop = Hop(
            request: request,
            head: response.head,
            requestTime: requestTime,
            responseTime: cache.now(),
            ticket: ticket
        )
        state.withLock { $0.hops.append(hop) }
        return response
    }

    /// The last answer is a redirect that is followed: reads its body, if that is short.
    /// - Returns: the next request without the cache's conditions.
    func follow(_ response: HTTPResponse, to next: HTTPRequest) async -> HTTPRequest {
        let limit = HTTPCache.inlineLimit
        if (response.head.contentLength ?? 0) <= Int64(limit) {
            let body = await response.body.patiently { try? await response.body.collect(upTo: limit) }
            state.withLock { state in
                if let last = state.hops.indices.last { state.hops[last].body = body }
            }
        } else {
            response.body.cancel()
        }
        var next = next
        for name in conditions { next.headers.remove(name) }
        return next
    }
}
