#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Nothing usable is stored, and the policy forbids to ask.
struct NotCached: Error {}

extension HTTPCache {
    /// Answers a request from the store, from the network, or from both (RFC 9111, section 4).
    func send(_ request: HTTPRequest, _ plan: CachePlan) async throws -> HTTPResponse {
        guard request.method == .get || request.method == .head else { return try await change(request, plan) }
        guard plan.policy != .ignore, HTTPCache.isPlain(request) else {
            let response = try await plan.network(request, ExchangeTrace(self))
            return tagged(response, .bypass)
        }
        let control = HTTPCache.control(of: request, plan.policy)
        if plan.policy == .reload {
            return try await fetch(HTTPCache.insisting(request, "no-cache"), control, plan)
        }
        let found = await lookUp(request, control, plan)
        if let found, found.verdict != .validate {
            let isStale = found.verdict != .fresh
            if isStale, found.verdict == .staleWhileRevalidating || plan.policy == .staleWhileRevalidating,
                !control.onlyIfCached
            {
                renewInBackground(found, control, plan)
            }
            return serve(found, isStale ? .stale : .hit, plan)
        }
        guard !control.onlyIfCached else {
            if plan.policy == .onlyCached { throw NotCached() }
            return unanswered(request)
        }
        guard let found else { return try await fetch(request, control, plan) }
        return try await validate(found, control, plan)
    }

    /// Whether the cache may take part: a part of a resource, a condition of the caller's own, and a GET with a body are
    /// between the caller and the server.
    private static func isPlain(_ request: HTTPRequest) -> Bool {
        guard case .none = request.body else { return false }
        return !request.headers.fields.contains { field in
            let name = field.name.lowercased()
            return name == "range" || name.hasPrefix("if-")
        }
    }

    /// What the request's fields and the policy ask for.
    private static func control(of request: HTTPRequest, _ policy: HTTPCachePolicy) -> CacheControl {
        var control = CacheControl(request.headers, isRequest: true)
        switch policy {
        case .useProtocol, .ignore, .reload: break
        case .revalidate: control.noCache = true
        case .preferCached, .staleWhileRevalidating, .onlyCached:
            control.maxStale = CacheControl.longest
            control.maxAge = nil
            control.minFresh = nil
            if policy == .onlyCached { control.onlyIfCached = true }
        }
        return control
    }

    /// The request with a directive for the caches on the way, unless it has one of its own.
    static func insisting(_ request: HTTPRequest, _ directive: String) -> HTTPRequest {
        guard !request.headers.contains("cache-control") else { return request }
        var request = request
        request.headers["Cache-Control"] = directive
        return request
    }

    /// The answer of a cache that has nothing and may not ask (section 5.2.1.7).
    private func unanswered(_ request: HTTPRequest) -> HTTPResponse {
        count { $0.misses += 1 }
        let head = HTTPResponseHead(
            status: 504,
            headers: ["Cache-Status": HTTPCacheStatus(.miss).field],
            url: request.url
        )
        return HTTPResponse(head: head, body: HTTPResponseBody())
    }

    // MARK: Changes

    /// Sends a request that may change something, and removes what it makes wrong (section 4.4).
    private func change(_ request: HTTPRequest, _ plan: CachePlan) async throws -> HTTPResponse {
        guard !request.method.isSafe else { return try await plan.network(request, ExchangeTrace(self)) }
        let trace = ExchangeTrace(self)
        do {
            let response = try await plan.network(request, trace)
            await invalidate(by: trace.hops, request, response.head)
            await keepRedirects(trace.hops.dropLast(), plan)
            return response
        } catch {
            // Nobody knows how far it came.
            await invalidate(CacheIdentity.key(of: plan.anticipate(request).url))
            throw error
        }
    }

    private func invalidate(by hops: [ExchangeTrace.Hop], _ request: HTTPRequest, _ head: HTTPResponseHead) async {
        // Without a trace the request itself is all that is known.
        let exchanges = hops.isEmpty ? [(request, head)] : hops.map { ($0.request, $0.head) }
        for (request, head) in exchanges where !request.method.isSafe && (200...399).contains(head.status) {
            await invalidate(CacheIdentity.key(of: request.url))
            for name in ["location", "content-location"] {
                guard let text = head.headers[name].flatMap({ URLText.escaped($0) }),
                    let url = URL(string: text, relativeTo: request.url)?.absoluteURL,
                    HTTPOrigin(url) == HTTPOrigin(request.url)
                else { continue }
                await invalidate(CacheIdentity.key(of: url))
            }
        }
    }
}
