import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What really went over the wire for a request, below retries and authentication: the requests as they were sent, with
/// their credentials, and the heads that came. Only the last try counts.
final class ExchangeTrace: Sendable {
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

    /// Begins an exchange.
    struct Start: Sendable {
        let time: Double
        let ticket: CacheChanges.Ticket
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
    func begin() {
        state.withLock { state in
            if state.running > 0 { state.isConfused = true }
            state.running += 1
            state.hops = []
        }
    }

    /// A try has ended.
    func end() { state.withLock { $0.running -= 1 } }

    /// A request goes out.
    func start(_ request: HTTPRequest) -> Start {
        Start(time: cache.now(), ticket: cache.changes.ticket(CacheIdentity.key(of: request.url)))
    }

    /// Its answer has come.
    func add(_ request: HTTPRequest, _ head: HTTPResponseHead, _ start: Start) {
        let hop = Hop(
            request: request,
            head: head,
            requestTime: start.time,
            responseTime: cache.now(),
            ticket: start.ticket
        )
        state.withLock { $0.hops.append(hop) }
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
