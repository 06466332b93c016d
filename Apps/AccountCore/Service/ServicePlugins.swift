import HTTPTransport
import NetworkProvider

/// Adds the `User-Agent` of the app to every request.
struct UserAgentPlugin: NetworkPlugin {
    private let value: String

    init(_ value: String) { self.value = value }

    func prepare(_ request: HTTPRequest, _ context: RequestContext) async throws -> HTTPRequest {
        var request = request
        if !request.headers.contains("User-Agent") { request.headers["User-Agent"] = value }
        return request
    }
}

/// A transport of any type.
struct AnyTransport: HTTPTransport {
    private let transport: any HTTPTransport

    init(_ transport: any HTTPTransport) { self.transport = transport }

    var unsupportedFeatures: Set<HTTPTransportFeature> { transport.unsupportedFeatures }

    func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        try await transport.send(request, events: events)
    }
}
