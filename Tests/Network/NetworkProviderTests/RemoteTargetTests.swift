import Foundation
import NetworkProvider
import NetworkTestSupport
import NetworkTesting
import Testing

@Suite("Requests of targets")
struct RemoteTargetTests {
    private struct Anything: RemoteTargetType {
        var base = "http://h/v1"
        var path = ""
        var httpMethod = HTTPMethod.get
        var parameters: QueryParameters = [:]
        var headers: HTTPHeaders = [:]
        var sent = RemoteTask.plain
        var task: RemoteTask { sent }
    }

    private func url(_ base: String, _ path: String, _ query: QueryParameters = [:]) throws -> String {
        try Anything(base: base, path: path, parameters: query).asRequest().url.absoluteString
    }

    @Test(
        "Base and path are joined by one slash",
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

    @Test("A query preserves its order, repeated names, and every character of its values")
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

    @Test("Parameters are appended to the query of the base, before its fragment")
    func keepsBaseQuery() throws {
        #expect(try url("http://h/x#part", "", ["a": "b"]) == "http://h/x?a=b#part")
        #expect(try url("http://h/x?key=1", "", ["a": "b"]) == "http://h/x?key=1&a=b")
    }

    @Test("A value is sent as JSON, with its type")
    func sendsJSON() throws {
        let request = try Anything(httpMethod: .post, sent: .json(["name": "멍멍"])).asRequest()
        guard case .data(let body) = request.body else { throw UnexpectedBody() }
        #expect(String(decoding: body, as: UTF8.self) == #"{"name":"멍멍"}"#)
        #expect(request.headers["content-type"] == "application/json")
    }

    @Test("Each property can be declared without naming its type")
    func naturalDeclarations() async throws {
        struct Payment: RemoteTargetType {
            let base = "http://h/", httpMethod = HTTPMethod.post
            let headers: HTTPHeaders = ["Idempotency-Key": "7"], parameters: QueryParameters = ["dry": true]
            let data = ["amount": 5], accept = "text/plain", retry = RetryPolicy.never
            let maximumBodyBytes = 1_000, cachePolicy = HTTPCachePolicy.reload
        }
        struct Draft: RemoteTargetType {
            let base = "http://h/", httpMethod = HTTPMethod.post
            var data: [String: Int]?
        }
        let stub = StubTransport().on(.post, "/", .status(503), .data(Data(count: 1_001)))
        let provider = NetworkProvider(transport: stub, plugins: [RetryPlugin()])
        for status in [503, 200] { #expect(await provider.failure(of: Payment())?.status == status) }
        let request = try #require(stub.requests.last)
        #expect(stub.requests.count == 2 && request.url.query() == "dry=true")
        #expect(
            request.headers == ["Accept": "text/plain", "Content-Type": "application/json", "Idempotency-Key": "7"]
        )
        guard case .data(Data(#"{"amount":5}"#.utf8)) = request.body else { throw UnexpectedBody() }
        guard case .none = try Draft().asRequest().body, case .data = try Draft(data: [:]).asRequest().body else {
            throw UnexpectedBody()
        }
    }

    @Test("A form is sent form-url-encoded, and the target's fields override the defaults")
    func sendsForm() throws {
        let target = Anything(
            httpMethod: .post,
            headers: ["idtoken": "t", "content-type": "application/x-www-form-urlencoded; charset=utf-8"],
            sent: .form(["nick": "강 아지", "phoneNumber": "+82 10"])
        )
        let request = try target.asRequest()
        guard case .data(let body) = request.body else { throw UnexpectedBody() }
        #expect(String(decoding: body, as: UTF8.self) == "nick=%EA%B0%95+%EC%95%84%EC%A7%80&phoneNumber=%2B82+10")
        // A class and its superclass encode into one form.
        #expect(try QueryParameters(encoding: Dog()) == ["name": "bori", "breed": "jindo"])
        #expect(request.headers["idtoken"] == "t")
        #expect(request.headers.values("Content-Type") == ["application/x-www-form-urlencoded; charset=utf-8"])
    }

    @Test("An invalid URL and an encoding failure are reported with the target's name")
    func refuses() throws {
        let error = #expect(throws: NetworkError.self) { try Anything(base: "http://h\n").asRequest() }
        #expect(error?.description.contains("Anything") == true && error?.description.contains("line break") == true)
        let encoding = #expect(throws: NetworkError.self) {
            try Anything(httpMethod: .post, sent: .json(Double.nan)).asRequest()
        }
        guard case .encoding = encoding?.reason else { throw UnexpectedBody() }
    }

    private struct UnexpectedBody: Error {}

    private class Animal: Encodable, @unchecked Sendable { let name = "bori" }

    private final class Dog: Animal, @unchecked Sendable {
        private enum Key: CodingKey { case breed }

        override func encode(to encoder: any Encoder) throws {
            try super.encode(to: encoder)
            var container = encoder.container(keyedBy: Key.self)
            try container.encode("jindo", forKey: .breed)
        }
    }
}
