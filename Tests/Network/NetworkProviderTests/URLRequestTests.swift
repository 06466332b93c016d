import Foundation
import LoopbackServer
import NetworkTestSupport
import NetworkTesting
import TestSupport
import Testing

@testable import NetworkProvider

@Suite("Requests to a URL, forms and text")
struct URLRequestTests {
    private struct Dog: Codable, Equatable {
        var name: String
        var age = 3
    }

    @Test("Each verb sends its method and body, and decodes the response")
    func verbs() async throws {
        let server = try LoopbackServer { request in
            .text("\(request.method) \(request.target) \(String(decoding: request.body, as: UTF8.self))")
        }
        defer { server.stop() }
        let (provider, url) = (NetworkProvider(), server.baseURL + "/dogs?a=1")
        let dog = Dog(name: "Rex")
        #expect(try await provider.get(url, query: ["b": 2], as: String.self) == "GET /dogs?a=1&b=2 ")
        #expect(try await provider.request(.post, url, task: .json(["a"]), as: String.self) == #"POST /dogs?a=1 ["a"]"#)
        #expect(try await provider.request(.put, url, task: .json(["a"]), as: String.self) == #"PUT /dogs?a=1 ["a"]"#)
        #expect(
            try await provider.request(.patch, url, task: .json(["a"]), as: String.self) == #"PATCH /dogs?a=1 ["a"]"#
        )
        #expect(try await provider.request(.delete, url, as: String.self) == "DELETE /dogs?a=1 ")
        let form = try await provider.request(.post, url, task: .encodedForm(dog), as: String.self)
        #expect(form == "POST /dogs?a=1 name=Rex&age=3")
        #expect(try await provider.get(url) == Data("GET /dogs?a=1 ".utf8))
        let inferred: String = try await provider.get(url + "#part", query: ["b": 2])
        #expect(inferred == "GET /dogs?a=1&b=2 ")
        let typed = try #require(URL(string: url))
        #expect(try await provider.get(typed, query: ["b": 2], as: String.self) == "GET /dogs?a=1&b=2 ")
        #expect(try await provider.request(.delete, typed) == Data("DELETE /dogs?a=1 ".utf8))
    }

    @Test("A request to a URL has its own retry policy, and its progress can be observed")
    func retryAndProgress() async throws {
        let server = try LoopbackServer { $0.path == "/fails" ? .text("no", status: 503) : .text("welcome") }
        defer { server.stop() }
        let provider = NetworkProvider(plugins: [RetryPlugin(RetryPolicy(baseDelay: .zero))])
        for (policy, attempts) in [(RetryPolicy.inherited, 3), (.never, 1)] {
            let before = server.requests.count
            await #expect(throws: NetworkError.self) {
                try await provider.get(server.baseURL + "/fails", retry: policy)
            }
            #expect(server.requests.count - before == attempts)
        }
        let monitor = TransferMonitor()
        async let last = monitor.reduce(nil as TransferProgress?) { $1 }
        #expect(try await provider.get(server.baseURL, progress: monitor, as: String.self) == "welcome")
        #expect(await last?.received == .init(bytes: 7, expected: 7))
    }

    private func accept(_ target: some RemoteTargetType) throws -> String? {
        let request = try target.asRequest()
        return request.headers["Accept"]
    }

    @Test("Accept is sent for JSON only; the target's and the group's own fields override it")
    func acceptField() throws {
        #expect(try accept(Call<Dog>(base: "http://h")) == "application/json")
        #expect(try accept(Call<Data>(base: "http://h")) == nil)
        #expect(try accept(Call<String>(base: "http://h")) == nil)
        #expect(try accept(Call<NoContent>(base: "http://h")) == nil)
        #expect(
            try accept(Call<Dog>(base: "http://h", headers: ["accept": "application/vnd.dog"])) == "application/vnd.dog"
        )
        struct Grouped: GroupedTarget {
            typealias Response = [String]
            var group: RemoteGroup
        }
        #expect(try accept(Grouped(group: RemoteGroup("http://h"))) == "application/json")
        #expect(try accept(Grouped(group: RemoteGroup("http://h", headers: ["Accept": "text/x"]))) == "text/x")
    }

    @Test("A group shares its encoder and decoder")
    func coders() async throws {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.keyEncodingStrategy = .convertToSnakeCase
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        struct Name: Codable, Equatable { var firstName: String }
        struct Rename: GroupedTarget {
            typealias Response = Name
            var group: RemoteGroup
            let httpMethod = HTTPMethod.post
            var data: Name { Name(firstName: "Rex") }
        }
        let network = MockTransport()
        network.expect(.post, "/", body: Data(#"{"first_name":"Rex"}"#.utf8), response: .json(#"{"first_name":"Max"}"#))
        let group = RemoteGroup("http://h/", encoder: encoder, decoder: decoder)
        let provider = NetworkProvider(transport: network)
        #expect(try await provider.request(Rename(group: group)) == Name(firstName: "Max"))
        try network.verify()
    }

    @Test("Values of any Encodable type become parameters: nested, listed, nil left out")
    func forms() throws {
        enum Size: String, Codable { case small, large }
        struct Owner: Encodable { var name: String }
        struct Form: Encodable {
            var text = "강 1+1"
            var size = Size.small
            var age: Int? = nil
            var owner = Owner(name: "a&b")
            var tags = ["x", "y"]
            var owners = [Owner(name: "p"), Owner(name: "q")]
            var born = Date(timeIntervalSince1970: 0)
            var isGood = true
            var price = Decimal(1_250) / 100
            var toys = ["f": 1, "e": 2, "d": 3, "c": 4, "b": 5, "a": 6]
        }
        #expect(
            try QueryParameters(encoding: Form()).formText
                == "text=%EA%B0%95+1%2B1&size=small&owner%5Bname%5D=a%26b&tags=x&tags=y"
                + "&owners%5B0%5D%5Bname%5D=p&owners%5B1%5D%5Bname%5D=q&born=1970-01-01T00%3A00%3A00Z&isGood=true&price=12.5"
                + "&toys%5Ba%5D=6&toys%5Bb%5D=5&toys%5Bc%5D=4&toys%5Bd%5D=3&toys%5Be%5D=2&toys%5Bf%5D=1"
        )
        let (size, numbers) = (Size.large, [1, 2])
        let letters: Set = ["a", "b", "c", "d", "e", "f"]
        let query: QueryParameters = [
            "size": size, "numbers": numbers, "url": URL(string: "http://h/"), "none": nil, "price": Decimal(-5),
            "s": letters,
        ]
        #expect(
            query.queryText
                == "size=large&numbers=1&numbers=2&url=http%3A%2F%2Fh%2F&none&price=-5&s=a&s=b&s=c&s=d&s=e&s=f"
        )
        #expect(try QueryParameters(encoding: ["b": 1, "c": 2, "d": 3, "a": 4]).formText == "a=4&b=1&c=2&d=3")
        #expect(throws: FormEncodingFailure.self) { try QueryParameters(encoding: 3) }
    }

    @Test("A parameter that cannot be encoded fails the request and is named")
    func invalidParameter() {
        let query: QueryParameters = ["weight": Decimal.nan, "height": Double.nan]
        let error = #expect(throws: NetworkError.self) {
            try Call<Data>(base: "http://h", parameters: query).asRequest()
        }
        #expect(error?.description.contains("weight") == true && error?.description.contains("height") == false)
        let form = Call<Data>(base: "http://h", httpMethod: .post, task: .form(query))
        #expect(throws: NetworkError.self) { try form.asRequest() }
    }

    @Test("The path segments . and .. throw, since they name other folders", arguments: [".", ".."])
    func dotSegments(_ value: String) throws {
        #expect(throws: NetworkError.self) { try RemotePath.segment(value) }
        #expect(try RemotePath.segment("..a") == "..a" && RemotePath.segment("a/..") == "a%2F..")
        struct Images: RemoteTargetType {
            let base = "http://h", breed: String
            var path: String { get throws(NetworkError) { "/breed/\(try RemotePath.segment(breed))/images" } }
        }
        let error = #expect(throws: NetworkError.self) { try Images(breed: value).asRequest() }
        guard case .invalidRequest = error?.reason else { throw UnexpectedResult() }
    }

    @Test(
        "Text has the character set of its media type",
        arguments: [
            ("text/plain; charset=ISO-8859-1", [0x47, 0x72, 0xfc, 0xdf, 0x65], "Grüße"),
            ("text/plain; charset=\"utf-8\"", [0xea, 0xb0, 0x95], "강"), ("text/plain", [0xea, 0xb0, 0x95], "강"),
            ("text/plain;charset=utf-16le", [0x15, 0xac], "강"),
            ("text/plain;charset=utf-16", [0xfe, 0xff, 0xac, 0x15], "강"),
            ("text/plain; charset=us-ascii", [0x61], "a"),
        ] as [(String, [UInt8], String)]
    )
    func charsets(type: String, bytes: [UInt8], text: String) async throws {
        let stub = StubTransport().on(.get, "/", .data(Data(bytes), headers: ["Content-Type": type]))
        #expect(try await NetworkProvider(transport: stub).request(Call<String>(base: "http://h")) == text)
    }

    @Test(
        "Text that is not valid in its character set is an error, never replaced",
        arguments: ["utf-8", "us-ascii", "big5"]
    )
    func invalidText(_ charset: String) async throws {
        let stub = StubTransport()
            .on(.get, "/", .data(Data([0x47, 0xfc]), headers: ["Content-Type": "text/plain; charset=\(charset)"]))
        let error = await NetworkProvider(transport: stub).failure(of: Call<String>(base: "http://h"))
        guard case .decoding = error?.reason else { throw UnexpectedResult() }
        #expect(try #require(error).description.contains(charset))
    }

    @Test("An empty body in place of JSON is named, with its status")
    func emptyBody() async throws {
        let stub = StubTransport().on(.get, "/", .status(204))
        let provider = NetworkProvider(transport: stub)
        let error = await #expect(throws: NetworkError.self) { try await provider.request(Call<Dog>(base: "http://h")) }
        #expect(try #require(error).description.contains("the body is empty (status 204)"))
        #expect(try await provider.request(Call<NoContent>(base: "http://h")) == NoContent())
    }

    @Test("A media type of a part cannot inject fields, and its quotes are sent as they are")
    func partTypes() throws {
        func form(_ type: String) -> Call<Data> {
            let part = MultipartForm.Part(name: "a", contentType: type, content: .data(Data("x".utf8)))
            return Call<Data>(
                base: "http://h",
                httpMethod: .post,
                task: .multipart(MultipartForm([part], boundary: "b"))
            )
        }
        for type in ["text/plain\r\nX-Evil: 1", "text/plain\nX: 1", "text/plain\r", "text/\u{0}"] {
            let error = #expect(throws: NetworkError.self) { try form(type).asRequest() }
            guard case .encoding(let reason) = error?.reason, reason is MultipartError else { throw UnexpectedResult() }
        }
        func separated(_ boundary: String) throws -> String? {
            try Call<Data>(base: "http://h", task: .multipart(MultipartForm(boundary: boundary))).asRequest()
                .headers[.contentType]
        }
        for boundary in ["b\r\nX: 1", "", "a;b", "a\"b", "a ", "강", String(repeating: "b", count: 71)] {
            #expect(throws: NetworkError.self) { try separated(boundary) }
        }
        for (boundary, value) in [("a+'b", "a+'b"), ("a b:?", "\"a b:?\""), ("a=b", "\"a=b\"")] {
            #expect(try separated(boundary) == "multipart/form-data; boundary=\(value)")
        }
        #expect(throws: Never.self) { try form("text/plain").asRequest() }
    }

    @Test("A quoted parameter of a part's media type arrives unchanged")
    func quotedParameter() async throws {
        let server = try LoopbackServer { .text(String(decoding: $0.body, as: UTF8.self)) }
        defer { server.stop() }
        let type = #"text/plain; charset="utf-8""#
        let part = MultipartForm.Part(name: "a", contentType: type, content: .data(Data("x".utf8)))
        let call = Call<String>(
            base: server.baseURL,
            httpMethod: .post,
            task: .multipart(MultipartForm([part], boundary: "b"))
        )
        #expect(try await NetworkProvider().request(call).contains("\r\nContent-Type: \(type)\r\n"))
    }

    @Test("A server cannot claim a response of the provider's cache")
    func forgedStatus() async throws {
        let server = try LoopbackServer { _ in
            ServedResponse(
                headers: [("Cache-Status", "Edge; hit, PawKit; hit; ttl=9"), ("Age", "1")],
                body: .data(Data("x".utf8))
            )
        }
        defer { server.stop() }
        let log = EventLog()
        let provider = NetworkProvider(plugins: [MetricsPlugin { log.add($0.description) }])
        let response = try await provider.response(Call<Data>(base: server.baseURL))
        #expect(response.cacheStatus == nil && response.head.headers["Cache-Status"] == "Edge; hit")
        try await eventually { !log.lines.isEmpty }
        #expect(log.lines.allSatisfy { !$0.contains("cache") })
    }
}
