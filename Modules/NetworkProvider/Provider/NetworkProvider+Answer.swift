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

    /// A sample of the target's own may differ from that of an equal request.
    private func isShared(_ request: HTTPRequest, _ target: some RemoteTargetType) -> Bool {
        guard target.deduplicates ?? deduplicates, request.method.isSafe, target.stub == nil,
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
        guard let cache else { return try await chain(events, context, nil)(request) }
        let plan = CachePlan(
            policy: policy ?? cache.options.policy,
            redirects: redirects,
            credentials: state.credentialNames,
            anticipate: { anticipated($0) },
            events: events,
            network: { request, trace in try await chain(events, context, trace)(request) }
        )
        return try await cache.send(request, plan)
    }

    /// The request as it would go out now, as far as plugins tell.
    private func anticipated(_ request: HTTPRequest) -> HTTPRequest {
        plugins.reduce(request) { $1.anticipate($0) }
    }
}
