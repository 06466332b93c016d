import Foundation
import LoopbackServer
import NetworkProvider
import NetworkTestSupport
import NetworkTesting
import Testing

@Suite("Redirects")
struct RedirectTests {
    private static func redirect(_ status: Int, _ location: String) -> ServedResponse {
        ServedResponse(status: status, headers: [("Location", location)])
    }

    @Test(
        "Method and body after each kind of redirect",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
            (303, "HEAD", "HEAD"), (307, "POST", "POST"), (308, "PUT", "PUT"), (301, "PUT", "PUT"),
            (302, "GET", "GET"),
        ]
    )
    func followsByKind(status: Int, method: String, then: String) async throws {
        let server = try LoopbackServer {
            $0.path == "/from" ? Self.redirect(status, "to?a=1") : .text("")
        }
        defer { server.stop() }
        let body = RemoteTask.raw(Data("abc".utf8), contentType: "text/plain")
        let hasBody = !["GET", "HEAD"].contains(method)
        let target = Call<String>(
            base: server.baseURL,
            path: "/from",
            httpMethod: HTTPMethod(rawValue: method),
            headers: hasBody ? ["Content-Language": "ko"] : [:],
            task: hasBody ? body : .plain
        )
        let isUnchanged = then == method && hasBody
        _ = try await NetworkProvider().request(target)
        let next = server.requests[1]
        #expect("\(next.method) \(next.target) \(next.body.count)" == "\(then) /to?a=1 \(isUnchanged ? 3 : 0)")
        #expect(next.header("Content-Type") == (isUnchanged ? "text/plain" : nil))
        #expect(next.header("Content-Language") == (isUnchanged ? "ko" : nil))
        #expect(server.connections.count == 1)
    }

    @Test("Credentials and Host are not sent to another origin")
    func keepsCredentials() async throws {
        let other = try LoopbackServer { _ in .text("other") }
        defer { other.stop() }
        let target = other.baseURL
        let server = try LoopbackServer { request in
            switch request.path {
            case "/same": Self.redirect(302, "/end")
            case "/other": Self.redirect(307, target + "/end")
            default: .text("end")
            }
        }
        defer { server.stop() }
        let secrets: HTTPHeaders = [
            "Authorization": "Bearer s", "Cookie": "a=1", "X-API-Key": "k", "X-Plain": "p",
            "Host": "dogs.example",
        ]
        let provider = NetworkProvider()
        _ = try await provider.request(Call<Data>(base: server.baseURL, path: "/same", headers: secrets))
        #expect(server.requests[1].header("Authorization") == "Bearer s")
        #expect(server.requests[1].header("Host") == "dogs.example")
        _ = try await provider.request(Call<Data>(base: server.baseURL, path: "/other", headers: secrets))
        let crossed = try #require(other.requests.first)
        #expect(crossed.header("X-Plain") == "p")
        #expect(crossed.header("Host") == String(target.dropFirst("http://".count)))
        for name in ["Authorization", "Cookie", "X-API-Key"] { #expect(crossed.header(name) == nil) }
    }

    @Test("A redirect loop ends at the limit, and a limit of 0 returns the redirect")
    func limits() async throws {
        let server = try LoopbackServer { _ in
            var response = Self.redirect(302, "/again")
            response.body = .repeated(65, count: 1_000)
            return response
        }
        defer { server.stop() }
        let policy = RedirectPolicy(limit: 4)
        let error = await NetworkProvider(redirects: policy).failure(of: Call<Data>(base: server.baseURL))
        guard case .tooManyRedirects(4) = error?.reason else { throw UnexpectedResult() }
        // The body of each redirect is read, so that its connection is used again.
        #expect(server.requests.count == 5 && server.connections.count == 1)
        let raw = try await NetworkProvider(redirects: .none).response(
            Call<Data>(base: server.baseURL, validation: .any)
        )
        #expect(raw.status == 302)
    }

    @Test(
        "A location that is not an http or https URL is refused",
        arguments: ["file:///etc/passwd", "ftp://h/", "http://u:p@h/"]
    )
    func refuses(location: String) async throws {
        let server = try LoopbackServer { _ in Self.redirect(302, location) }
        defer { server.stop() }
        let error = await NetworkProvider().failure(of: Call<Data>(base: server.baseURL))
        guard case .refusedRedirect = error?.reason else { throw UnexpectedResult() }
    }

    @Test("From https to http is refused unless it is allowed, and a Korean location is followed")
    func downgrades() async throws {
        let stub = StubTransport()
            .on(.get, "/", .status(302, headers: ["Location": "http://h/강아지"]))
            .on(.get, "/강아지", .status(302, headers: ["Location": "//강/a b%2F"]))
            .on(.get, "/a b/", .status(302, headers: ["Location": "/강 |%2F"]))
            .on(.get, "/강 |/", .data(Data("멍".utf8)))
        let error = await NetworkProvider(transport: stub).failure(of: Call<String>(base: "https://h"))
        guard case .refusedRedirect = error?.reason else { throw UnexpectedResult() }
        let lenient = NetworkProvider(transport: stub, redirects: RedirectPolicy(allowsDowngrade: true))
        #expect(try await lenient.request(Call<String>(base: "https://h")) == "멍")
        #expect(stub.requests.last?.url.absoluteString == "http://xn--939a/%EA%B0%95%20%7C%2F")
    }

    @Test("The total time limit is for a request with all its redirects: each has what the ones before it left")
    func sharesTotalTime() async throws {
        let stub = StubTransport()
            .on(.get, "/", .status(302, headers: ["Location": "/next"]))
            .on(.get, "/next", .status(302, headers: ["Location": "/end"]))
            .on(.get, "/end", .data(Data("end".utf8)))
        let call = Call<String>(base: "http://h", timeout: HTTPTimeouts(total: .seconds(60)))
        #expect(try await NetworkProvider(transport: stub).request(call) == "end")
        let limits = try stub.requests.map { try #require($0.timeouts.total) }
        #expect(limits.count == 3)
        #expect(limits[0] > limits[1] && limits[1] > limits[2] && limits[2] > .zero)
    }
}
