import EssentialFoundation
public import HTTPTransport
public import NetworkProvider
import Threading

extension HTTPCache {
    /// Returns the response to a request from the store, from the network, or from both (RFC 9111, section 4).
    public func send(_ request: HTTPRequest, _ network: ResponseCacheNetwork) async throws -> HTTPResponse {
        guard request.method == .get || request.method == .head else { return try await change(request, network) }
        guard network.policy != .ignore, HTTPCache.isPlain(request) else {
            let response = try await network.send(request, NetworkTrace(self))
            return tagged(response, .bypass)
        }
        let control = HTTPCache.control(of: request, network.policy)
        if network.policy == .reload {
            return try await fetch(HTTPCache.requiring(request, "no-cache"), control, network)
        }
        let cached = await cachedResponse(request, control, network)
        if let cached, cached.verdict != .validate {
            let isStale = cached.verdict != .fresh
            if isStale, cached.verdict == .staleWhileRevalidating || network.policy == .staleWhileRevalidating,
                !control.onlyIfCached
            {
                renewInBackground(cached, control, network)
            }
            return serve(cached, isStale ? .stale : .hit, network)
        }
        guard !control.onlyIfCached else {
            if network.policy == .onlyCached { throw HTTPCache.notCached(request, network.context) }
            return gatewayTimeout(request)
        }
        guard let cached else { return try await fetch(request, control, network) }
        return try await validate(cached, control, network)
    }

    /// Returns whether the cache can be used: not for a range, for conditions of the caller, and for a GET with a
    /// body.
    private static func isPlain(_ request: HTTPRequest) -> Bool {
        guard case .none = request.body else { return false }
        return !request.headers.fields.contains { field in
            let name = field.name.lowercased()
            return name == "range" || name.hasPrefix("if-")
        }
    }

    /// Returns the directives of the request's fields and of the policy.
    private static func control(of request: HTTPRequest, _ policy: HTTPCachePolicy) -> CacheControl {
        var control = CacheControl(request.headers, isRequest: true)
        switch policy {
        case .inherited, .useProtocol, .ignore, .reload: break
        case .revalidate: control.noCache = true
        case .preferCached, .staleWhileRevalidating, .onlyCached:
            control.maxStale = CacheControl.longest
            control.maxAge = nil
            control.minFresh = nil
            if policy == .onlyCached { control.onlyIfCached = true }
        }
        return control
    }

    /// Returns the request with a directive for other caches, unless it has its own directives.
    static func requiring(_ request: HTTPRequest, _ directive: String) -> HTTPRequest {
        guard !request.headers.contains(.cacheControl) else { return request }
        var request = request
        request.headers[.cacheControl] = directive
        return request
    }

    private static func notCached(_ request: HTTPRequest, _ context: RequestContext) -> NetworkError {
        NetworkError(.notCached, target: context.target, request: context.redaction.redacted(request))
    }

    /// Returns the response of a cache that has none and may not send the request (section 5.2.1.7).
    private func gatewayTimeout(_ request: HTTPRequest) -> HTTPResponse {
        count { $0.misses += 1 }
        let head = HTTPResponseHead(
            status: 504,
            headers: ["Cache-Status": HTTPCacheStatus(.miss).field],
            url: request.url
        )
        return HTTPResponse(head: head, body: HTTPResponseBody())
    }

    // MARK: Invalidation

    /// Sends a request by an unsafe method, and removes the responses that it makes invalid (section 4.4).
    private func change(_ request: HTTPRequest, _ network: ResponseCacheNetwork) async throws -> HTTPResponse {
        guard !request.method.isSafe else { return try await network.send(request, NetworkTrace(self)) }
        let trace = NetworkTrace(self)
        do {
            let response = try await network.send(request, trace)
            for key in trace.unanswered { await invalidate(key) }
            await invalidate(by: trace.hops, request, response.head)
            await storeRedirects(trace.hops.dropLast(), network)
            return response
        } catch {
            // The server may have processed the request.
            let key = CacheIdentity.key(of: network.anticipate(request).url)
            for key in trace.unanswered.union([key]) { await invalidate(key) }
            throw error
        }
    }

    private func invalidate(by hops: [NetworkTrace.Hop], _ request: HTTPRequest, _ head: HTTPResponseHead) async {
        // Without a trace, only the request itself is known.
        let exchanges = hops.isEmpty ? [(request, head)] : hops.map { ($0.request, $0.head) }
        for (request, head) in exchanges where !request.method.isSafe && (200...399).contains(head.status) {
            await invalidate(CacheIdentity.key(of: request.url))
            for name in ["location", "content-location"] {
                guard let text = head.headers.values(name).first.flatMap({ URLText.escaped($0) }),
                    let url = URL(string: text, relativeTo: request.url)?.absoluteURL,
                    HTTPOrigin(url) == HTTPOrigin(request.url)
                else { continue }
                await invalidate(CacheIdentity.key(of: url))
            }
        }
    }
}

extension HTTPCache {
    /// Requests the whole response, and stores it.
    func fetch(_ request: HTTPRequest, _ control: CacheControl, _ network: ResponseCacheNetwork) async throws
        -> HTTPResponse
    {
        let trace = NetworkTrace(self)
        let response = try await network.send(request, trace)
        return await store(response, trace.hops, control, network)
    }

    /// Validates a stored response (section 4.3).
    func validate(
        _ cached: CachedResponse,
        _ control: CacheControl,
        _ network: ResponseCacheNetwork
    ) async throws -> HTTPResponse {
        let (conditional, conditions) = HTTPCache.conditional(cached, network.policy)
        let trace = NetworkTrace(self, conditions: conditions)
        // Judged when the error occurs: the exchange may take longer than the response may replace one.
        func mayReplaceError() -> Bool { cached.staleHeads.allSatisfy { self.mayReplaceError($0, control) } }
        let response: HTTPResponse
        do {
            response = try await network.send(conditional, trace)
        } catch {
            guard HTTPCache.isNetworkFailure(error), mayReplaceError() else { throw error }
            return serve(cached, .staleOnError, network)
        }
        if CacheRules.errorStatuses.contains(response.status), mayReplaceError() {
            await response.discard()
            return serve(cached, .staleOnError, network)
        }
        guard response.status == 304, !conditions.isEmpty else {
            return await store(response, trace.hops, control, network)
        }
        await response.discard()
        guard let renewed = await renew(cached, by: trace.hops, control, network) else {
            // The 304 is about another version, or about another user's response.
            return try await fetch(cached.request, control, network)
        }
        return serve(renewed, .revalidated, network)
    }

    /// Returns the request with the stored response's validators as conditions (section 4.3.1), and the names of those
    /// fields; none if the request starts with a redirect.
    private static func conditional(_ cached: CachedResponse, _ policy: HTTPCachePolicy) -> (HTTPRequest, [String]) {
        var request = policy == .revalidate ? requiring(cached.request, "max-age=0") : cached.request
        var names: [String] = []
        guard !cached.startsOver else { return (request, names) }
        let stored = cached.variant.headers
        for (validator, condition) in [("etag", "If-None-Match"), ("last-modified", "If-Modified-Since")] {
            guard let value = stored[validator], HTTPSyntax.isFieldValue(value) else { continue }
            request.headers[condition] = value
            names.append(condition)
        }
        return (request, names)
    }

    /// Returns whether the server could not be reached or did not respond, or another one that the request needs: without a
    /// refreshed credential it is not sent.
    private static func isNetworkFailure(_ error: any Error) -> Bool {
        switch error {
        case is CircuitOpen: return true
        case AuthenticationError.refreshFailed(let cause): return isNetworkFailure(cause)
        case let error as NetworkError:
            switch error.reason {
            case .transport(let cause): return isNetworkFailure(cause)
            case .plugin(let cause): return isNetworkFailure(cause)
            default: return false
            }
        case let error as HTTPTransportError:
            switch error.code {
            case .timedOut, .connectionLost, .noResponse, .malformedResponse: return true
            default: return error.isConnectionFailure
            }
        default: return false
        }
    }

    /// Renews a stored response's head by a 304 (sections 3.2 and 4.3.4).
    /// - Returns: nil if the 304 is not about that response.
    private func renew(
        _ cached: CachedResponse,
        by hops: [NetworkTrace.Hop],
        _ control: CacheControl,
        _ network: ResponseCacheNetwork
    ) async -> CachedResponse? {
        guard hops.count == 1, let hop = hops.first, hop.head.status == 304, isFor(hop, cached, network),
            HTTPCache.isSameVersion(cached.variant.headers, hop.head.headers)
        else { return nil }
        var renewed = cached
        renewed.variant = cached.variant.renewed(by: hop, cached.identity, rules)
        renewed.staleHeads = []
        await replace(cached.variant, with: renewed.variant, cached.identity.key, hop, control)
        return renewed
    }

    /// Returns whether an exchange was about a stored response: the same URL, the same credentials.
    private func isFor(_ hop: NetworkTrace.Hop, _ cached: CachedResponse, _ network: ResponseCacheNetwork) -> Bool {
        let sent = CacheIdentity(hop.request, credentials: network.credentials)
        return sent.key == cached.identity.key && cached.variant.matches(sent)
    }

    /// Replaces a head by a renewed one, unless it was removed or the response may not be stored any more.
    func replace(
        _ old: CachedVariant,
        with new: CachedVariant,
        _ key: String,
        _ hop: NetworkTrace.Hop,
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

    /// Returns whether a 304 or the response to a HEAD request is about the stored version.
    static func isSameVersion(_ stored: HTTPHeaders, _ update: HTTPHeaders) -> Bool {
        if let tag = update[.etag] {
            guard let storedTag = stored[.etag] else { return false }
            func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
            return opaque(tag) == opaque(storedTag)
        }
        if let changed = update[.lastModified], let storedChange = stored[.lastModified] {
            return changed == storedChange
        }
        return true
    }

    // MARK: Background revalidation

    /// Requests a stale response, with its redirects if they are stale, again for later callers.
    func renewInBackground(_ cached: CachedResponse, _ control: CacheControl, _ network: ResponseCacheNetwork) {
        var (cached, network) = (cached, network)
        cached.body = HTTPResponseBody()
        cached.bodyCount = 0
        network.events = nil
        network.policy = .useProtocol
        let (stale, quiet) = (cached, network)
        Task {
            try? await renewals.value(for: stale.renewal) { [self] _ in
                for try await _ in try await validate(stale, control, quiet).body {}
            }
        }
    }
}
