import Foundation
import LoopbackServer
import NetworkProvider
import NetworkTestSupport
import TestSupport
import Testing
import Threading

@Suite("Curl commands and metrics")
struct ObservationTests {
    /// Returns the arguments of `curl` commands as a shell parses them. One shell runs all, since starting one is slow.
    private func arguments(of commands: [String]) throws -> [[String]] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        let script = [#"curl() { printf '%s\0' "$@" $'\1'; }"#] + commands
        process.arguments = ["-c", script.joined(separator: "\n")]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let words = data.split(separator: 0, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
        return words.split(separator: "\u{1}", omittingEmptySubsequences: false).dropLast().map(Array.init)
    }

    private func arguments(of command: String) throws -> [String] {
        try #require(try arguments(of: [command]).first)
    }

    @Test("The curl command of a request contains no secret unless that is requested")
    func redactsCurl() throws {
        var request = try HTTPRequest(
            .post,
            "http://h/dogs?access_token=s3cret&page=1",
            headers: ["Authorization": "Bearer s3cret", "Accept": "text/plain", "X-Empty": ""],
            body: .data(Data("password=s3cret".utf8))
        )
        let text = request.curlCommand()
        #expect(!text.contains("s3cret"))
        #expect(
            try arguments(of: text) == [
                "--request", "POST", "--compressed", "--connect-timeout", "15", "--header", "Authorization: <redacted>",
                "--header", "Accept: text/plain", "--header", "X-Empty;", "--header", "Content-Type:", "--data-raw",
                "<15 bytes>", "http://h/dogs?access_token=<redacted>&page=1",
            ]
        )
        request.timeouts.total = .microseconds(1_500_300)
        let open = try arguments(of: request.curlCommand(redaction: nil, includesBody: true))
        #expect(open.contains("Authorization: Bearer s3cret") && open.contains("password=s3cret"))
        #expect(open.contains("1.501") && open.last == "http://h/dogs?access_token=s3cret&page=1")
        #expect(try HTTPRequest(.head, "http://[::1]/a/../b").curlCommand().contains("--head --globoff --path-as-is"))
        request.body = .data(Data([0x61, 0, 0x62]))
        #expect(try arguments(of: request.curlCommand(includesBody: true)).contains("<3 bytes>"))
        request.body = .file(path: "/tmp/a b")
        #expect(try arguments(of: request.curlCommand()).contains("@/tmp/a b"))
    }

    @Test("The shell passes any body to curl byte for byte and executes no part of it", arguments: 1...3)
    func quotes(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "'", "\"", "\\", "$(exit 3)", "`exit 3`", "!", "*", "\n", "\u{1b}[2J", "\u{7}7", "강", "\u{202e}", ";", "a",
            " ",
        ]
        let texts = (0..<20).map { _ in
            (0..<8).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
        }
        let commands = try texts.map { text in
            try HTTPRequest(.put, "http://h/", body: .data(Data(text.utf8))).curlCommand(includesBody: true)
        }
        let words = try arguments(of: commands)
        #expect(words.map { $0.dropLast().last } == texts, "seed \(seed)")
        for command in commands {
            #expect(!command.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202e }, "seed \(seed)")
        }
    }

    @Test("The curl command of a target sends the same request as the provider")
    func runsCurl() async throws {
        let curl = ["/usr/bin/curl", "/usr/local/bin/curl"].first { FileManager.default.isExecutableFile(atPath: $0) }
        guard curl != nil else { return }
        let server = try LoopbackServer { _ in .text("ok") }
        defer { server.stop() }
        let target = Call<String>(
            base: server.baseURL,
            path: "/a b/강/it's",
            httpMethod: .patch,
            parameters: ["q": "1+1"],
            headers: ["X-Mine": "a\"b"],
            task: .form(["name": "멍 멍"])
        )
        _ = try await NetworkProvider().request(target)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", try target.asRequest().curlCommand(redaction: nil, includesBody: true)]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let (ours, theirs) = (try #require(server.requests.first), try #require(server.requests.last))
        #expect(server.requests.count == 2)
        #expect(ours.method == theirs.method && ours.target == theirs.target && ours.body == theirs.body)
        for name in ["X-Mine", "Content-Type"] { #expect(ours.header(name) == theirs.header(name)) }
    }

    @Test("A failed exchange is measured with its failure")
    func measuresFailures() async throws {
        let measured = Locked<[ExchangeMeasurement]>([])
        let plugin = MetricsPlugin { measurement in measured.withLock { $0.append(measurement) } }
        let server = try LoopbackServer { _ in .failing(.declaredLength(99), body: Data(count: 10)) }
        defer { server.stop() }
        let error = await #expect(throws: NetworkError.self) {
            try await NetworkProvider(plugins: [plugin]).request(Call<Data>(base: server.baseURL))
        }
        let measurement = try #require(measured.withLock { $0.first })
        #expect(measured.withLock { $0.count } == 1 && measurement.metrics.bytesReceived == 10)
        #expect(measurement.failure?.code == .bodyTruncated && error != nil)
        #expect(measurement.description.contains("failed: "))
        let attributes = measurement.attributes
        #expect(attributes[.errorType] == .text("bodyTruncated") && attributes[.responseBodySize] == .integer(10))
        #expect(attributes[.protocolVersion] == .text("1.1") && attributes[.serverAddress] == .text("127.0.0.1"))
    }

    @Test("Each attempt is a span with OpenTelemetry's attributes, and its fields continue the trace")
    func traces() async throws {
        let spans = Locked<[HTTPSpan]>([])
        let telemetry = TelemetryPlugin { start in
            let number = spans.withLock { spans in
                spans.append(start)
                return spans.count
            }
            return (["traceparent": "00-\(number)"], { end in spans.withLock { $0.append(end) } })
        }
        let server = try LoopbackServer { request in
            .text("x", status: request.path == "/bad" ? 400 : request.header("traceparent") == "00-1" ? 503 : 200)
        }
        defer { server.stop() }
        let retrying = RetryPlugin(RetryPolicy(baseDelay: .zero))
        let provider = NetworkProvider(plugins: [retrying, telemetry])
        _ = try await provider.request(
            .post,
            server.baseURL + "/dogs?token=s3cret",
            headers: ["traceparent": "old", "Idempotency-Key": "1"],
            task: .raw(Data(count: 3), contentType: "text/plain")
        )
        let port = try #require(URL(string: server.baseURL)?.port)
        var expected: [HTTPAttribute: HTTPAttribute.Value] = [
            .method: .text("POST"), .url: .text(server.baseURL + "/dogs?token=<redacted>"), .scheme: .text("http"),
            .serverAddress: .text("127.0.0.1"), .serverPort: .integer(Int64(port)), .requestBodySize: .integer(3),
        ]
        let all = spans.withLock { $0 }
        try #require(all.count == 4)
        #expect(all[0].attributes == expected && all[0].name == "POST" && all[0].duration == nil)
        expected[.responseStatus] = .integer(503)
        expected[.errorType] = .text("503")
        #expect(all[1].attributes == expected && all[1].duration != nil)
        expected[.errorType] = nil
        expected[.resendCount] = .integer(1)
        expected[.responseStatus] = .integer(200)
        #expect(all[3].attributes == expected && all[3].request == all[0].request)
        #expect(server.requests.map { $0.header("traceparent") } == ["00-1", "00-3"])
        await #expect(throws: NetworkError.self) { try await provider.get(server.baseURL + "/bad") }
        #expect(spans.withLock { $0.last?.attributes[.errorType] } == .text("400"))
        server.stop()
        await #expect(throws: NetworkError.self) { try await provider.get(server.baseURL, retry: .never) }
        #expect(spans.withLock { $0.last?.attributes[.errorType] } == .text("cannotConnect"))
    }

    @Test("Each exchange is measured, redirects and retries, too, and the second one reuses the connection")
    func measures() async throws {
        let log = EventLog()
        let plugin = MetricsPlugin { measurement in log.add(measurement.description) }
        let server = try LoopbackServer { request in
            request.path == "/"
                ? ServedResponse(status: 302, headers: [("Location", "/there?token=s3cret")]) : .text("welcome")
        }
        defer { server.stop() }
        let seen = EventLog()
        _ = try await NetworkProvider(plugins: [plugin]).response(Call<Data>(base: server.baseURL)) { seen.add($0) }
        try await eventually { log.lines.count == 2 }
        #expect(log.lines[0].hasPrefix("#1 GET \(server.baseURL)/, "))
        #expect(log.lines[0].contains("new connection"))
        #expect(log.lines[1].contains("/there?token=<redacted>") && log.lines[1].contains("received 7 bytes"))
        #expect(log.lines[1].contains("reused connection"))
        #expect(seen.all.contains { if case .finished = $0 { true } else { false } })
    }
}
