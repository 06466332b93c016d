import HTTPTransport
import Testing

@Suite("Header fields", .timeLimit(.minutes(5)))
struct HTTPHeadersTests {
    @Test("Names are found in any case, and several fields of a name remain in order")
    func findsAnyCase() {
        var headers: HTTPHeaders = ["Accept": "a", "X-One": "1", "accept": "b"]
        #expect(headers["ACCEPT"] == "a, b")
        #expect(headers.values("Accept") == ["a", "b"])
        headers.append("x-one", "2")
        #expect(headers.map(\.name) == ["Accept", "X-One", "accept", "x-one"])
        #expect(!headers.contains("x-two"))
    }

    @Test("Setting a value replaces all fields of the name at the first one's place; nil removes them")
    func replaces() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3"]
        headers["a"] = "4"
        #expect(headers == ["a": "4", "B": "2"])
        headers["A"] = nil
        #expect(headers == ["B": "2"])
        headers["C"] = "5"
        #expect(headers == ["b": "2", "c": "5"])
    }

    @Test("Merging replaces all fields of a name")
    func merges() {
        let base: HTTPHeaders = ["Accept": "a", "Accept": "b", "X": "1"]
        #expect(base.merging(["accept": "c"]) == ["X": "1", "accept": "c"])
    }

    @Test("Joined Set-Cookie fields are split where a cookie's name follows a comma")
    func joinedCookies() {
        let date = "Expires=Thu, 01 Jan 1970 00:00:00 GMT"
        let fields = ["a=1; Path=/; \(date)", "b=2, 3", "c=x=y; \(date); Secure", "d="]
        #expect(HTTPSyntax.setCookieFields(fields.joined(separator: ", ")) == fields)
        #expect(HTTPSyntax.setCookieFields(fields.joined(separator: ",")) == fields)
        #expect(HTTPSyntax.setCookieFields("noequals") == ["noequals"])
        #expect(HTTPHeaders([("A", "1"), ("a", "2")]) == ["A": "1", "A": "2"])
    }

    @Test("A list is split over all fields of the name")
    func lists() {
        let headers: HTTPHeaders = ["Vary": "Accept , ,Origin", "vary": "\tCookie"]
        #expect(headers.list("Vary") == ["Accept", "Origin", "Cookie"])
    }

    @Test("Several fields of a name are joined, except Set-Cookie, and all values can be read separately")
    func joins() {
        let fields = [
            ("Vary", "Accept"), ("X", "1"), ("vary", "Origin, Cookie"), ("VARY", ""), ("Cookie", "a=1"),
            ("Cookie", "b=2"),
            ("Set-Cookie", "c=3; Expires=Thu, 01 Jan 2026 00:00:00 GMT"), ("set-cookie", "d=4"),
        ]
        let block = fields.map { "\($0.0): \($0.1)\r\n" }.joined()
        for headers in [
            HTTPHeaders(fields.map { HTTPHeaders.Field(name: $0.0, value: $0.1) }),
            HTTPHeaders(block: Array(block.utf8)),
        ] {
            #expect(headers["vary"] == "Accept, Origin, Cookie, ")
            #expect(headers["cookie"] == "a=1; b=2")
            #expect(headers["set-cookie"] == "c=3; Expires=Thu, 01 Jan 2026 00:00:00 GMT")
            #expect(headers.values("Vary") == ["Accept", "Origin, Cookie", ""])
            #expect(headers.values("Set-Cookie").count == 2)
            #expect(headers.contains("VARY") && !headers.contains("Var") && headers["X"] == "1" && headers["Y"] == nil)
        }
    }

    @Test("Typed names find and set the same fields as texts, in any case")
    func typedNames() {
        var headers = HTTPHeaders([.contentType: "text/plain", .vary: "Accept"])
        headers.append(.vary, "Origin")
        headers[.init("x-mine")] = "1"
        #expect(headers["content-type"] == "text/plain" && headers["X-Mine"] == "1")
        #expect(headers.values(.vary) == ["Accept", "Origin"] && headers.list(.vary) == headers.list("VARY"))
        #expect(HTTPHeaders.Name("ETAG") == .etag && Set([HTTPHeaders.Name("ETAG"), .etag]).count == 1)
        headers.remove(.vary)
        #expect(!headers.contains(.vary) && headers.contains(.contentType) && headers.count == 2)
    }

    @Test("Searching and parsing a received block agree")
    func parsesBlock() {
        let text =
            "Content-Type:  text/plain \r\nSet-Cookie: a=1\r\nset-cookie: b=2\nX-Long: one\r\n  two\r\nbroken\r\nEmpty:\r\n"
        let headers = HTTPHeaders(block: Array(text.utf8))
        #expect(headers["content-type"] == "text/plain")
        #expect(headers["set-cookie"] == "a=1")
        #expect(headers["x-long"] == "one two")
        #expect(headers["empty"] == "")
        #expect(headers["broken"] == nil)
        #expect(
            headers.fields == [
                .init(name: "Content-Type", value: "text/plain"), .init(name: "Set-Cookie", value: "a=1"),
                .init(name: "set-cookie", value: "b=2"), .init(name: "X-Long", value: "one two"),
                .init(name: "Empty", value: ""),
            ]
        )
    }

    @Test("Bytes that are not UTF-8 are decoded as Latin-1, without a loss")
    func readsLatin1() {
        let headers = HTTPHeaders(block: Array("X: caf".utf8) + [0xe9, 13, 10] + Array("Y: 강\r\n".utf8))
        #expect(headers["x"] == "café")
        #expect(headers["y"] == "강")
    }
}
