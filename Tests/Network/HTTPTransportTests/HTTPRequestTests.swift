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
        arguments: [
            ("ftp://h/", "invalid URL (ftp://h/): the scheme \"ftp\" is not http or https"),
            ("h:80/x", "invalid URL (h://): the scheme \"h\" is not http or https"),
            ("dog.ceo", "invalid URL: the URL has no scheme"), ("/path", "invalid URL: the URL has no scheme"),
        ]
    )
    func refusesSchemes(url: String, problem: String) throws {
        let error = #expect(throws: HTTPTransportError.self) { try HTTPRequest(.get, url).validate() }
        #expect(error?.code == .invalidURL)
        #expect(error?.description == problem + "; write it as http://host or https://host")
    }

    @Test("The error for a text that is not a URL contains neither its credentials nor its query")
    func hidesSecrets() {
        let error = #expect(throws: HTTPTransportError.self) {
            try HTTPRequest(.get, "http://u:sekret@ho st:80:80/?t=sekret")
        }
        #expect(error?.detail.contains("http://<redacted>@ho st:80:80/") == true, "\(String(describing: error))")
        #expect(error?.detail.contains("sekret") == false)
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

    @Test(
        "A URL without a host, with credentials or with a port over 65535 is rejected",
        arguments: ["http:///x", "http://u:p@h/", "http://h:65536/"]
    )
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

    @Test("Framing fields and Expect are rejected", arguments: ["Content-Length", "transfer-encoding", "expect"])
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
        let request = try HTTPRequest("PURGE", "HTTPS://h:65535/강아지?q=멍", headers: ["X-Tab": "a\tb", "X": "값"])
        #expect(code(request) == nil)
        #expect(request.url.absoluteString == "HTTPS://h:65535/%EA%B0%95%EC%95%84%EC%A7%80?q=%EB%A9%8D")
    }

    @Test("Existing escapes remain unchanged beside characters that are encoded")
    func keepsEscapes() throws {
        let request = try HTTPRequest(.get, "http://h/강/a%2Fb c%?q=%2B+&r=[1]#끝")
        #expect(request.url.absoluteString == "http://h/%EA%B0%95/a%2Fb%20c%25?q=%2B+&r=%5B1%5D#%EB%81%9D")
        #expect(try HTTPRequest(.get, "http://[::1]:80/x").url.absoluteString == "http://[::1]:80/x")
    }

    @Test(
        "A relative reference and one of a host only have their path escaped once",
        arguments: [
            ("강 |a%2Fb", "%EA%B0%95%20%7Ca%2Fb"), ("/강/a%2Fb/c d", "/%EA%B0%95/a%2Fb/c%20d"),
            ("a/b://c d", "a/b://c%20d"), ("?강=%2F", "?%EA%B0%95=%2F"), ("//h/강%2F", "//h/%EA%B0%95%2F"),
            ("//[::1]:80/[%2F", "//[::1]:80/%5B%2F"), ("", ""),
        ]
    )
    func references(text: String, escaped: String) {
        #expect(URLText.escaped(text) == escaped)
    }

    @Test(
        "RFC 3492 An international host is sent in its ASCII form, in lower case and composed, raw or percent-encoded",
        arguments: [
            ("http://강아지.강:80/강", "http://xn--939ap19bofd.xn--939a:80/%EA%B0%95"),
            ("//Bücher.DE", "//xn--bcher-kva.de"),
            ("http://BU\u{308}CHER.de?a", "http://xn--bcher-kva.de?a"), ("http://%EA%B0%95。kr", "http://xn--939a.kr"),
            ("http://3年B組金八先生", "http://xn--3b-ww4c5e180e575a65lsy2b"),
            ("http://他们为什么不说中文/", "http://xn--ihqwcrb4cv8a8dqg056pqjye/"),
            ("http://a.почемужеонинеговорятпорусски", "http://a.xn--b1abfaaepdrnnbgefbadotcwatmq2g4l"),
            ("http://me:p%40@강/", "http://me:p%40@xn--939a/"), ("http://XN--939A.kr/", "http://XN--939A.kr/"),
            ("http://h%2F강/", "http://h%2F강/"), ("http://[fe80::1%25강]/", "http://[fe80::1%25강]/"),
        ]
    )
    func internationalHosts(text: String, sent: String) {
        #expect(URLText.escaped(text) == sent)
    }

    @Test("A URL whose host Foundation has percent-encoded is refused, with the host to write")
    func encodedHost() throws {
        let error = #expect(throws: HTTPTransportError.self) {
            try HTTPRequest(.get, url: try #require(URL(string: "http://%EA%B0%95.kr/"))).validate()
        }
        #expect(error?.code == .invalidURL && error?.detail.contains("write xn--939a.kr") == true)
    }

    @Test("A duration in a message is rounded")
    func roundsDurations() {
        let texts: [(Duration, String)] = [
            (.nanoseconds(29_999_999_759), "30 seconds"), (.milliseconds(1_540), "1.5 seconds"),
            (.seconds(1), "1 seconds"), (.microseconds(199_600), "200 milliseconds"), (.seconds(-1), "0 milliseconds"),
        ]
        for (duration, text) in texts { #expect(duration.roundedDescription == text) }
    }

    @Test("A URL with a line break is rejected", arguments: ["http://h/a\r\nb", "http://h\n/", "http://h/\u{0}"])
    func refusesControls(url: String) {
        let error = #expect(throws: HTTPTransportError.self) { try HTTPRequest(.get, url) }
        #expect(error?.code == .invalidURL)
    }
}
