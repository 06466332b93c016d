package import HTTPTransport
package import NetworkProvider

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension HTTPCache {
    /// Answers a request from the store, from the network, or from both (RFC 9111, section 4).
    package func send(_ request: HTTPRequest, _ plan: CacheableExchange) async throws -> HTTPResponse {
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
            if plan.policy == .onlyCached { throw HTTPCache.notCached(request, plan.context) }
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

    private static func notCached(_ request: HTTPRequest, _ context: RequestContext) -> NetworkError {
        NetworkError(.notCached, target: context.target, request: context.redaction.redacted(request))
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
    private func change(_ request: HTTPRequest, _ plan: CacheableExchange) async throws -> HTTPResponse {
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

extension HTTPCache {
    /// Asks for the whole answer, and keeps it.
    func fetch(_ request: HTTPRequest, _ control: CacheControl, _ plan: CacheableExchange) async throws -> HTTPResponse
    {
        let trace = ExchangeTrace(self)
        let response = try await plan.network(request, trace)
        return await keep(response, trace.hops, control, plan)
    }

    /// Asks whether a stored answer still holds (section 4.3).
    func validate(
        _ found: FoundAnswer,
        _ control: CacheControl,
        _ plan: CacheableExchange
    ) async throws -> HTTPResponse {
        let (conditional, conditions) = HTTPCache.conditional(found, plan.policy)
        let trace = ExchangeTrace(self, conditions: conditions)
        let mayReplaceError = rules.mayReplaceError(
            found.head,
            for: control,
            allowance: options.staleIfError / .seconds(1),
            at: now()
        )
        let response: HTTPResponse
        do {
            response = try await plan.network(conditional, trace)
        } catch {
            guard mayReplaceError, HTTPCache.isNetworkFailure(error) else { throw error }
            return serve(found, .staleOnError, plan)
        }
        if mayReplaceError, CacheRules.errorStatuses.contains(response.status) {
            await response.discard()
            return serve(found, .staleOnError, plan)
        }
        guard response.status == 304, !conditions.isEmpty else {
            return await keep(response, trace.hops, control, plan)
        }
        await response.discard()
        guard let renewed = await renew(found, by: trace.hops, control, plan) else {
            // It was about something else: another version, or somebody else's.
            return try await fetch(found.request, control, plan)
        }
        return serve(renewed, .revalidated, plan)
    }

    /// The request with the stored answer's validators as conditions (section 4.3.1), and the names of those fields.
    private static func conditional(_ found: FoundAnswer, _ policy: HTTPCachePolicy) -> (HTTPRequest, [String]) {
        var request = policy == .revalidate ? insisting(found.request, "max-age=0") : found.request
        var names: [String] = []
        let stored = found.variant.headers
        for (validator, condition) in [("etag", "If-None-Match"), ("last-modified", "If-Modified-Since")] {
            guard let value = stored[validator], HTTPSyntax.isFieldValue(value) else { continue }
            request.headers[condition] = value
            names.append(condition)
        }
        return (request, names)
    }

    /// Whether nobody could be reached, or whoever was failed to answer.
    private static func isNetworkFailure(_ error: any Error) -> Bool {
        if error is CircuitOpen { return true }
        guard let error = error as? HTTPTransportError else { return false }
        return switch error.code {
        case .cannotResolveHost, .cannotConnect, .timedOut, .connectionLost, .noResponse, .malformedResponse: true
        default: false
        }
    }

    /// Renews a stored answer's head by a 304 (sections 3.2 and 4.3.4).
    /// - Returns: nil where the 304 is not about that answer.
    private func renew(
        _ found: FoundAnswer,
        by hops: [ExchangeTrace.Hop],
        _ control: CacheControl,
        _ plan: CacheableExchange
    ) async -> FoundAnswer? {
        guard hops.count == 1, let hop = hops.first, hop.head.status == 304, isFor(hop, found, plan),
            HTTPCache.isSameVersion(found.variant.headers, hop.head.headers)
        else { return nil }
        var renewed = found
        renewed.variant = found.variant.renewed(by: hop, found.identity, rules)
        await replace(found.variant, with: renewed.variant, found.identity.key, hop, control)
        return renewed
    }

    /// Whether an exchange really was about a stored answer: the same URL, the same credentials.
    private func isFor(_ hop: ExchangeTrace.Hop, _ found: FoundAnswer, _ plan: CacheableExchange) -> Bool {
        let sent = CacheIdentity(hop.request, credentials: plan.credentials)
        return sent.key == found.identity.key && found.variant.matches(sent)
    }

    /// Writes a renewed head over the old one, unless that is gone or the answer may not be kept any more.
    func replace(
        _ old: CachedVariant,
        with new: CachedVariant,
        _ key: String,
        _ hop: ExchangeTrace.Hop,
        _ control: CacheControl
    ) async {
        let isKept = rules.mayStore(new.head, new.headers, for: CacheControl()) && hop.ticket.isCurrent
        await update(key) { record in
            guard let place = record.variants.firstIndex(of: old) else { return [] }
            guard isKept else { return record.remove { $0 == old } }
            record.variants[place] = new
            return []
        }
    }

    /// Whether what a 304 or the answer to a HEAD says of the version is what the stored fields say.
    static func isSameVersion(_ stored: HTTPHeaders, _ update: HTTPHeaders) -> Bool {
        if let tag = update["etag"] {
            guard let storedTag = stored["etag"] else { return false }
            func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
            return opaque(tag) == opaque(storedTag)
        }
        if let changed = update["last-modified"], let storedChange = stored["last-modified"] {
            return changed == storedChange
        }
        return true
    }

    // MARK: In the background

    /// Fetches a stale answer anew for the next time; once at a time for each.
    func renewInBackground(_ found: FoundAnswer, _ control: CacheControl, _ plan: CacheableExchange) {
        guard renewals.begin(found.identity.key) else { return }
        var (found, plan) = (found, plan)
        found.body = HTTPResponseBody()
        found.bodyCount = 0
        plan.events = nil
        plan.policy = .useProtocol
        let (stale, quiet) = (found, plan)
        Task {
            defer { renewals.end(stale.identity.key) }
            guard let response = try? await validate(stale, control, quiet) else { return }
            do { for try await _ in response.body {} } catch {}
        }
    }
}
