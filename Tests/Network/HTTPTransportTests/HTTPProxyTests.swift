import Testing

@testable import HTTPTransport

@Suite("Proxies")
struct HTTPProxyTests {
    @Test("The URL of a proxy has its kind, its host, an IPv6 address in brackets, and its port")
    func url() {
        #expect(HTTPProxyServer(host: "proxy.example", port: 3128).url == "http://proxy.example:3128")
        #expect(HTTPProxyServer(.https, host: "::1", port: 8443).url == "https://[::1]:8443")
        #expect(HTTPProxyServer(host: "멍.example", port: 80).url == "http://xn--922b.example:80")
        #expect(throws: Never.self) { try HTTPProxyServer(host: "멍.example", port: 80).validate() }
        #expect(HTTPProxyServer(.socks5, host: "127.0.0.1", port: 1080).url == "socks5h://127.0.0.1:1080")
        for proxy in [HTTPProxyServer(host: "a", port: 0), HTTPProxyServer(host: "", port: 1)] {
            #expect(throws: HTTPTransportError.self) { try proxy.validate() }
        }
    }

    @Test("Exceptions are compared without brackets and wildcards and in ASCII, and * replaces the others")
    func patterns() throws {
        var proxy = HTTPProxyServer(host: "127.0.0.1", port: 8080)
        proxy.exceptions = ["[::1]", "*.localhost", "멍.example", "*.멍.example", "10.0.0.1", ".example.com"]
        #expect(
            proxy.exceptionPatterns
                == ["::1", ".localhost", "xn--922b.example", ".xn--922b.example", "10.0.0.1", ".example.com"]
        )
        try proxy.validate()
        proxy.exceptions.append("*")
        #expect(proxy.exceptionPatterns == ["*"])
    }

    @Test(
        "An exception is one name or address without a port",
        arguments: ["", "a,b", "a b", "a\n", "a:80", "a*.example", "[::1]:80", "*.", "a%é"]
    )
    func exceptions(text: String) {
        let proxy = HTTPProxyServer(host: "127.0.0.1", port: 8080, exceptions: ["example.com", text])
        #expect(throws: HTTPTransportError.self) { try proxy.validate() }
    }

    @Test(
        "Credentials that cannot be sent are refused, and the error does not contain them",
        arguments: [("a:b", "secret"), ("a\r\nb", "secret"), ("a", "sec\u{0}ret"), ("a", "secret\u{7F}")]
    )
    func credentials(user: String, password: String) {
        let credentials = HTTPProxyServer.Credentials(user: user, password: password)
        let proxy = HTTPProxyServer(host: "127.0.0.1", port: 8080, credentials: credentials)
        let error = #expect(throws: HTTPTransportError.self) { try proxy.validate() }
        #expect(error?.code == .invalidSettings && error?.detail.contains("sec") == false)
        let valid = HTTPProxyServer.Credentials(user: "a", password: "b:c d")
        #expect(throws: Never.self) {
            try HTTPProxyServer(host: "127.0.0.1", port: 8080, credentials: valid).validate()
        }
    }
}
