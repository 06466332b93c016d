import Foundation
import NetworkProvider
import NetworkTestSupport
import NetworkTesting
import TestSupport
import Testing
import Threading
import TransportConformance

@Suite("Mocks")
struct MockTransportTests {
    @Test("Expected requests in their order receive their responses")
    func strict() async throws {
        let network = MockTransport()
        network.expect(.get, "/강아지/a b", query: ["b": "2", "a": ["1", "3"]], response: .json("[1]"))
        network.expect(.get, "/")
        network.expect(.post, "/", times: 2, headers: ["X-App": "dog"], body: Data(#"{"b":[1,2],"a":null}"#.utf8))
        let provider = NetworkProvider(transport: network)
        let first = Call<[Int]>(base: "http://h", path: "/강아지/a b", parameters: ["a": ["1", "3"], "b": "2"])
        #expect(try await provider.request(first) == [1])
        // The root of a server has the path "/", also in a URL without one.
        _ = try await network.send(HTTPRequest(.get, "http://h"), events: nil)
        for json in [#"{"a":null,"b":[1,2]}"#, #"{ "b" : [1, 2], "a" : null }"#] {
            let task = RemoteTask.raw(Data(json.utf8), contentType: "application/json")
            _ = try await provider.request(
                Call<Data>(base: "http://h", httpMethod: .post, headers: ["x-app": "dog"], task: task)
            )
        }
        try network.verify()
        #expect(network.requests.count == 4 && network.issues.isEmpty)
    }

    @Test("A request out of order fails at once, and the verification fails even if the error was ignored")
    func outOfOrder() async throws {
        let reported = Locked<[TrafficIssue]>([])
        let network = MockTransport { issue in reported.withLock { $0.append(issue) } }
        network.expect(.get, "/a"); let line = #line
        network.expect(.get, "/b")
        let provider = NetworkProvider(transport: network)
        let error = await provider.failure(of: Call<Data>(base: "http://h", path: "/b"))
        #expect(error?.description.contains("closest is GET /a: path is /b, expected /a") == true)
        #expect(reported.withLock { $0.map(\.kind) } == [.unexpected])
        _ = try await provider.request(Call<Data>(base: "http://h", path: "/a"))
        let issues = try #require(throws: TrafficIssues.self) { try network.verify() }
        #expect(issues.issues.map(\.kind) == [.unexpected, .unmet])
        #expect(issues.issues[0].location?.line == line)
        #expect(issues.issues[0].location?.fileID == "NetworkTestingTests/MockTransportTests.swift")
        #expect(issues.description.contains("GET /b was expected but was not sent (NetworkTestingTests/"))
        #expect(reported.withLock { $0.map(\.kind) } == [.unexpected, .unmet])
    }

    @Test("In any order each expectation is met once, and a further request is reported")
    func anyOrder() async throws {
        let network = MockTransport(order: .any)
        network.expect(.get, "/a", response: .json("1"))
        network.expect(.get, "/b", times: 0, response: .json("2"))
        network.expect(.get, "/a", times: 3, response: .json("3")) { $0.url.query() != nil }
        let provider = NetworkProvider(transport: network)
        func send(_ path: String, _ query: QueryParameters = [:]) async throws -> Int {
            try await provider.request(Call<Int>(base: "http://h", path: path, parameters: query))
        }
        #expect(try await send("/b") == 2)
        #expect(try await send("/a") == 1)
        #expect(try await send("/a", ["x": "y"]) == 3)
        let error = await #expect(throws: NetworkError.self) { try await send("/a") }
        #expect(error?.description.contains("what the predicate accepts") == true)
        let issues = try #require(throws: TrafficIssues.self) { try network.verify() }
        #expect(issues.issues.last?.message == "GET /a was expected but was not sent: 1 of 3 times")
        let nothing = MockTransport()
        await #expect(throws: NetworkError.self) {
            try await NetworkProvider(transport: nothing).request(Call<Data>(base: "http://h"))
        }
        #expect(
            nothing.issues.first?.message
                == "GET http://h/ was sent when no further request was expected, and it has no sample"
        )
    }

    @Test("A predicate may use the transport")
    func predicate() async throws {
        let network = MockTransport()
        network.expect(.get, "/") { [weak network] _ in network?.requests.count == 1 && network?.issues.isEmpty == true
        }
        _ = try await NetworkProvider(transport: network).request(Call<Data>(base: "http://h"))
        try network.verify()
    }

    @Test(
        "Each difference is named",
        arguments: [
            ("POST", "/dogs?page=1", "text/plain", #"{"dog":{"name":"a"}}"#, "method is POST, expected PUT"),
            ("PUT", "/dogs?page=2", "text/plain", #"{"dog":{"name":"a"}}"#, #"query page is "2", expected "1""#),
            ("PUT", "/dogs", "text/plain", #"{"dog":{"name":"a"}}"#, #"query page is missing, expected "1""#),
            ("PUT", "/dogs?page=1", "text/html", #"{"dog":{"name":"a"}}"#, #"header accept is "text/html", expected"#),
            ("PUT", "/dogs?page=1", "text/plain", #"{"dog":{"name":"b"}}"#, #"body dog.name is "b", expected "a""#),
            ("PUT", "/dogs?page=1", "text/plain", #"{"dog":{"name":"a","n":1}}"#, "body dog.n is 1, expected none"),
            ("PUT", "/dogs?page=1", "text/plain", "멍", #"body is "멍", expected"#),
        ]
    )
    func differences(method: String, target: String, accept: String, body: String, told: String) async throws {
        let network = MockTransport()
        network.expect(
            .put,
            "/dogs",
            query: ["page": "1"],
            headers: ["Accept": "text/plain"],
            body: Data(#"{"dog":{"name":"a"}}"#.utf8)
        )
        let error = await #expect(throws: HTTPTransportError.self) {
            try await network.send(
                HTTPRequest(
                    HTTPMethod(rawValue: method),
                    "http://h" + target,
                    headers: ["Accept": accept],
                    body: .data(Data(body.utf8))
                )
            )
        }
        #expect(error?.code == .unexpectedRequest)
        #expect(error?.detail.contains(told) == true, "\(error?.detail ?? "")")
    }

    @Test("Streams are compared by their bytes; responses may fail and have delays; no secret is reported")
    func bodies() async throws {
        let clock = InstantClock()
        let network = MockTransport(clock: clock)
        network.expect(.put, "/", body: Data("멍멍".utf8), response: .failure(.connectionLost, delay: .seconds(9)))
        network.expect(.get, "/", query: ["token": "one"], headers: ["Authorization": "Bearer one"])
        let stream = HTTPBodyStream("멍멍".utf8.map { Data([$0]) })
        let provider = NetworkProvider(transport: network)
        let error = await provider.failure(
            of: Call<Data>(base: "http://h", httpMethod: .put, task: .uploadStream(stream))
        )
        #expect(error?.transportCode == .connectionLost && clock.sleeps == [.seconds(9)])
        let secret = await provider.failure(
            of: Call<Data>(base: "http://h", parameters: ["token": "s3cret"], headers: ["Authorization": "s3cret"])
        )
        let text = "\(try #require(secret))\(network.issues)"
        #expect(text.contains("header authorization differs; ") || text.contains("query token differs"))
        #expect(!text.contains("s3cret") && !text.contains("Bearer one"))
        let nested = MockTransport()
        nested.expect(.post, "/", body: Data(#"{"credentials":{"login":["w4nted"]},"page":1}"#.utf8))
        let json = RemoteTask.raw(
            Data(#"{"credentials":{"login":["s3cret"]},"page":2}"#.utf8),
            contentType: "application/json"
        )
        let other = await NetworkProvider(transport: nested).failure(
            of: Call<Data>(base: "http://h", httpMethod: .post, task: json)
        )
        let shown = "\(try #require(other))\(nested.issues)"
        #expect(shown.contains("body page is 2, expected 1") && shown.contains("body credentials.login[0] differs"))
        #expect(!shown.contains("s3cret") && !shown.contains("w4nted"))
    }

    @Test("A transport that is released without a verification reports unmet expectations; a verified one reports once")
    func letGo() async throws {
        let reported = Locked<[String]>([])
        do {
            let network = MockTransport { issue in reported.withLock { $0.append(issue.message) } }
            network.expect(.get, "/never")
        }
        #expect(reported.withLock { $0 } == ["GET /never was expected but was not sent"])
        do {
            let network = MockTransport { issue in reported.withLock { $0.append(issue.message) } }
            network.expect(.get, "/never")
            #expect(throws: TrafficIssues.self) { try network.verify() }
            #expect(throws: TrafficIssues.self) { try network.verify() }
        }
        #expect(reported.withLock { $0.count } == 2)
    }
}
