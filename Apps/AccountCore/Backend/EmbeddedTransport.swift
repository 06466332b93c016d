import EssentialFoundation
package import HTTPTransport
import Threading

/// A transport whose server is an ``AccountBackend`` in the same process: no sockets, the same requests and responses.
package struct EmbeddedTransport: HTTPTransport {
    /// The base URL of the embedded backend. The domain `invalid` never resolves (RFC 2606), so that no request can leave the
    /// machine by mistake.
    package static let base = "http://account.invalid"

    private let backend: AccountBackend

    /// Creates a transport to a backend.
    package init(_ backend: AccountBackend) { self.backend = backend }

    package func send(
        _ request: HTTPRequest,
        events: HTTPEventHandler?
    ) async throws(HTTPTransportError) -> HTTPResponse {
        try request.validate()
        var body = Data()
        if case .data(let data) = request.body { body = data }
        let served = BackendRequest(
            method: request.method.rawValue,
            path: request.url.path(),
            headers: Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { $1 }),
            body: body,
            address: nil
        )
        let response: BackendResponse
        do {
            response = try await BlockingCalls.run { [backend] in backend.response(to: served) }
        } catch is CancellationError {
            throw HTTPTransportError(.cancelled, url: request.url)
        } catch {
            throw HTTPTransportError(.cannotConnect, url: request.url, detail: "\(error)")
        }
        let headers = HTTPHeaders(response.headers.map { HTTPHeaders.Field(name: $0.name, value: $0.value) })
        return HTTPResponse(
            head: HTTPResponseHead(status: response.status, headers: headers, url: request.url),
            body: HTTPResponseBody(response.body)
        )
    }
}
