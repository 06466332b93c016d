import Threading

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The path of a request: `perform`, `exchange`, the plugins from the outermost in, redirects, the transport.
extension NetworkProvider {
    /// Sends a target, validates the response and passes it to `finish`; reports a failure to the plugins.
    ///
    /// `limit` is the maximum size of a body that `finish` collects; nil for one that is read as it arrives, which cannot
    /// be shared.
    func perform<Target: RemoteTargetType, Result: Sendable>(
        _ target: Target,
        events: HTTPEventHandler?,
        collecting limit: Int? = nil,
        _ finish: @Sendable (PendingExchange) async throws(NetworkError) -> Result
    ) async throws(NetworkError) -> Result {
        let context = RequestContext(
            id: state.nextID(),
            target: Target.targetName,
            retry: target.retry,
            redaction: redaction,
            scope: RequestScope.current,
            parent: RequestContext.current?.id,
            source: target
        )
        do throws(NetworkError) {
            return try await finish(try await exchange(target, context, events, collecting: limit))
        } catch {
            for plugin in plugins { await plugin.didFail(error, context) }
            throw error
        }
    }

    private func exchange<Target: RemoteTargetType>(
        _ target: Target,
        _ context: RequestContext,
        _ events: HTTPEventHandler?,
        collecting limit: Int?
    ) async throws(NetworkError) -> PendingExchange {
        var request = context.scope.applied(to: try await makeRequest(target))
        let response: HTTPResponse
        do {
            response = try await RequestContext.$current.withValue(context) {
                for plugin in plugins { request = try await plugin.prepare(request, context) }
                let plan = ExchangePlan(context: context, events: events)
                if let limit, events == nil, isShared(request, target) {
                    return try await shared(request, target, plan, collecting: limit)
                }
                return try await cached(request, target.cachePolicy, plan)
            }
        } catch {
            throw NetworkError.wrapping(error, target: context.target, request: redaction.redacted(request))
        }
        for plugin in plugins { await plugin.didReceive(response.head, to: request, context) }
        let pending = PendingExchange(context: context, request: request, response: response)
        guard target.validation.accepts(response.head) else {
            throw pending.error(.unacceptableStatus(response.status), await response.body.excerpt())
        }
        return pending
    }

    /// Returns the target's request. The files of a form are opened outside the cooperative threads, within the total timeout.
    private func makeRequest<Target: RemoteTargetType>(_ target: Target) async throws(NetworkError) -> HTTPRequest {
        guard case .multipart(let form) = target.task, form.hasFiles else { return try target.asRequest() }
        let request: Result<HTTPRequest, NetworkError>
        do throws(HTTPTransportError) {
            request = try await target.timeout.withTotal { () async throws(HTTPTransportError) in
                do {
                    return try await BlockingCalls.run {
                        Result { () throws(NetworkError) in try target.asRequest() }
                    }
                } catch {
                    throw error is CancellationError ? .cancelled : HTTPTransportError(.library, detail: "\(error)")
                }
            }
        } catch {
            throw NetworkError.wrapping(error, target: Target.targetName, request: nil)
        }
        return try request.get()
    }

    private func isShared(_ request: HTTPRequest, _ target: some RemoteTargetType) -> Bool {
        guard target.deduplicates ?? deduplicates, request.method.isSafe, case .none = request.body else {
            return false
        }
        return true
    }

    /// Returns the response to an equal request that is under way, or sends this one.
    private func shared<Target: RemoteTargetType>(
        _ request: HTTPRequest,
        _ target: Target,
        _ plan: ExchangePlan,
        collecting limit: Int
    ) async throws -> HTTPResponse {
        let policy = target.cachePolicy
        let key = SharedRequestKey(anticipated(request), for: target, maximumBodyBytes: limit)
        return try await state.sharedExchanges.value(for: key) { _ in
            try await SharedResponse(cached(request, policy, plan), upTo: limit)
        }.response
    }

    /// Returns the response from the cache, if there is a cache, or from the network.
    private func cached(
        _ request: HTTPRequest,
        _ policy: HTTPCachePolicy?,
        _ plan: ExchangePlan
    ) async throws -> HTTPResponse {
        guard let cache = responseCache else { return try await send(request, plan) }
        let exchange = CacheableExchange(
            policy: policy ?? cache.defaultPolicy,
            context: plan.context,
            redirects: redirects,
            credentials: state.credentialNames,
            anticipate: { anticipated($0) },
            events: plan.events,
            network: { request, observer in
                var plan = plan
                plan.observer = observer
                return try await send(request, plan)
            }
        )
        return try await cache.send(request, exchange)
    }

    /// The request as it would be sent now, as far as plugins and cookies say.
    private func anticipated(_ request: HTTPRequest) -> HTTPRequest {
        let request = plugins.reduce(request) { $1.anticipate($0) }
        return cookies?.adding(to: request) ?? request
    }

    /// Sends a request through the plugins from `index` on, then over the network.
    private func send(_ request: HTTPRequest, _ plan: ExchangePlan, from index: Int = 0) async throws -> HTTPResponse {
        guard index < plugins.count else { return try await sendOverNetwork(request, plan) }
        return try await plugins[index].send(request, plan.context) { request in
            try await send(request, plan, from: index + 1)
        }
    }

    /// Sends a request and follows redirects; one attempt of a request that may be retried.
    private func sendOverNetwork(_ request: HTTPRequest, _ plan: ExchangePlan) async throws -> HTTPResponse {
        var request = request
        var followed = 0
        let trail = RedirectTrail.current(of: plan.context)
        trail?.begin()
        plan.observer?.attemptDidBegin()
        defer { plan.observer?.attemptDidEnd() }
        let (start, total) = (ContinuousClock.now, request.timeouts.total)
        while true {
            let sent = cookies?.adding(to: request) ?? request
            let response = try await exchange(sent, plan)
            cookies?.store(response.head)
            guard redirects.limit > 0, let next = try redirects.next(after: request, response.head) else {
                return response
            }
            followed += 1
            if !RedirectPolicy.isSameOrigin(request.url, next.url) { trail?.leave() }
            guard followed <= redirects.limit else { throw RedirectPolicy.Refusal.tooMany(limit: redirects.limit) }
            // For the caller, a request with its redirects is one exchange.
            if let observer = plan.observer {
                request = await observer.follow(response, to: next)
            } else {
                await response.discard()
                request = next
            }
            request.timeouts.total = total.map { $0 - (.now - start) }
        }
    }

    /// Sends one request over the transport.
    private func exchange(_ request: HTTPRequest, _ plan: ExchangePlan) async throws(HTTPTransportError) -> HTTPResponse
    {
        let events = measuringEvents(request, plan)
        var response: HTTPResponse
        if let observer = plan.observer {
            response = try await observer.send(request) { request throws(HTTPTransportError) in
                try await transport.send(request, events: events)
            }
        } else {
            response = try await transport.send(request, events: events)
        }
        HTTPCacheStatus.removeForged(from: &response.head.headers)
        return response
    }

    /// The caller's event handler, which also passes measurements to the plugins that receive them.
    private func measuringEvents(_ request: HTTPRequest, _ plan: ExchangePlan) -> HTTPEventHandler? {
        guard !state.measuring.isEmpty else { return plan.events }
        let (measuring, events, context) = (state.measuring, plan.events, plan.context)
        return { event in
            if case .finished(let metrics) = event {
                for plugin in measuring { plugin.didMeasure(metrics, of: request, context) }
            }
            events?(event)
        }
    }
}

/// What the steps of one request share.
private struct ExchangePlan: Sendable {
    let context: RequestContext
    let events: HTTPEventHandler?
    var observer: (any ExchangeObserver)?
}

/// A response whose body has not been read yet.
struct PendingExchange: Sendable {
    let context: RequestContext
    /// The request after the plugins' `prepare`.
    let request: HTTPRequest
    let response: HTTPResponse

    var head: HTTPResponseHead { response.head }

    /// Collects the body.
    func collect(upTo limit: Int) async throws(NetworkError) -> Data {
        do throws(HTTPTransportError) {
            return try await response.body.collect(upTo: limit)
        } catch {
            // Every other bound is one of the target's limits, which the error names.
            if error.bound == .reader { throw self.error(.bodyTooLarge(limit: limit)) }
            throw wrap(error)
        }
    }

    /// Returns an error with the redacted request and the beginning of the response.
    func error(_ reason: NetworkError.Reason, _ body: Data = Data()) -> NetworkError {
        let redaction = context.redaction
        let excerpt = redaction.redacted(body: Data(body.prefix(4_096)), contentType: head.headers["Content-Type"])
        return NetworkError(
            reason,
            target: context.target,
            request: redaction.redacted(request),
            response: ResponseExcerpt(head: redaction.redacted(head), body: excerpt)
        )
    }

    /// Returns the error of the provider for an error that was thrown while the body was read.
    func wrap(_ error: any Error) -> NetworkError {
        var wrapped = NetworkError.wrapping(error, target: context.target, request: context.redaction.redacted(request))
        if wrapped.response == nil { wrapped.response = ResponseExcerpt(head: context.redaction.redacted(head)) }
        return wrapped
    }
}
