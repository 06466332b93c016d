import Foundation
import HTTPTransport
import Threading

/// A connection on which a script changes requests and replies to some of them; the others reach the server.
final class ScriptedTransport: HTTPTransport {
    /// Changes a request; `nil` sends it to the server.
    typealias Script = @Sendable (inout HTTPRequest) -> HTTPResponse?

    private let inner: any HTTPTransport
    private let state: Locked<(script: Script, sent: [HTTPRequest])>

    init(_ inner: any HTTPTransport, _ script: @escaping Script = { _ in nil }) {
        self.inner = inner
        state = Locked((script, []))
    }

    func setScript(_ script: @escaping Script) { state.withLock { $0.script = script } }

    /// The requests since the last call, as the client has sent them.
    func takeRequests() -> [HTTPRequest] {
        state.withLock { state in
            defer { state.sent = [] }
            return state.sent
        }
    }

    func send(_ request: HTTPRequest, events: HTTPEventHandler?) async throws(HTTPTransportError) -> HTTPResponse {
        let script = state.withLock { state in
            state.sent.append(request)
            return state.script
        }
        var changed = request
        if let response = script(&changed) { return response }
        var response = try await inner.send(changed, events: events)
        response.head.url = request.url
        return response
    }
}

extension HTTPRequest {
    /// The body as text.
    var text: String {
        if case .data(let data) = body { String(decoding: data, as: UTF8.self) } else { "" }
    }

    /// Returns a response without a body.
    func reply(_ status: Int, _ headers: HTTPHeaders = [:]) -> HTTPResponse {
        HTTPResponse(head: HTTPResponseHead(status: status, headers: headers, url: url), body: HTTPResponseBody())
    }

    /// Returns a multistatus.
    func multistatus(_ content: String, before root: String = "") -> HTTPResponse {
        let declarations =
            #"xmlns:d="DAV:" xmlns="urn:ietf:params:xml:ns:caldav" xmlns:cs="http://calendarserver.org/ns/""#
        var response = reply(207, ["Content-Type": "application/xml"])
        response.body = HTTPResponseBody(Data("\(root)<d:multistatus \(declarations)>\(content)</d:multistatus>".utf8))
        return response
    }
}
