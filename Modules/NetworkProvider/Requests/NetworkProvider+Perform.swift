#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension NetworkProvider {
    /// Sends a target through the plugins, validates the answer and hands it on; tells plugins of a failure.
    ///
    /// `limit` is how much of the body is gathered; nil for one that is read as it arrives, which nobody shares.
    func perform<Target: RemoteTargetType, Result: Sendable>(
        _ target: Target,
        events: HTTPEventHandler?,
        gathering limit: Int? = nil,
        _ finish: @Sendable (PendingExchange) async throws(NetworkError) -> Result
    ) async throws(NetworkError) -> Result {
        let context = RequestContext(
            id: state.nextNumber(),
            target: Target.targetName,
            retry: target.retry,
            redaction: redaction,
            scope: RequestScope.current,
            parent: RequestContext.current?.id,
            source: target
        )
        do throws(NetworkError) {
            return try await finish(try await exchange(target, context, events, gathering: limit))
        } catch {
            for plugin in plugins { await plugin.didFail(error, context) }
            throw error
        }
    }

    private func exchange<Target: RemoteTargetType>(
        _ target: Target,
        _ context: RequestContext,
        _ events: HTTPEventHandler?,
        gathering limit: Int?
    ) async throws(NetworkError) -> PendingExchange {
        var request = context.scope.applied(to: try target.asRequest())
        var shown = redaction.redacted(request)
        let response: HTTPResponse
        do {
            (request, response) = try await RequestContext.$current.withValue(context) {
                var request = request
                for plugin in plugins { request = try await plugin.prepare(request, context) }
                shown = redaction.redacted(request)
                // The straight way costs those nothing who have neither a cache nor shared exchanges.
                guard responseCache != nil || (target.deduplicates ?? deduplicates) else {
                    return (request, try await chain(events, context, nil)(request))
                }
                return (request, try await answer(to: request, target, context, events, gathering: limit))
            }
        } catch {
            throw NetworkError.wrapping(error, target: context.target, request: shown)
        }
        for plugin in plugins { await plugin.didReceive(response.head, to: request, context) }
        let pending = PendingExchange(
            target: context.target,
            request: shown,
            response: response,
            redaction: redaction
        )
        guard target.validation.accepts(response.head) else {
            throw pending.error(.unacceptableStatus(response.status), await NetworkProvider.excerpt(of: response.body))
        }
        return pending
    }

    /// The way to the server: plugins from the outermost in, then redirects, then the transport.
    func chain(
        _ events: HTTPEventHandler?,
        _ context: RequestContext,
        _ observer: (any ExchangeObserver)?
    ) -> NetworkSend {
        let (transport, redirects) = (transport, redirects)
        let measuring = plugins.compactMap { $0 as? any MeasuringPlugin }
        var send: NetworkSend = { request in
            var request = request
            var followed = 0
            let trail = RedirectTrail.current(of: context)
            trail?.begin()
            observer?.attemptDidBegin()
            defer { observer?.attemptDidEnd() }
            let (start, total) = (ContinuousClock.now, request.timeouts.total)
            while true {
                let told = NetworkProvider.handler(events, measuring, request, context)
                let response: HTTPResponse
                if let observer {
                    response = try await observer.send(request) { request throws(HTTPTransportError) in
                        try await transport.send(request, events: told)
                    }
                } else {
                    response = try await transport.send(request, events: told)
                }
                guard redirects.limit > 0, let next = try redirects.next(after: request, response.head) else {
                    return response
                }
                followed += 1
                if !RedirectPolicy.isSameOrigin(request.url, next.url) { trail?.leave() }
                guard followed <= redirects.limit else { throw RedirectPolicy.Refusal.tooMany(limit: redirects.limit) }
                // To whoever asked, the way over several places is one exchange.
                if let observer {
                    request = await observer.follow(response, to: next)
                } else {
                    await response.discard()
                    request = next
                }
                request.timeouts.total = total.map { $0 - (.now - start) }
            }
        }
        for plugin in plugins.reversed() {
            let next = send
            send = { request in try await plugin.send(request, context, next: next) }
        }
        return send
    }

    /// The caller's handler, with the plugins that measure told of the end.
    private static func handler(
        _ events: HTTPEventHandler?,
        _ measuring: [any MeasuringPlugin],
        _ request: HTTPRequest,
        _ context: RequestContext
    ) -> HTTPEventHandler? {
        guard !measuring.isEmpty else { return events }
        return { event in
            if case .finished(let metrics) = event {
                for plugin in measuring { plugin.didMeasure(metrics, of: request, context) }
            }
            events?(event)
        }
    }

    /// The beginning of a body, as far as it comes within about a second.
    private static func excerpt(of body: HTTPResponseBody) async -> Data {
        await body.patiently {
            var excerpt = Data()
            do {
                for try await piece in body {
                    excerpt.append(piece.prefix(4_096 - excerpt.count))
                    if excerpt.count >= 4_096 { break }
                }
            } catch {
                // The status is what failed; what is missing of the body changes nothing about that.
            }
            return excerpt
        }
    }
}

extension NetworkProvider {
    /// The answer to a request: one that several share, one from the cache, or one from the network.
    func answer<Target: RemoteTargetType>(
        to request: HTTPRequest,
        _ target: Target,
        _ context: RequestContext,
        _ events: HTTPEventHandler?,
        gathering limit: Int?
    ) async throws -> HTTPResponse {
        guard let limit, events == nil, isShared(request, target) else {
            return try await cached(request, target.cachePolicy, context, events)
        }
        let policy = target.cachePolicy
        let key = RequestFlightKey(anticipated(request), for: target, maximumBodyBytes: limit)
        return try await state.flights.value(for: key) {
            try await SharedAnswer(cached(request, policy, context, nil), upTo: limit)
        }.response
    }

    private func isShared(_ request: HTTPRequest, _ target: some RemoteTargetType) -> Bool {
        guard target.deduplicates ?? deduplicates, request.method.isSafe,
            case .none = request.body
        else { return false }
        return true
    }

    /// The answer from the cache, where there is one, else from the network.
    private func cached(
        _ request: HTTPRequest,
        _ policy: HTTPCachePolicy?,
        _ context: RequestContext,
        _ events: HTTPEventHandler?
    ) async throws -> HTTPResponse {
        guard let cache = responseCache else { return try await chain(events, context, nil)(request) }
        let exchange = CacheableExchange(
            policy: policy ?? cache.defaultPolicy,
            context: context,
            redirects: redirects,
            credentials: state.credentialNames,
            anticipate: { anticipated($0) },
            events: events,
            network: { request, observer in try await chain(events, context, observer)(request) }
        )
        return try await cache.send(request, exchange)
    }

    /// The request as it would go out now, as far as plugins tell.
    private func anticipated(_ request: HTTPRequest) -> HTTPRequest {
        plugins.reduce(request) { $1.anticipate($0) }
    }
}

/// An answer on its way to becoming a response, with what an error about it needs.
struct PendingExchange: Sendable {
    let target: String
    let request: RedactedRequest
    let response: HTTPResponse
    let redaction: Redaction

    var head: HTTPResponseHead { response.head }

    /// The whole body.
    func gather(upTo limit: Int) async throws(NetworkError) -> Data {
        do throws(HTTPTransportError) {
            return try await response.body.collect(upTo: limit)
        } catch {
            // Any other bound was passed on the way here: the target's limits, which the error names.
            if error.bound == .reader { throw self.error(.bodyTooLarge(limit: limit)) }
            throw wrap(error)
        }
    }

    func error(_ reason: NetworkError.Reason, _ body: Data = Data()) -> NetworkError {
        let excerpt = redaction.redacted(body: Data(body.prefix(4_096)), contentType: head.headers["Content-Type"])
        return NetworkError(
            reason,
            target: target,
            request: request,
            response: ResponseExcerpt(head: redaction.redacted(head), body: excerpt)
        )
    }

    func wrap(_ error: any Error) -> NetworkError {
        var wrapped = NetworkError.wrapping(error, target: target, request: request)
        if wrapped.response == nil { wrapped.response = ResponseExcerpt(head: redaction.redacted(head)) }
        return wrapped
    }
}
