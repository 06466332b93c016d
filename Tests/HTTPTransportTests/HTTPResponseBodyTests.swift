import Foundation
import HTTPTransport
import Testing

@Suite("Bodies")
struct HTTPResponseBodyTests {
    /// A transport that answers every request with its own body.
    private struct Echo: HTTPTransport {
        func send(
            _ request: HTTPRequest,
            events: HTTPEventHandler?
        ) async throws(HTTPTransportError) -> HTTPResponse {
            try request.validate()
            guard case .data(let data) = request.body else {
                throw HTTPTransportError(.invalidBody, url: request.url, detail: "bytes only")
            }
            return HTTPResponse(head: HTTPResponseHead(status: 200, url: request.url), body: HTTPResponseBody(data))
        }
    }

    @Test("The landing page's example reads an answer")
    func landingPage() async throws {
        let transport = Echo()
        var request = try HTTPRequest(.post, "https://example.com/todos", headers: ["Accept": "application/json"])
        request.body = .data(Data("밥 주기".utf8))
        let response = try await transport.send(request)
        let text = try await response.body.collect(upTo: 1 << 20)
        #expect(String(decoding: text, as: UTF8.self) == "밥 주기")
    }

    @Test("A body over the reader's limit fails, one at the limit does not")
    func limits() async throws {
        let bytes = Data(count: 10)
        #expect(try await HTTPResponseBody(bytes).collect(upTo: 10) == bytes)
        let error = await #expect(throws: HTTPTransportError.self) {
            try await HTTPResponseBody(bytes).collect(upTo: 9)
        }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test("A cancelled body fails every later read")
    func cancels() async throws {
        let body = HTTPResponseBody(Data(count: 10))
        body.cancel()
        let error = await #expect(throws: HTTPTransportError.self) { try await body.collect() }
        #expect(error?.code == .cancelled)
    }

    @Test("A media type comes without parameters, a length only where it is one")
    func readsHead() throws {
        let url = try #require(URL(string: "http://h/"))
        let head = HTTPResponseHead(
            status: 299,
            headers: ["content-type": "Text/HTML; charset=x", "Content-Length": "-4"],
            url: url
        )
        #expect(head.mediaType == "text/html")
        #expect(head.contentLength == nil)
        #expect(head.isSuccess)
        #expect(!HTTPResponseHead(status: 300, url: url).isSuccess)
    }
}
