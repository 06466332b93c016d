import EssentialFoundation
import HTTPTransport
import NetworkProvider

/// A stored response that can be used for a request.
struct CachedResponse: Sendable {
    var variant: CachedVariant
    var identity: CacheIdentity
    /// The strictest verdict on the response and the redirects to it.
    var verdict: CacheVerdict
    /// Those of the response's and the redirects' heads that are not fresh.
    var staleHeads: [StoredHead]
    /// The URL of the response: the request's, or the target of stored redirects.
    var url: URL
    /// The request that validates the response: for its URL, or for the first URL if it starts over.
    var request: HTTPRequest
    /// Whether the redirects to the response have to be requested, too.
    var startsOver: Bool
    /// Identifies what that request renews.
    var renewal: HTTPCache.Renewal
    /// The body; empty for a HEAD request.
    var body: HTTPResponseBody
    /// The length of the body.
    var bodyCount: Int

    /// The head, for the rules of freshness.
    var head: StoredHead { variant.head }
}

extension HTTPCache {
    /// A stored response as a revalidation in the background sees it: one variant of a URL, for one user.
    struct Renewal: Hashable {
        let key: String
        let partition: [UInt8]
        let isDecompressed: Bool
        let varyDigest: [UInt8]

        init(_ variant: CachedVariant, _ key: String) {
            self.key = key
            partition = variant.partition
            isDecompressed = variant.isDecompressed
            varyDigest = variant.varyDigest
        }
    }

    /// Returns the stored response to a request, after stored redirects.
    /// - Returns: nil without one, or if a redirect has to be validated and may not replace an error.
    func cachedResponse(_ request: HTTPRequest, _ control: CacheControl, _ network: ResponseCacheNetwork) async
        -> CachedResponse?
    {
        var plain = request
        var sent = network.withPluginFields(request)
        var followed = 0
        var strictest = CacheVerdict.fresh
        var staleHeads: [StoredHead] = []
        var first: Renewal?
        while true {
            let identity = CacheIdentity(network.withCookies(sent), credentials: network.credentials)
            guard let variant = await record(identity.key)?.variant(for: identity) else { return nil }
            let head = variant.head
            let verdict = verdict(on: head, control, network.policy)
            strictest = max(strictest, verdict)
            // A stale redirect may lead elsewhere by now. Plugins may add credentials that another origin must not
            // receive. Such a request starts from its first URL again.
            let startsOver = !staleHeads.isEmpty || HTTPOrigin(plain.url) != HTTPOrigin(request.url)
            if verdict != .fresh { staleHeads.append(head) }
            let renewal = Renewal(variant, identity.key)
            first = first ?? renewal
            let answer = HTTPResponseHead(status: head.status, headers: variant.headers, url: sent.url)
            do throws(RedirectPolicy.Refusal) {
                if let next = try network.redirects.next(after: sent, answer, followed: followed),
                    let nextPlain = try network.redirects.next(after: plain, answer, followed: followed)
                {
                    guard verdict != .validate || mayReplaceError(head, control) else { return nil }
                    followed += 1
                    (plain, sent) = (nextPlain, next)
                    continue
                }
            } catch {
                // The network reports why the redirect is not followed.
                return nil
            }
            guard let (body, count) = await open(variant, for: request, network) else {
                await update(identity.key) { $0.remove { $0 == variant } }
                return nil
            }
            return CachedResponse(
                variant: variant,
                identity: identity,
                verdict: strictest,
                staleHeads: staleHeads,
                url: sent.url,
                request: startsOver ? request : plain,
                startsOver: startsOver,
                renewal: startsOver ? first ?? renewal : renewal,
                body: body,
                bodyCount: count
            )
        }
    }

    private func verdict(on head: StoredHead, _ control: CacheControl, _ policy: HTTPCachePolicy) -> CacheVerdict {
        var control = control
        // A fresh response that is marked immutable is not validated (RFC 8246, section 2).
        if policy == .revalidate, head.control.isImmutable { control.noCache = false }
        // A stale error, such as a 404, would hide what the server has by now.
        if head.status >= 400, policy == .preferCached || policy == .staleWhileRevalidating { control.maxStale = nil }
        let verdict = rules.verdict(on: head, for: control, at: now())
        // A response that allows its stale use is still validated if the policy requires that.
        return policy == .revalidate && verdict != .fresh ? .validate : verdict
    }

    /// Returns whether a stored response that is not fresh may replace an error.
    func mayReplaceError(_ head: StoredHead, _ control: CacheControl) -> Bool {
        rules.mayReplaceError(head, for: control, allowance: options.staleIfError / .seconds(1), at: now())
    }

    /// Opens a stored body; nil if it is missing or damaged.
    private func open(
        _ variant: CachedVariant,
        for request: HTTPRequest,
        _ network: ResponseCacheNetwork
    ) async -> (HTTPResponseBody, Int)? {
        guard request.method != .head else { return (HTTPResponseBody(), 0) }
        switch variant.body {
        case .inline(let data): return (HTTPResponseBody(data), data.count)
        case .separate(let key, let count):
            guard let reader = await attempt({ try await store.body(for: key) }) else { return nil }
            let source = CachedBody(reader, count: count, url: request.url, events: network.events) { [self] in
                recordFailure(HTTPCacheStoreError.damaged)
            }
            return (HTTPResponseBody(source), count)
        }
    }

    // MARK: Responses

    /// Returns a stored response with its age and status (section 5.1; RFC 9211).
    func serve(_ cached: CachedResponse, _ source: HTTPCacheStatus.Source, _ network: ResponseCacheNetwork)
        -> HTTPResponse
    {
        count { $0.count(source) }
        let time = now()
        let age = cached.head.age(at: time)
        // A response behind a stale redirect is as stale as that.
        let left = cached.staleHeads.reduce(cached.head.lifetime - age) { min($0, $1.lifetime - $1.age(at: time)) }
        let status = HTTPCacheStatus(
            source,
            age: HTTPCache.whole(age),
            timeToLive: left > 0 ? max(1, HTTPCache.whole(left)) : -HTTPCache.whole(-left)
        )
        var lines = cached.variant.fields
        lines += "Age: \(status.age ?? 0)\r\nCache-Status: \(status.field)\r\n".utf8
        // A separate body reports its own end; the response to HEAD has none.
        let reportsEnd = if case .separate = cached.variant.body { cached.bodyCount > 0 } else { false }
        if !reportsEnd, let events = network.events {
            if cached.bodyCount > 0 { events(.downloaded(Int64(cached.bodyCount), of: Int64(cached.bodyCount))) }
            events(.finished(HTTPMetrics(total: .zero, bytesSent: 0, bytesReceived: 0)))
        }
        return HTTPResponse(
            head: HTTPResponseHead(status: cached.head.status, headers: HTTPHeaders(block: lines), url: cached.url),
            body: cached.body
        )
    }

    /// Returns a response from the network with the cache's status.
    func tagged(_ response: HTTPResponse, _ source: HTTPCacheStatus.Source) -> HTTPResponse {
        count { $0.count(source) }
        var response = response
        response.head.headers.append(.cacheStatus, HTTPCacheStatus(source).field)
        return response
    }

    private static func whole(_ seconds: Double) -> Int { Int(min(max(seconds, 0), Double(CacheControl.longest))) }
}
