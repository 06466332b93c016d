import EssentialFoundation
import HTTPTransport
import NetworkProvider
import Threading

/// Records what is sent over the network for a request, below retries and authentication: the requests with their
/// credentials, and the heads of the responses. Only the last attempt counts, except for ``unanswered``.
final class NetworkTrace: NetworkObserver {
    /// One request with its response.
    struct Hop: Sendable {
        var request: HTTPRequest
        var head: HTTPResponseHead
        /// When the request was sent, in seconds since 1970.
        var requestTime: Double
        /// When the head was received.
        var responseTime: Double
        /// Created before the request was sent.
        var ticket: CacheChanges.Ticket
        /// The body of a redirect that was followed; nil if it was not read to its end.
        var body: Data?
    }

    private struct State {
        var hops: [Hop] = []
        var running = 0
        var isAmbiguous = false
        var unanswered: Set<String> = []
    }

    private let state = Locked(State())
    private let cache: HTTPCache
    /// Fields that the cache has added, which are valid for the first URL only.
    private let conditions: [String]

    init(_ cache: HTTPCache, conditions: [String] = []) {
        self.cache = cache
        self.conditions = conditions
    }

    /// The exchanges of the last attempt in their order; empty if attempts ran concurrently, so that the last one is
    /// not known.
    var hops: [Hop] { state.withLock { $0.isAmbiguous ? [] : $0.hops } }

    /// The keys of the URLs to which a request by an unsafe method failed without a response, in any attempt: the server may
    /// have processed it.
    var unanswered: Set<String> { state.withLock { $0.unanswered } }

    /// An attempt begins.
    func attemptDidBegin() {
        state.withLock { state in
            if state.running > 0 { state.isAmbiguous = true }
            state.running += 1
            state.hops = []
        }
    }

    /// An attempt has ended.
    func attemptDidEnd() { state.withLock { $0.running -= 1 } }

    /// Sends one request of an attempt and records its response.
    func send(
        _ request: HTTPRequest,
        over transport: (HTTPRequest) async throws(HTTPTransportError) -> HTTPResponse
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let requestTime = cache.now()
        let key = CacheIdentity.key(of: request.url)
        let ticket = cache.changes.ticket(key)
        let response: HTTPResponse
        do {
            response = try await transport(request)
        } catch {
            if !request.method.isSafe { state.withLock { _ = $0.unanswered.insert(key) } }
            throw error
        }
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

    /// Reads the body of a redirect that is followed, if it is short.
    /// - Returns: the next request without the cache's conditions.
    func follow(_ response: HTTPResponse, to next: HTTPRequest) async -> HTTPRequest {
        let limit = HTTPCache.inlineLimit
        if (response.head.contentLength ?? 0) <= Int64(limit) {
            let body = await response.body.withTimeLimit { try? await response.body.collect(upTo: limit) }
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
