import HTTPTransport
import NetworkProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A stored answer that may do for a request.
struct FoundAnswer: Sendable {
    var variant: CachedVariant
    var identity: CacheIdentity
    var verdict: CacheVerdict
    /// The URL that it is of: the request's, or where stored redirects lead from there.
    var url: URL
    /// What asks the server for it: the request, with that URL.
    var request: HTTPRequest
    /// Its body, open; empty for a HEAD.
    var body: HTTPResponseBody
    /// The length of that body.
    var bodyCount: Int

    /// What its use is reckoned from.
    var head: StoredHead { variant.head }
}

extension HTTPCache {
    /// Looks for the answer to a request, over stored redirects.
    /// - Returns: nil where there is none, or where a redirect on the way has to be asked for again.
    func lookUp(_ request: HTTPRequest, _ control: CacheControl, _ plan: CacheableExchange) async -> FoundAnswer? {
        var plain = request
        var sent = plan.anticipate(request)
        var followed = 0
        while true {
            let identity = CacheIdentity(sent, credentials: plan.credentials)
            guard let variant = await record(identity.key)?.variant(for: identity) else { return nil }
            let head = variant.head
            let verdict = verdict(on: head, control, plan.policy)
            let answer = HTTPResponseHead(status: head.status, headers: variant.headers, url: sent.url)
            if plan.redirects.limit > 0, (300...399).contains(head.status),
                let next = try? plan.redirects.next(after: sent, answer)
            {
                guard verdict != .validate, followed < plan.redirects.limit,
                    let nextPlain = try? plan.redirects.next(after: plain, answer)
                else { return nil }
                followed += 1
                (plain, sent) = (nextPlain, next)
                continue
            }
            // Plugins might show another origin what is not for it: there the way is gone again from its beginning.
            if verdict == .validate, HTTPOrigin(plain.url) != HTTPOrigin(request.url) { return nil }
            guard let (body, count) = await open(variant, for: request, plan) else {
                await update(identity.key) { $0.remove { $0 == variant } }
                return nil
            }
            return FoundAnswer(
                variant: variant,
                identity: identity,
                verdict: verdict,
                url: sent.url,
                request: plain,
                body: body,
                bodyCount: count
            )
        }
    }

    private func verdict(on head: StoredHead, _ control: CacheControl, _ policy: HTTPCachePolicy) -> CacheVerdict {
        var control = control
        // A fresh answer that is marked immutable needs no confirmation (RFC 8246, section 2).
        if policy == .revalidate, head.control.isImmutable, head.lifetime > head.age(at: now()) {
            control.noCache = false
        }
        let verdict = rules.verdict(on: head, for: control, at: now())
        // What the answer allows is no leave to answer without asking where the policy is to ask.
        return policy == .revalidate && verdict != .fresh ? .validate : verdict
    }

    /// Opens a stored body; nil where it is gone or damaged.
    private func open(
        _ variant: CachedVariant,
        for request: HTTPRequest,
        _ plan: CacheableExchange
    ) async -> (HTTPResponseBody, Int)? {
        guard request.method != .head else { return (HTTPResponseBody(), 0) }
        switch variant.body {
        case .inline(let data): return (HTTPResponseBody(data), data.count)
        case .separate(let key, let count):
            guard let reader = await attempt({ try await store.body(for: key) }) else { return nil }
            let source = StoredBody(reader, count: count, url: request.url, events: plan.events) { [self] in
                failed(HTTPCacheStoreError.damaged)
            }
            return (HTTPResponseBody(source), count)
        }
    }

    // MARK: Giving

    /// A stored answer as it is given (section 5.1; RFC 9211).
    func serve(_ found: FoundAnswer, _ source: HTTPCacheStatus.Source, _ plan: CacheableExchange) -> HTTPResponse {
        count { $0.count(source) }
        let age = found.head.age(at: now())
        let left = found.head.lifetime - age
        let status = HTTPCacheStatus(
            source,
            age: HTTPCache.whole(age),
            timeToLive: left > 0 ? max(1, HTTPCache.whole(left)) : -HTTPCache.whole(-left)
        )
        var lines = found.variant.fields
        lines += "Age: \(status.age ?? 0)\r\nCache-Status: \(status.field)\r\n".utf8
        if case .inline = found.variant.body, let events = plan.events {
            if found.bodyCount > 0 { events(.downloaded(Int64(found.bodyCount), of: Int64(found.bodyCount))) }
            events(.finished(HTTPMetrics(total: .zero, bytesSent: 0, bytesReceived: 0)))
        }
        return HTTPResponse(
            head: HTTPResponseHead(status: found.head.status, headers: HTTPHeaders(block: lines), url: found.url),
            body: found.body
        )
    }

    /// An answer from the network, with what the cache did for it.
    func tagged(_ response: HTTPResponse, _ source: HTTPCacheStatus.Source) -> HTTPResponse {
        count { $0.count(source) }
        var response = response
        response.head.headers.append("Cache-Status", HTTPCacheStatus(source).field)
        return response
    }

    private static func whole(_ seconds: Double) -> Int { Int(min(max(seconds, 0), Double(CacheControl.longest))) }
}
