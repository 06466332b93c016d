import NetworkProvider

/// Adds the `User-Agent` of the app to every request, and bounds its time.
struct RequestPlugin: NetworkPlugin {
    let userAgent: String
    let limit: Duration

    func prepare(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPRequest {
        var request = request
        if !request.headers.contains("User-Agent") { request.headers["User-Agent"] = userAgent }
        request.timeouts.total = min(request.timeouts.total ?? limit, limit)
        return request
    }
}
