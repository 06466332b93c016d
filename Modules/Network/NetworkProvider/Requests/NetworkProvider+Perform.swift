import EssentialFoundation
import Threading

/// The path of a request: `perform`, `respond`, `cached`, `send` through the plugins from the outermost in, `attempt` with its
/// redirects, `transfer` over the transport.
extension NetworkProvider {
    /// Sends a target, validates the response and passes it to `finish`; reports a failure to the plugins.
    ///
    /// `limit` is the maximum size of a body that `finish` collects; nil for one that is read as it arrives, which cannot
    /// be shared.
    func perform<Target: RemoteTargetType, Result: Sendable>(
        _ target: Target,
        events: HTTPEventHandler?,
        collecting limit: Int? = nil,
        _ finish: @Sendable (PendingResponse) async throws(NetworkError) -> Result
    ) async throws(NetworkError) -> Result {
        let context = RequestContext(
            state.nextID(),
            Target.targetName,
            target.retry.isInherited ? nil : target.retry,
            redaction,
            RequestScope.current,
            RequestContext.current?.id,
            source: target
        )
        do throws(NetworkError) {
            return try await finish(try await respond(to: target, context, events, collecting: limit))
        } catch {
            for plugin in plugins { await plugin.didFail(error, context) }
            throw error
        }
    }

    /// Sends a target and validates the response.
    private func respond<Target: RemoteTargetType>(
        to target: Target,
        _ context: RequestContext,
        _ events: HTTPEventHandler?,
        collecting limit: Int?
    ) async throws(NetworkError) -> PendingResponse {
        var request = context.scope.applied(to: try await makeRequest(target))
        let response: HTTPResponse
        do {
            response = try await RequestContext.$current.withValue(context) {
                for plugin in plugins { request = try await plugin.prepare(request, context) }
                let (policy, plan) = (target.cachePolicy, SendPlan(context: context, events: events))
                guard let limit, events == nil, target.deduplicates ?? deduplicates, request.method.isSafe,
                    case .none = request.body
                else { return try await cached(request, policy, plan) }
                // An equal request that is under way has the same response.
                let key = SharedRequestKey(anticipated(request), for: target, maximumBodyBytes: limit)
                return try await state.sharedResponses.value(for: key) { [request] _ in
                    try await SharedResponse(cached(request, policy, plan), upTo: limit)
                }.response
            }
        } catch {
            throw NetworkError.wrapping(error, target: context.target, request: redaction.redacted(request))
        }
        for plugin in plugins { await plugin.didReceive(response.head, to: request, context) }
        let pending = PendingResponse(context: context, request: request, response: response)
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

    /// Returns the response from the cache, if there is a cache, or from the network.
    private func cached(_ request: HTTPRequest, _ policy: HTTPCachePolicy, _ plan: SendPlan) async throws
        -> HTTPResponse
    {
        guard let cache else { return try await send(request, plan) }
        let network = ResponseCacheNetwork(
            policy: policy == .inherited ? cache.defaultPolicy : policy,
            context: plan.context,
            redirects: redirects,
            credentials: state.credentialNames,
            anticipate: { anticipated($0) },
            withPluginFields: { withPluginFields($0) },
            withCookies: { withCookies($0) },
            events: plan.events,
            transfer: { request, observer, events in
                try await send(request, SendPlan(context: plan.context, events: events, observer: observer))
            }
        )
        return try await cache.send(request, network)
    }

    /// The request as it would be sent now, with the fields that plugins and cookies add.
    private func anticipated(_ request: HTTPRequest) -> HTTPRequest { withCookies(withPluginFields(request)) }

    private func withPluginFields(_ request: HTTPRequest) -> HTTPRequest {
        plugins.reduce(request) { $1.anticipate($0) }
    }

    private func withCookies(_ request: HTTPRequest) -> HTTPRequest { cookies?.adding(to: request) ?? request }

    /// Sends a request through the plugins from `index` on, then over the network.
    private func send(_ request: HTTPRequest, _ plan: SendPlan, from index: Int = 0) async throws -> HTTPResponse {
        guard index < plugins.count else { return try await attempt(request, plan) }
        return try await plugins[index].send(request, plan.context) { request in
            try await send(request, plan, from: index + 1)
        }
    }

    /// Sends a request and follows redirects; one attempt of a request that may be retried.
    private func attempt(_ request: HTTPRequest, _ plan: SendPlan) async throws -> HTTPResponse {
        var request = request
        var followed = 0
        plan.context.attempts.withLock { $0 = RequestContext.Attempts(count: $0.count + 1) }
        plan.observer?.attemptDidBegin()
        defer { plan.observer?.attemptDidEnd() }
        let (start, total) = (ContinuousClock.now, request.timeouts.total)
        while true {
            let response = try await transfer(withCookies(request), plan)
            cookies?.store(response.head)
            guard let next = try redirects.next(after: request, response.head, followed: followed) else {
                return response
            }
            followed += 1
            let leavesOrigin = !RedirectPolicy.isSameOrigin(request.url, next.url)
            let isProcessed = next.method != request.method
            if leavesOrigin || isProcessed {
                plan.context.attempts.withLock { attempts in
                    attempts.hasLeftOrigin = attempts.hasLeftOrigin || leavesOrigin
                    attempts.isProcessed = attempts.isProcessed || isProcessed
                }
            }
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

    /// Sends one request over the transport. The caller's event handler also passes measurements to the plugins that
    /// receive them.
    private func transfer(_ request: HTTPRequest, _ plan: SendPlan) async throws(HTTPTransportError) -> HTTPResponse {
        var events = plan.events
        if !state.measuring.isEmpty {
            let (measuring, caller, context) = (state.measuring, plan.events, plan.context)
            events = { event in
                switch event {
                case .finished(let metrics):
                    for plugin in measuring { plugin.didMeasure(metrics, failure: nil, of: request, context) }
                case .failed(let error, let metrics):
                    for plugin in measuring { plugin.didMeasure(metrics, failure: error, of: request, context) }
                case .uploaded, .downloaded: break
                }
                caller?(event)
            }
        }
        let handler = events
        var response =
            if let observer = plan.observer {
                try await observer.send(request) { request throws(HTTPTransportError) in
                    try await transport.send(request, events: handler)
                }
            } else {
                try await transport.send(request, events: handler)
            }
        HTTPCacheStatus.removeForged(from: &response.head.headers)
        return response
    }
}

/// What the steps of one request share.
private struct SendPlan: Sendable {
    let context: RequestContext
    let events: HTTPEventHandler?
    var observer: (any NetworkObserver)?
}

/// A response whose body has not been read yet.
struct PendingResponse: Sendable {
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
        let excerpt = redaction.redacted(body: Data(body.prefix(4_096)), contentType: head.headers[.contentType])
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
