import Foundation
import HTTPTransport
import TestSupport
import Testing

@Suite("Response bodies", .timeLimit(.minutes(5)))
struct HTTPResponseBodyTests {
    /// A transport that returns the description of each request.
    private struct Echo: HTTPTransport {
        func send(_ request: HTTPRequest, events: HTTPEventHandler?) async throws(HTTPTransportError) -> HTTPResponse {
            try request.validate()
            let body = HTTPResponseBody(Data(request.description.utf8))
            return HTTPResponse(head: HTTPResponseHead(status: 200, url: request.url), body: body)
        }
    }

    @Test("Every example of the landing page is compiled by a test")
    func examplesAreCompiled() throws {
        #expect(try DocumentedExamples(of: "HTTPTransport", count: 1).missing == [])
    }

    @Test("The landing page's example returns a response")
    func landingPage() async throws {
        let transport = Echo()
        let request = try HTTPRequest(.post, "https://example.com/todos", headers: ["Accept": "application/json"])
        let response = try await transport.send(request)
        let body = try await response.body.collect(upTo: 1 << 20)
        #expect(String(decoding: body, as: UTF8.self) == "POST https://example.com/todos")
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

    @Test("Every read of a cancelled body fails")
    func cancels() async throws {
        let body = HTTPResponseBody(Data(count: 10))
        body.cancel()
        let error = await #expect(throws: HTTPTransportError.self) { try await body.collect() }
        #expect(error?.code == .cancelled)
    }

    @Test("The authentication schemes of all challenges are found, and parameters are not taken for schemes")
    func authenticationSchemes() throws {
        let url = try #require(URL(string: "http://h/"))
        let values: [([String], [String])] = [
            ([], []), ([#"Basic realm="dogs""#], ["basic"]), (["Negotiate", "NTLM"], ["negotiate", "ntlm"]),
            (
                [#"Digest realm="a, Basic b", nonce="x\", y", qop="auth,auth-int", Basic realm = "dogs""#],
                ["digest", "basic"]
            ),
            (["Negotiate YII=, Bearer"], ["negotiate", "bearer"]), ([", ,Basic"], ["basic"]), ([#"realm="x""#], []),
        ]
        for (fields, schemes) in values {
            let headers = HTTPHeaders(fields.map { HTTPHeaders.Field(name: "WWW-Authenticate", value: $0) })
            let head = HTTPResponseHead(status: 401, headers: headers, url: url)
            #expect(head.authenticationSchemes == schemes, "\(fields)")
        }
    }

    @Test("A media type is returned without parameters, and an invalid length is ignored")
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
