import Foundation
import LoopbackServer
import NetworkProvider
import NetworkTestSupport
import NetworkTesting
import TestSupport
import Testing
import Threading

extension RemoteGroup {
    static let dogs = RemoteGroup(
        "https://dog.ceo/api",
        headers: ["X-Client": "paws"],
        timeout: HTTPTimeouts(connect: .seconds(5), idle: .seconds(20), total: .seconds(60))
    )
}

struct Photos: GroupedTarget {
    typealias Response = [String]
    let group = RemoteGroup.dogs
    let breed: String, tags: [String]
    var path: String { get throws(NetworkError) { "/breed/\(try RemotePath.segment(breed))/images" } }
    var parameters: QueryParameters { ["tag": tags, "size": "1+1"] }
}

struct Rating: RemoteTargetType {
    let base = "https://dog.ceo/api", path = "/ratings", httpMethod = HTTPMethod.post
    let headers: HTTPHeaders = ["X-Client": "paws"]
    let timeout = HTTPTimeouts(total: .seconds(5))
    let retry: RetryPolicy = .never
}

struct Catalogue: GroupedTarget {
    let group = RemoteGroup.dogs, path = "/catalogue.json"
    let limits = HTTPLimits(bodyBytes: 1 << 30, decompressedBytes: 8 << 30)
}

struct SendPhoto: GroupedTarget {
    struct Response: Decodable { let id: Int }
    let group = RemoteGroup.dogs
    let path = "/photos", httpMethod = HTTPMethod.post
    let file: String
    var task: RemoteTask {
        var form = MultipartForm()
        form.append("title", "멍멍")
        form.append("photo", file: file, contentType: "image/jpeg")
        return .multipart(form)
    }
}

/// The examples of the articles, word for word, run without a network or against a loopback server.
@Suite("Documentation of NetworkProvider")
struct DocumentationTests {
    struct Breeds: RemoteTargetType {
        typealias Response = [String]
        let base = "https://dog.ceo/api", path = "/breeds"
    }

    /// A screen that records what it shows.
    private final class Screen: Sendable {
        private let seen = Locked<[String]>([])
        var texts: [String] { seen.withLock { $0 } }
        func write(_ text: String) { seen.withLock { $0.append(text) } }
        func show(_ text: String) { write(text) }
        func show(_ fraction: Double) { write("\(fraction)") }
        func take(_ piece: Data) { write("\(piece.count)") }
    }

    @Test("Every example of the documentation is compiled by a test")
    func examplesAreCompiled() throws {
        #expect(try DocumentedExamples(of: "NetworkProvider", count: 27).missing == [])
    }

    // MARK: - The landing page

    @Test("The examples of the landing page are sent and logged")
    func landingPage() async throws {
        struct Breeds: RemoteTargetType {
            typealias Response = [String: [String]]
            let base = "https://dog.ceo", path = "/api/breeds/list/all"
        }
        let log = Screen()
        let plugins: [any NetworkPlugin]
        do {
            let provider = NetworkProvider(plugins: [LoggingPlugin { line in log.write(line) }])
            plugins = provider.plugins
        }
        let stub = StubTransport().on(.get, "/api/breeds/list/all", .json(#"{"corgi":["cardigan"]}"#))
            .on(.get, "/api/breeds", .json(#"["corgi"]"#))
        do {
            let provider = NetworkProvider(transport: stub)
            let names = try await provider.get("https://dog.ceo/api/breeds", as: [String].self)
            #expect(names == ["corgi"] && stub.requests.first?.headers["Accept"] == "application/json")
        }
        do {
            let provider = NetworkProvider(transport: stub, plugins: plugins)
            let breeds = try await provider.request(Breeds())
            #expect(breeds == ["corgi": ["cardigan"]])
        }
        #expect(log.texts.first?.hasPrefix("#1 -> GET https://dog.ceo/api/breeds/list/all Breeds") == true)

        let (sessions, tokens) = (
            NetworkProvider(transport: Gate()), Tokens(access: "old", refresh: "good", expires: nil)
        )
        let authentication = AuthenticationPlugin(.bearer(tokens.access), for: .only(["https://dog.ceo"])) { _ in
            .bearer(try await sessions.request(RefreshToken(tokens.refresh)).access)
        }
        let provider = NetworkProvider(plugins: [RetryPlugin(), authentication])
        #expect(provider.plugins.count == 2 && provider.redaction.headers.contains("authorization"))
    }

    // MARK: - Your first target

    @Test("Your first target: sending, groups and progress")
    func firstTarget() async throws {
        do {
            let provider = NetworkProvider()
            #expect(provider.plugins.isEmpty)
        }
        let folder = try TemporaryDirectory()
        let path = try folder.write("a photo", to: "corgi.jpg").path
        let network = MockTransport()
        network.expect(.get, "/api/breeds", response: .json(#"["corgi"]"#))
        network.expect(
            .get,
            "/api/breed/corgi/cardigan/images",
            query: ["tag": ["a", "b"], "size": "1+1"],
            headers: ["Accept": "application/json", "X-Client": "paws"],
            response: .json("[]")
        ) { $0.timeouts.total == .seconds(60) && $0.url.path().contains("corgi%2Fcardigan") }
        network.expect(.get, "/api/catalogue.json", response: .json("[]")) { $0.limits.decompressedBytes == 8 << 30 }
        network.expect(.post, "/api/ratings", headers: ["X-Client": "paws"]) { $0.timeouts.total == .seconds(5) }
        network.expect(.post, "/api/photos", response: .json(#"{"id":7}"#))
        let provider = NetworkProvider(transport: network)
        let breeds = try await provider.request(Breeds())
        #expect(breeds == ["corgi"])
        #expect(try await provider.request(Photos(breed: "corgi/cardigan", tags: ["a", "b"])) == [])
        #expect(try await provider.request(Catalogue()) == Data("[]".utf8))
        #expect(try await provider.request(Rating()).isEmpty)

        let bar = Screen()
        let monitor = TransferMonitor()
        async let sent = provider.response(SendPhoto(file: path), progress: monitor)
        for await progress in monitor { bar.show(progress.fraction ?? 0) }
        let id = try await sent.value.id
        #expect(id == 7 && bar.texts.last == "1.0")
        try network.verify()
    }

    @Test("Your first target: each failure has its case", arguments: ["404", "offline", "500"])
    func failures(_ kind: String) async throws {
        let screen = Screen()
        func show(_ text: String) { screen.write(text) }
        let sample: StubbedResponse =
            switch kind {
            case "404": .status(404)
            case "offline": .failure(.cannotConnect)
            default: .data(Data("down".utf8), status: 500)
            }
        let provider = NetworkProvider(transport: StubTransport().on(.get, "/api/breeds", sample))
        do throws(NetworkError) {
            _ = try await provider.request(Breeds())
        } catch {
            switch error.reason {
            case .unacceptableStatus(404): show("there are no breeds")
            case .cancelled: break
            default: show(error.isOffline ? "no network; try again later" : "\(error)")
            }
        }
        switch kind {
        case "404": #expect(screen.texts == ["there are no breeds"])
        case "offline": #expect(screen.texts == ["no network; try again later"])
        default:
            #expect(screen.texts.first?.contains("status 500 [GET https://dog.ceo/api/breeds] response: down") == true)
        }
    }

    @Test("Your first target: the order of the plugins")
    func plugins() {
        let log = Screen()
        let provider = NetworkProvider(
            plugins: [RetryPlugin(), CircuitBreakerPlugin(), LoggingPlugin { line in log.write(line) }]
        )
        #expect(provider.plugins.count == 3 && provider.plugins.first is RetryPlugin)
    }

    // MARK: - Refresh tokens

    private struct Tokens: Decodable { let access: String, refresh: String, expires: Date? }

    private struct RefreshToken: RemoteTargetType {
        typealias Response = Tokens
        let base = "https://dog.ceo", path = "/token", httpMethod = HTTPMethod.post
        let token: String
        init(_ token: String) { self.token = token }
        var task: RemoteTask { .form(["refresh_token": token]) }
    }

    private struct Profile: RemoteTargetType {
        typealias Response = String
        let base = "https://dog.ceo", path = "/me"
    }

    /// Accepts the token "new", and returns it for the refresh token "good".
    private struct Gate: HTTPTransport {
        let refreshes = Locked(0)

        func send(_ request: HTTPRequest, events: HTTPEventHandler?) async throws(HTTPTransportError) -> HTTPResponse {
            func answer(_ status: Int, _ text: String) -> HTTPResponse {
                HTTPResponse(
                    head: HTTPResponseHead(status: status, url: request.url),
                    body: HTTPResponseBody(Data(text.utf8))
                )
            }
            if request.url.path() == "/token" {
                if case .data(Data("refresh_token=offline".utf8)) = request.body {
                    throw HTTPTransportError(.cannotConnect)
                }
                guard case .data(Data("refresh_token=good".utf8)) = request.body else { return answer(400, "no") }
                refreshes.withLock { $0 += 1 }
                return answer(200, #"{"access":"new","refresh":"good"}"#)
            }
            let isGood = request.headers["Authorization"] == "Bearer new"
            return isGood ? answer(200, "welcome") : answer(401, "who?")
        }
    }

    @Test(
        "Refresh tokens: one refresh or one error for all requests, and signing in; without a network nobody is asked",
        arguments: ["good", "bad", "offline"]
    )
    func refresh(_ token: String) async throws {
        let transport = Gate()
        let sessions = NetworkProvider(transport: transport)
        let tokens = Tokens(access: "old", refresh: token, expires: nil)
        let authentication = AuthenticationPlugin(.bearer(tokens.access), for: .only(["https://dog.ceo"])) { _ in
            .bearer(try await sessions.request(RefreshToken(tokens.refresh)).access)
        }
        let provider = NetworkProvider(transport: transport, plugins: [RetryPlugin(), authentication])
        let asked = Screen()
        @Sendable func askToSignIn() { asked.write("sign in") }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    do throws(NetworkError) {
                        _ = try await provider.request(Profile())
                    } catch {
                        if case .plugin(AuthenticationError.refreshFailed) = error.reason, !error.isOffline {
                            askToSignIn()
                        }
                    }
                }
            }
        }
        if token == "good" {
            #expect(asked.texts.isEmpty && transport.refreshes.withLock { $0 } == 1)
        } else {
            #expect(asked.texts.count == (token == "bad" ? 20 : 0) && transport.refreshes.withLock { $0 } == 0)
        }
        let fresh = Tokens(access: "new", refresh: "good", expires: nil)
        authentication.setCredential(.bearer(fresh.access))
        #expect(try await provider.request(Profile()) == "welcome")
    }

    @Test("Refresh tokens: other credentials are sent to their audience only")
    func otherCredentials() async throws {
        let (password, secret, tokens) = ("pass", "k", Tokens(access: "a", refresh: "", expires: nil))
        let basic = AuthenticationPlugin(.basic(user: "dog", password: password), for: .only(["https://dog.ceo"]))
        let key = AuthenticationPlugin(.apiKey(secret, header: "X-Dog-Key"), for: .only(["https://dog.ceo"]))
        let queryKey = AuthenticationPlugin(.queryKey(secret, parameter: "dog_key"), for: .only(["https://dog.ceo"]))
        let later = AuthenticationPlugin(nil, for: .only(["https://dog.ceo"]), names: ["X-Dog-Key"])
        later.setCredential(.apiKey(secret, header: "X-Dog-Key"))
        let sessions = NetworkProvider(transport: Gate())
        let session = AuthenticationPlugin(.bearer(tokens.access, expires: tokens.expires), for: .everyServer) { _ in
            let fresh = try await sessions.request(RefreshToken(tokens.refresh))
            return .bearer(fresh.access, expires: fresh.expires)
        }
        let writing = AuthenticationPlugin(
            .bearer(tokens.access),
            for: .only(["https://dog.ceo"]),
            applies: { !$0.method.isSafe }
        )
        let stub = StubTransport().on(.post, "/", .status(200)).on(.get, "/", .status(200))
        func send(_ plugin: AuthenticationPlugin, _ base: String, _ method: HTTPMethod = .post) async throws
            -> HTTPRequest
        {
            let provider = NetworkProvider(transport: stub, plugins: [plugin])
            _ = try await provider.request(Call<Data>(base: base, httpMethod: method))
            return try #require(stub.requests.last)
        }
        for plugin in [basic, key, queryKey, later, writing] {
            let elsewhere = try await send(plugin, "https://cat.ceo")
            #expect(elsewhere.headers.isEmpty && elsewhere.url.query() == nil)
        }
        let ours = "https://dog.ceo"
        #expect(try await send(session, ours).headers["Authorization"] == "Bearer a")
        #expect(try await send(basic, ours).headers["Authorization"] == "Basic ZG9nOnBhc3M=")
        #expect(try await send(key, ours).headers["X-Dog-Key"] == "k")
        #expect(try await send(queryKey, ours).url.query() == "dog_key=k")
        #expect(try await send(later, ours).headers["X-Dog-Key"] == "k")
        #expect(try await send(writing, ours).headers["Authorization"] == "Bearer a")
        #expect(try await send(writing, ours, .get).headers.isEmpty)
    }

    // MARK: - Stream and resume

    private struct Film: RemoteTargetType {
        let base: String
        var path: String { "/film" }
    }

    private struct Journal: RemoteTargetType {
        let base: String
        var path: String { "/journal" }
    }

    private struct Barks: RemoteTargetType {
        let base: String
        var path: String { "/barks" }
    }

    /// The responses of the article's server. Compiled as a closure of the test, it would take seconds.
    private static func respond(to request: ServedRequest, _ connections: Locked<Int>) -> ServedResponse {
        let half = 1 << 19
        switch request.path {
        case "/journal": return .text("one\r\ntwo\n\nthree")
        case "/barks":
            let number = connections.increment()
            guard number < 3 else { return ServedResponse(status: 204) }
            return .text("retry: 1\nid: \(number)\ndata: wau\n\n", contentType: "text/event-stream")
        default:
            guard let range = request.header("Range") else {
                let isPart = request.header("Accept-Encoding") == "identity"
                return ServedResponse(
                    headers: [("ETag", "\"1\"")],
                    body: .repeated(7, count: 2 * half),
                    fault: isPart ? .truncated(after: half) : nil
                )
            }
            #expect(range == "bytes=524288-")
            #expect(request.header("If-Range") == "\"1\"")
            return ServedResponse(
                status: 206,
                headers: [("ETag", "\"1\""), ("Content-Range", "bytes 524288-1048575/1048576")],
                body: .repeated(7, count: half)
            )
        }
    }

    @Test("Stream and resume: pieces, lines, events, downloads and resumed downloads")
    func streamAndResume() async throws {
        let connections = Locked(0)
        let whole = Data(repeating: 7, count: 1 << 20)
        let server = try LoopbackServer { request in Self.respond(to: request, connections) }
        defer { server.stop() }
        let (provider, base) = (NetworkProvider(), server.baseURL)
        let (player, bar) = (Screen(), Screen())
        var (lines, barks): ([String], [String]) = ([], [])

        let response = try await provider.stream(Film(base: base))
        do {
            for try await piece in response.body { player.take(piece) }
        } catch {
            if error.code != .cancelled { player.show("\(error)") }
        }
        let received: Int = player.texts.reduce(0) { sum, text in sum + (Int(text) ?? 0) }
        #expect(received == whole.count)

        for try await line in try await provider.stream(Journal(base: base)).body.lines() { lines.append(line) }
        #expect(lines == ["one", "two", "", "three"])

        for try await event in provider.events(Barks(base: base)) { barks.append("\(event.id): \(event.data)") }
        #expect(barks == ["1: wau", "2: wau"])
        #expect(server.requests.last?.header("Last-Event-ID") == "2")

        let folder = try TemporaryDirectory()
        do {
            let path = folder.file("film").path
            try await provider.download(Film(base: base), to: path)
            #expect(try Data(contentsOf: URL(filePath: path)) == whole)
        }
        let path = folder.file("resumed").path
        let monitor = TransferMonitor()
        async let head = provider.resumeDownload(Film(base: base), to: path, progress: monitor)
        for await progress in monitor { bar.show(progress.fraction ?? 0) }
        let status = try await head.status
        #expect(status == 200 && bar.texts.last == "1.0")
        #expect(try Data(contentsOf: URL(filePath: path)) == whole)
    }
}
