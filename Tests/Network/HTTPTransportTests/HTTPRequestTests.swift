import Foundation
import HTTPTransport
import Testing

@Suite("Validation of requests", .timeLimit(.minutes(5)))
struct HTTPRequestTests {
    private func code(_ request: HTTPRequest) -> HTTPTransportError.Code? {
        do throws(HTTPTransportError) {
            try request.validate()
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "Schemes other than http and https are rejected",
        arguments: ["ftp://h/", "file:///etc/passwd", "/path", "x:y"]
    )
    func refusesSchemes(url: String) throws {
        #expect(code(try HTTPRequest(.get, url)) == .invalidURL)
    }

    @Test("Segments of one or two dots are found, encoded or not, and longer ones are names")
    func dotSegments() {
        for path in ["/.", "/../a", "/a/%2e", "/%2E%2e/a", "/.%2e", "/%2e."] {
            #expect(URLText.hasDotSegments(path), "\(path)")
        }
        for path in ["/", "/a.b", "/...", "/%2e%2e%2e", "/.a", "/%2ea", "/%2f%2f"] {
            #expect(!URLText.hasDotSegments(path), "\(path)")
        }
    }

    @Test("A URL without a host, or with credentials, is rejected", arguments: ["http:///x", "http://u:p@h/"])
    func refusesURLs(url: String) throws {
        #expect(code(try HTTPRequest(.get, url)) == .invalidURL)
    }

    @Test("A method that is not a token is rejected", arguments: ["", "GET /", "G\r\nX", "메소드", "A\u{0}"])
    func refusesMethods(method: String) throws {
        #expect(code(try HTTPRequest(HTTPMethod(rawValue: method), "http://h/")) == .invalidMethod)
    }

    @Test(
        "Every control character except the tab is rejected in a field's value",
        arguments: (0...0x1f).filter { $0 != 9 } + [0x7f]
    )
    func refusesControls(scalar: Int) throws {
        let character = try #require(Unicode.Scalar(scalar))
        #expect(code(try HTTPRequest(.get, "http://h/", headers: ["X": "a\(character)b"])) == .invalidHeader)
    }

    @Test("A field's name must be a token", arguments: ["", "a b", "a:", "a\r\nB", "이름"])
    func refusesNames(name: String) throws {
        #expect(code(try HTTPRequest(.get, "http://h/", headers: [name: "x"])) == .invalidHeader)
    }

    @Test("Framing fields are rejected", arguments: ["Content-Length", "transfer-encoding"])
    func refusesFraming(name: String) throws {
        #expect(code(try HTTPRequest(.post, "http://h/", headers: [name: "3"])) == .invalidHeader)
    }

    @Test("The error does not contain the value of a field")
    func hidesValues() throws {
        let request = try HTTPRequest(.get, "http://h/?token=1", headers: ["Authorization": "Bearer secret\r\n"])
        let error = #expect(throws: HTTPTransportError.self) { try request.validate() }
        let text = try #require(error).description
        #expect(text.contains("Authorization"))
        #expect(!text.contains("secret"))
        #expect(!text.contains("token=1"))
    }

    @Test("Valid requests are accepted, also with Korean paths and tabs")
    func passes() throws {
        let request = try HTTPRequest("PURGE", "HTTPS://h:8080/강아지?q=멍", headers: ["X-Tab": "a\tb", "X": "값"])
        #expect(code(request) == nil)
        #expect(request.url.absoluteString == "HTTPS://h:8080/%EA%B0%95%EC%95%84%EC%A7%80?q=%EB%A9%8D")
    }

    @Test("Existing escapes remain unchanged beside characters that are encoded")
    func keepsEscapes() throws {
        let request = try HTTPRequest(.get, "http://h/강/a%2Fb c%?q=%2B+&r=[1]#끝")
        #expect(request.url.absoluteString == "http://h/%EA%B0%95/a%2Fb%20c%25?q=%2B+&r=%5B1%5D#%EB%81%9D")
        #expect(try HTTPRequest(.get, "http://[::1]:80/x").url.absoluteString == "http://[::1]:80/x")
    }

    @Test("A URL with a line break is rejected", arguments: ["http://h/a\r\nb", "http://h\n/", "http://h/\u{0}"])
    func refusesControls(url: String) {
        let error = #expect(throws: HTTPTransportError.self) { try HTTPRequest(.get, url) }
        #expect(error?.code == .invalidURL)
    }
}
