import Foundation
import NetworkProvider
import Testing

@Suite("Requests of targets")
struct RemoteTargetTests {
    private struct Anything: RemoteTargetType {
        var base = "http://h/v1"
        var path = ""
        var httpMethod = HTTPMethod.get
        var parameters: QueryParameters?
        var headers: HTTPHeaders?
        var data: (any Encodable & Sendable)?
        var sent: RemoteTask?
        var task: RemoteTask { sent ?? data.map { .json($0) } ?? .plain }
    }

    private func url(_ base: String, _ path: String, _ query: QueryParameters? = nil) throws -> String {
        try Anything(base: base, path: path, parameters: query).asRequest().url.absoluteString
    }

    @Test(
        "S1 R5 Base and path are joined by one slash",
        arguments: [
            ("http://h", "a", "http://h/a"), ("http://h/", "/a", "http://h/a"),
            ("http://h/v1/", "a/", "http://h/v1/a/"),
            ("http://h/v1", "", "http://h/v1"), ("http://h", "/", "http://h/"),
        ]
    )
    func joins(base: String, path: String, whole: String) throws {
        #expect(try url(base, path) == whole)
    }

    @Test(
        "A path is escaped once: existing escapes remain, and ? and # are parts of it",
        arguments: [
            ("/강아지", "/%EA%B0%95%EC%95%84%EC%A7%80"), ("/a%2Fb", "/a%2Fb"), ("/a+b", "/a+b"), ("/a b", "/a%20b"),
            ("/50%", "/50%25"), ("/what?", "/what%3F"), ("/c#", "/c%23"), ("/강/a%2Fb", "/%EA%B0%95/a%2Fb"),
            ("/a%2Fb%25%3F%EA%B0%95", "/a%2Fb%25%3F%EA%B0%95"),
        ]
    )
    func escapesPath(path: String, escaped: String) throws {
        #expect(try url("http://h", path) == "http://h" + escaped)
    }

    @Test("R6 A query preserves its order, repeated names, and every character of its values")
    func escapesQuery() throws {
        let query: QueryParameters = [
            "q": "멍 멍", "sum": "1+1=2&3", "n": 2, "x": 1.5, "on": true, "a": ["1", "2"], "slash": "%2F/", "bare": nil,
        ]
        let expected = "q=%EB%A9%8D%20%EB%A9%8D&sum=1%2B1%3D2%263&n=2&x=1.5&on=true&a=1&a=2&slash=%252F%2F&bare"
        #expect(try url("http://h", "/s", query) == "http://h/s?" + expected)
    }

    @Test("Lists are written in three styles")
    func writesLists() {
        var query: QueryParameters = ["t": ["a", "b,c"], "u": [String]()]
        #expect(query.queryText == "t=a&t=b%2Cc")
        query.listStyle = .brackets
        #expect(query.queryText == "t%5B%5D=a&t%5B%5D=b%2Cc")
        query.listStyle = .commas
        #expect(query.queryText == "t=a%2Cb%2Cc&u=")
    }

    @Test("Parameters are appended to the query of the base")
    func keepsBaseQuery() throws {
        #expect(try url("http://h/x?key=1", "", ["a": "b"]) == "http://h/x?key=1&a=b")
    }

    @Test("R5 A value is sent as JSON, with its type")
    func sendsJSON() throws {
        let request = try Anything(httpMethod: .post, data: ["name": "멍멍"]).asRequest()
        guard case .data(let body) = request.body else { throw UnexpectedBody() }
        #expect(String(decoding: body, as: UTF8.self) == #"{"name":"멍멍"}"#)
        #expect(request.headers["content-type"] == "application/json")
    }

    @Test("S3 A form is sent form-url-encoded, and the target's fields override the defaults")
    func sendsForm() throws {
        let target = Anything(
            httpMethod: .post,
            headers: ["idtoken": "t", "content-type": "application/x-www-form-urlencoded; charset=utf-8"],
            sent: .form(["nick": "강 아지", "phoneNumber": "+82 10"])
        )
        let request = try target.asRequest()
        guard case .data(let body) = request.body else { throw UnexpectedBody() }
        #expect(String(decoding: body, as: UTF8.self) == "nick=%EA%B0%95+%EC%95%84%EC%A7%80&phoneNumber=%2B82+10")
        #expect(request.headers["idtoken"] == "t")
        #expect(request.headers.values("Content-Type") == ["application/x-www-form-urlencoded; charset=utf-8"])
    }

    @Test("An invalid URL and an encoding failure are reported with the target's name")
    func refuses() throws {
        let error = #expect(throws: NetworkError.self) { try Anything(base: "http://h\n").asRequest() }
        #expect(error?.description.contains("Anything") == true)
        let encoding = #expect(throws: NetworkError.self) {
            try Anything(httpMethod: .post, data: Double.nan).asRequest()
        }
        guard case .encoding = encoding?.reason else { throw UnexpectedBody() }
    }

    private struct UnexpectedBody: Error {}
}
