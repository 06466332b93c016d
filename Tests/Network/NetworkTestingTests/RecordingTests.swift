import Foundation
import LoopbackServer
import NetworkTestSupport
import TestSupport
import Testing
import TransportConformance

@testable import NetworkProvider
@testable import NetworkTesting

@Suite("Recording and replaying")
struct RecordingTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    private var path: String { folder.file("traffic.json").path }

    private func stream(_ text: String, length: Int64? = nil) -> HTTPBodyStream {
        HTTPBodyStream([Data(text.utf8)], length: length)
    }

    /// Requests of every kind, the same for a server and for its recording.
    private func exercise(_ provider: NetworkProvider, _ base: String) async throws -> [String] {
        let file = try folder.write("from a file", to: "body.txt").path
        var form = MultipartForm()
        form.append("name", "멍멍")
        form.append("password", "s3cret")
        form.parts.append(.init(name: "s", content: .stream(stream("streamed"))))
        let tasks: [RemoteTask] = [
            .plain, .json(["b": 1, "a": 2, "c": 3, "d": 4, "e": 5]), .form(["a": "1 2", "password": "s3cret"]),
            .multipart(form), .uploadFile(path: file), .uploadStream(stream("stream", length: 6)),
            .raw(Data([0, 255, 10, 128])),
        ]
        var answers: [String] = []
        for task in tasks {
            let method = if case .plain = task { HTTPMethod.get } else { HTTPMethod.post }
            let target = Call<Data>(
                base: base,
                path: "/강아지",
                httpMethod: method,
                parameters: ["q": "1+1", "token": "s3cret"],
                headers: ["Authorization": "Bearer s3cret", "Cookie": "s3cret"],
                task: task
            )
            answers.append(try await provider.request(target).base64EncodedString())
        }
        for path in ["/counted", "/counted", "/gone", "/deleted", "/picture", "/lines"] {
            let target = Call<Data>(base: base, path: path, validation: .any)
            answers.append(try await provider.request(target).base64EncodedString())
        }
        let error = await provider.failure(of: Call<Data>(base: base, path: "/lost"))
        answers.append("\(try #require(error?.transportCode))")
        return answers
    }

    private func server() throws -> LoopbackServer {
        let counter = EventLog()
        return try LoopbackServer { request in
            switch request.path {
            case "/counted":
                counter.add("")
                return .text("\(counter.lines.count)")
            case "/gone": return .text("gone\u{1b}", status: 410)
            case "/picture": return .data(Data((0...255).map { UInt8($0) }), contentType: "image/png")
            case "/deleted": return .text("a\u{7f}")
            case "/lines": return .text("a\r\nb\t\n\n강\n")
            case "/lost": return .failing(.closed)
            default: return .json(#"{"bytes":\#(request.body.count > 200 ? 1 : request.body.count),"ok":true}"#)
            }
        }
    }

    @Test("A recording is replayed byte for byte, from a readable file without secrets")
    func roundTrip() async throws {
        let server = try server()
        let base = server.baseURL
        let recorder = RecordingTransport()
        let plugin = AuthenticationPlugin(.apiKey("s3cret", header: "X-Mine"), for: .everyServer)
        let real = try await exercise(NetworkProvider(transport: recorder, plugins: [plugin]), base)
        server.stop()
        try recorder.recording.write(to: path)

        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!text.contains("s3cret"))
        #expect(text.contains(#""a=1+2&password=<redacted>""#) && text.contains(#""from a file""#))
        #expect(text.contains(#""base64" : "AP8KgA==""#) && text.contains("X-Mine: <redacted>"))
        #expect(text.contains(#""base64" : "YX8=""#) && text.contains(#""b\t""#))
        #expect(text.contains("\"lines\" : [\n            \"a\\r\",") && text.contains(#""code" : "noResponse""#))
        #expect(
            text.contains("Bearer") == false && text.contains("/%EA%B0%95%EC%95%84%EC%A7%80?q=1%2B1&token=<redacted>")
        )

        let recording = try Recording(contentsOf: path)
        #expect(recording == recorder.recording)
        let replay = ReplayTransport(recording)
        let other = AuthenticationPlugin(.apiKey("another key", header: "X-Mine"), for: .everyServer)
        #expect(try await exercise(NetworkProvider(transport: replay, plugins: [other]), base) == real)
        #expect(replay.unused.isEmpty && replay.mismatches.isEmpty)
        // On another port, where that does not count.
        let elsewhere = ReplayTransport(recording, matching: RequestMatching(origin: false))
        #expect(try await exercise(NetworkProvider(transport: elsewhere), "http://elsewhere") == real)
    }

    /// A transport that sends a streamed body twice, as over a new connection after a reused one has failed.
    private struct SendingTwice: HTTPTransport {
        func send(_ request: HTTPRequest, events: HTTPEventHandler?) async throws(HTTPTransportError) -> HTTPResponse {
            guard case .stream(let stream) = request.body else { throw HTTPTransportError(.invalidBody, detail: "") }
            do {
                for _ in 0..<2 { for try await _ in stream.makePieces() {} }
            } catch {
                throw HTTPTransportError(.uploadFailed, detail: "\(error)")
            }
            return HTTPResponse(head: HTTPResponseHead(status: 200, url: request.url), body: HTTPResponseBody())
        }
    }

    @Test("A body that the transport sends twice is recorded once")
    func sentTwice() async throws {
        let recorder = RecordingTransport(SendingTwice())
        let request = try HTTPRequest(.post, "http://h/", body: .stream(stream("streamed")))
        _ = try await recorder.send(request).body.collect()
        #expect(recorder.recording.exchanges.map(\.request.body.bytes) == [Data("streamed".utf8)])
    }

    @Test("A boundary that is a part of the media type or of a value hides no secret")
    func shortBoundaries() throws {
        for boundary in ["form", "data", "a", "m"] {
            let type = "multipart/form-data; boundary=\(boundary)"
            let parts = [
                "Content-Disposition: form-data; name=password\r\n\r\na--\(boundary) s3cret",
                "Content-Disposition: form-data; name=data\r\nContent-Type: application/json\r\n\r\n"
                    + #"{"password":"s3cret"}"#,
            ]
            let body = RecordedBody(parts.map { "--\(boundary)\r\n\($0)\r\n" }.joined() + "--\(boundary)--\r\n")
            let request = try HTTPRequest(.post, "http://h/", headers: ["Content-Type": type])
            let record = RecordedRequest(request, body, Redaction())
            let text = try #require(record.body.text)
            #expect(!text.contains("s3cret") && text.contains("name=data"), "\(text)")
            #expect(text.hasPrefix("--boundary\r\n") && text.hasSuffix("\r\n--boundary--\r\n"), "\(text)")
            #expect(record.headers["Content-Type"] == "multipart/form-data; boundary=boundary")
        }
    }

    @Test("Of a long file, only what is recorded is read before it is sent", .timeLimit(.minutes(1)))
    func longFile() async throws {
        let file = try folder.write("", to: "long").path
        #expect(truncate(file, 1 << 40) == 0)
        let stub = StubTransport().on(.put, "/", .status(200))
        let recorder = RecordingTransport(stub, maximumBodyBytes: 1_000)
        _ = try await recorder.send(HTTPRequest(.put, "http://h/", body: .file(path: file))).body.collect()
        let body = try #require(recorder.recording.exchanges.first?.request.body)
        #expect(body.bytes == Data(count: 1_000) && !body.isWhole && stub.requests.count == 1)
    }

    @Test("A secret of a response has a value of its kind; HEAD, and a body as it was sent, have its fields")
    func keepsKinds() async throws {
        let secret = #"{"token" : 17, "n":[true,{"otp":true,"password":{"a":["s3cret",2.5e1,null], "b" :"s3cret"}}]}"#
        let fields: HTTPHeaders = [
            "Content-Type": "application/json", "Content-Length": "9", "Content-Encoding": "gzip",
        ]
        let stub = StubTransport().on(.get, "/", .data(Data(secret.utf8), headers: fields))
            .on(.head, "/", .status(200, headers: fields))
        let recorder = RecordingTransport(stub)
        var request = try HTTPRequest(.get, "http://h/")
        for (method, decompresses) in [(HTTPMethod.get, true), (.get, false), (.head, true)] {
            (request.method, request.decompresses) = (method, decompresses)
            _ = try await recorder.send(request).body.collect()
        }
        let kept = recorder.recording.exchanges.map { exchange -> (fields: [String], text: String?) in
            guard case .response(_, let headers, let body) = exchange.outcome else { return ([], nil) }
            return (headers.map(\.name).sorted(), body.text)
        }
        #expect(
            kept[0].text
                == #"{"token" : 0, "n":[true,{"otp":false,"password":{"a":["<redacted>",0,null], "b" :"<redacted>"}}]}"#
        )
        #expect(kept.map(\.fields.count) == [1, 2, 3] && kept[1].fields.contains("Content-Encoding"))
    }

    @Test("A request that was not recorded fails with the closest one and the differences")
    func mismatches() async throws {
        func exchange(_ method: HTTPMethod, _ url: String, _ body: String = "", _ type: String? = nil)
            -> Recording.Exchange
        {
            let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
            let request = RecordedRequest(method, url, headers: headers, body: RecordedBody(body))
            return .init(request: request, outcome: .response(status: 200, headers: [:], body: RecordedBody()))
        }
        let recording = Recording(exchanges: [
            exchange(.get, "http://h/cats"), exchange(.get, "http://h/dogs/1?page=1&size=9"),
            exchange(.post, "http://h/dogs", #"{"name":"a","tags":["x"]}"#, "application/json"),
            exchange(.post, "http://h/form", "a=1&b=x+y", "application/x-www-form-urlencoded"),
            .init(
                request: RecordedRequest(.post, "http://h/cut", body: RecordedBody(Data("abc".utf8), isWhole: false)),
                outcome: .response(status: 200, headers: [:], body: RecordedBody())
            ),
        ])
        let replay = ReplayTransport(recording, matching: RequestMatching(headers: ["Content-Type"]))
        let form = "application/x-www-form-urlencoded"
        let table: [(HTTPMethod, String, String, String?, String)] = [
            (
                .get, "http://h/dogs/1?size=9&page=2", "", nil,
                #"number 2, GET http://h/dogs/1?page=1&size=9: query page is "2", expected "1""#
            ),
            (.get, "http://h/dogs/1?size=9", "", nil, #"query page is missing, expected "1""#),
            (.get, "http://h/dogs/1?size=9&page=1&x", "", nil, #"query x is "", expected none"#),
            (.get, "http://i/cats", "", nil, "number 1, GET http://h/cats: origin is http://i, expected http://h"),
            (.delete, "http://h/cats", "", nil, "method is DELETE, expected GET"),
            (
                .get, "http://h/dogs/2?page=1&size=9", "", nil,
                "number 2, GET http://h/dogs/1?page=1&size=9: path is /dogs/2"
            ),
            (
                .post, "http://h/dogs", #"{"tags":["x","y"],"name":"a"}"#, "application/json",
                #"body tags[1] is "y", expected none"#
            ),
            (.post, "http://h/dogs", #"{"tags":["x"],"name":7}"#, "application/json", #"body name is 7, expected "a""#),
            (
                .post, "http://h/dogs", #"{"tags":["x"],"name":"a"}"#, nil,
                #"header content-type is missing, expected "application/json""#
            ),
            (.post, "http://h/form", "b=x%2By&a=1", form, #"body b is "x+y", expected "x y""#),
            (.post, "http://h/cut", "ab", nil, "number 5, POST http://h/cut: body is"),
            (.post, "http://h/cut", "", nil, "number 5, POST http://h/cut: body is"),
            (
                .post, "http://h/form", "b=x%20y&a=3", form,
                #"number 4, POST http://h/form: body a is "3", expected "1""#
            ),
        ]
        for (method, url, body, type, told) in table {
            let headers: HTTPHeaders = type.map { ["Content-Type": $0] } ?? [:]
            let request = try HTTPRequest(
                method,
                url,
                headers: headers,
                body: body.isEmpty ? .none : .data(Data(body.utf8))
            )
            let error = await #expect(throws: HTTPTransportError.self) { try await replay.send(request) }
            #expect(error?.code == .unexpectedRequest)
            #expect(error?.detail.contains(told) == true, "\(error?.detail ?? "")")
        }
        #expect(replay.mismatches.count == table.count && replay.unused.count == 5)
        // Once is once, unless it may be repeated.
        _ = try await replay.send(try HTTPRequest(.get, "http://h/cats"))
        let again = await #expect(throws: HTTPTransportError.self) {
            try await replay.send(try HTTPRequest(.get, "http://h/cats"))
        }
        #expect(again?.detail.contains("more often than it was recorded") == true)
        let repeating = ReplayTransport(recording, repeats: true)
        for _ in 0..<3 { _ = try await repeating.send(try HTTPRequest(.get, "http://h/cats")) }
        for (url, body) in [("http://h/cut", "abcd"), ("http://h/form", "a=1&b=x%20y")] {
            let headers: HTTPHeaders = url.hasSuffix("form") ? ["Content-Type": form] : [:]
            _ = try await repeating.send(try HTTPRequest(.post, url, headers: headers, body: .data(Data(body.utf8))))
        }
        // Of several responses to equal requests the last one is repeated.
        var changing = recording
        changing.exchanges.append(
            .init(
                request: changing.exchanges[0].request,
                outcome: .response(status: 204, headers: [:], body: RecordedBody())
            )
        )
        let changed = ReplayTransport(changing, repeats: true)
        for status in [200, 204, 204] {
            #expect(try await changed.send(try HTTPRequest(.get, "http://h/cats")).status == status)
        }
        let nothing = await #expect(throws: HTTPTransportError.self) {
            try await ReplayTransport(Recording()).send(try HTTPRequest(.get, "http://h/"))
        }
        #expect(nothing?.detail.contains("the recording is empty") == true)
    }

    @Test("A truncated, cancelled or oversized body is replayed up to its end, and fails there")
    func cutOff() async throws {
        let server = try LoopbackServer { request in
            let body = ServedResponse.Body.repeated(65, count: 100_000)
            return request.path == "/cut"
                ? ServedResponse(body: body, fault: .truncated(after: 10)) : ServedResponse(body: body)
        }
        defer { server.stop() }
        let recorder = RecordingTransport(maximumBodyBytes: 1_000)
        let provider = NetworkProvider(transport: recorder)
        _ = try? await provider.request(Call<Data>(base: server.baseURL, path: "/cut"))
        #expect(try await provider.request(Call<Data>(base: server.baseURL, path: "/long")).count == 100_000)
        let replay = NetworkProvider(transport: ReplayTransport(recorder.recording))
        for (path, count) in [("/cut", 10), ("/long", 1_000)] {
            var seen = 0
            let error = await #expect(throws: HTTPTransportError.self) {
                for try await piece in try await replay.stream(Call<Data>(base: server.baseURL, path: path)).body {
                    seen += piece.count
                }
            }
            #expect(error?.code == .bodyTruncated && seen == count)
        }
    }

    @Test("Concurrent requests are recorded separately, in the order of their starts")
    func concurrent() async throws {
        let server = try LoopbackServer { .text($0.path) }
        defer { server.stop() }
        let recorder = RecordingTransport()
        let provider = NetworkProvider(transport: recorder)
        let base = server.baseURL
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { _ = try await provider.request(Call<Data>(base: base, path: "/\(number)")) }
            }
            try await group.waitForAll()
        }
        #expect(recorder.recording.exchanges.count == 50)
        for exchange in recorder.recording.exchanges {
            guard case .response(200, _, let body) = exchange.outcome else { throw UnexpectedResult() }
            #expect(exchange.request.url == base + (body.text ?? "") && body.isWhole)
        }
    }

    @Test("A torn, damaged or missing file, and one of another version, are reported with the location")
    func damaged() async throws {
        let server = try server()
        defer { server.stop() }
        let recorder = RecordingTransport()
        _ = try await exercise(NetworkProvider(transport: recorder), server.baseURL)
        try recorder.recording.write(to: path)
        let whole = try Data(contentsOf: URL(filePath: path))
        func failure(_ data: Data) throws -> RecordingError {
            try data.write(to: URL(filePath: path))
            return try #require(throws: RecordingError.self) { try Recording(contentsOf: path) }
        }
        // Torn anywhere; the last byte is the line feed behind the JSON.
        for length in stride(from: 0, to: whole.count - 2, by: 397) {
            let error = try failure(whole.prefix(length))
            #expect(error.description.contains("the \(length) bytes are not JSON"), "\(error)")
        }
        let text = String(decoding: whole, as: UTF8.self)
        for (old, new, told) in [
            (#""version" : 1"#, #""version" : 2"#, "has version 2"),
            (#""method" : "GET""#, #""verb" : "GET""#, #"at exchanges[0].request: "method" is missing"#),
            (#""status" : 410"#, #""status" : "410""#, "at exchanges[9].response.status: "),
            ("AP8KgA==", "?", "at exchanges[6].request.body.base64: no Base64"),
            (
                #""code" : "noResponse""#, #""code" : "bored""#,
                #"at exchanges[13].failure.code: "bored" is not a failure code"#
            ),
            (#""Content-Type: image/png""#, #""image/png""#, "is not a field; write name: value"),
            (#""exchanges" : ["#, #""exchanges" : [1, "#, "at exchanges[0]: "),
        ] {
            #expect(text.contains(old), "\(old)")
            let error = try failure(Data(text.replacing(old, with: new, maxReplacements: 1).utf8))
            #expect(error.description.contains(told), "\(error)")
        }
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<60 {
            var data = whole
            for _ in 0..<3 {
                data[Int.random(in: 0..<data.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            try data.write(to: URL(filePath: path))
            do { _ = try Recording(contentsOf: path) } catch { #expect(error.description.contains(path)) }
        }
        let absent = #expect(throws: RecordingError.self) { try Recording(contentsOf: folder.file("none").path) }
        #expect(absent?.description.contains("record it first") == true)
        let nowhere = folder.file("no/such/folder").path
        #expect(throws: RecordingError.unwritable(path: nowhere, code: ENOENT)) { try Recording().write(to: nowhere) }
    }
}
