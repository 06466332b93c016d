import Foundation
import LoopbackServer
import NetworkProvider
import NetworkTestSupport
import TestSupport
import Testing
import TransportConformance

@Suite("The provider")
struct NetworkProviderTests {
    private struct Dog: Codable, Equatable { var name: String }

    @Test("Data, text, JSON and empty responses are decoded by the response's type")
    func decodes() async throws {
        let server = try LoopbackServer { _ in .json(#"{"name":"멍멍"}"#, status: 201) }
        defer { server.stop() }
        let provider = NetworkProvider()
        let base = server.baseURL
        #expect(try await provider.request(Call<Dog>(base: base)) == Dog(name: "멍멍"))
        #expect(try await provider.request(Call<String>(base: base)) == #"{"name":"멍멍"}"#)
        #expect(try await provider.request(Call<Data>(base: base)).count == 17)
        #expect(try await provider.response(Call<NoContent>(base: base)).status == 201)
    }

    @Test("An error status is an error with the beginning of the response; the validation can be changed")
    func validates() async throws {
        let server = try LoopbackServer { _ in
            .text("no\u{1b}[31m such dog" + String(repeating: "x", count: 9_000), status: 404)
        }
        defer { server.stop() }
        let provider = NetworkProvider()
        let error = await provider.failure(
            of: Call<Data>(base: server.baseURL, path: "/dogs", parameters: ["token": "s3cret"])
        )
        guard case .unacceptableStatus(404) = error?.reason else { throw UnexpectedResult() }
        #expect(error?.status == 404)
        #expect(error?.response?.body.count == 4_096)
        let text = try #require(error).description
        #expect(text.contains("GET") && text.contains("/dogs") && text.contains("no\\u{1B}[31m such dog"))
        #expect(!text.contains("s3cret"))

        let accepted = try await provider.response(Call<Data>(base: server.baseURL, validation: .statuses(200...404)))
        #expect(accepted.status == 404)
    }

    @Test("A body that cannot be decoded is an error that contains it")
    func tellsDecoding() async throws {
        let server = try LoopbackServer { _ in .text("<html>") }
        defer { server.stop() }
        let error = await NetworkProvider().failure(of: Call<Dog>(base: server.baseURL))
        guard case .decoding = error?.reason else { throw UnexpectedResult() }
        #expect(error?.response?.text == "<html>")
        #expect(error?.status == 200)
    }

    @Test("An unreachable server is reported as offline, a cancelled task as a cancellation")
    func tellsNetwork() async throws {
        let server = try LoopbackServer { _ in .failing(.noAnswer) }
        let base = server.baseURL
        let provider = NetworkProvider()
        let task = Task { try await provider.request(Call<Data>(base: base)) }
        try await eventually { server.requests.count == 1 }
        task.cancel()
        let cancelled = await #expect(throws: NetworkError.self) { try await task.value }
        #expect(cancelled?.isCancellation == true)
        try await eventually(within: .seconds(5)) { server.connections[0].peerClosed != nil }
        server.stop()
        let offline = await #expect(throws: NetworkError.self) { try await provider.request(Call<Data>(base: base)) }
        #expect(offline?.isOffline == true)
    }

    @Test("A body over the limit is an error; the target's limit overrides the provider's")
    func limits() async throws {
        let server = try LoopbackServer { _ in ServedResponse(body: .repeated(1, count: 2_000)) }
        defer { server.stop() }
        let provider = NetworkProvider(maximumBodyBytes: 1_000)
        let error = await provider.failure(of: Call<Data>(base: server.baseURL))
        guard case .bodyTooLarge(1_000) = error?.reason else { throw UnexpectedResult() }
        #expect(try await provider.request(Call<Data>(base: server.baseURL, maximumBodyBytes: 2_000)).count == 2_000)
    }

    @Test("A download replaces a file or a link atomically, or leaves what is there and no other file")
    func downloads() async throws {
        let server = try LoopbackServer { request in
            let body = ServedResponse.Body.repeated(7, count: 3 << 20)
            return request.path == "/cut"
                ? ServedResponse(body: body, fault: .truncated(after: 1 << 20)) : ServedResponse(body: body)
        }
        defer { server.stop() }
        let folder = try TemporaryDirectory()
        let path = folder.url.appending(path: "picture.jpg").path
        try Data("old".utf8).write(to: URL(filePath: path))
        let provider = NetworkProvider()
        let failed = await #expect(throws: NetworkError.self) {
            try await provider.download(Call<Data>(base: server.baseURL, path: "/cut"), to: path)
        }
        #expect(failed?.transportCode == .bodyTruncated)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("old".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["picture.jpg"])

        try await provider.download(Call<Data>(base: server.baseURL), to: path)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data(repeating: 7, count: 3 << 20))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["picture.jpg"])

        let lost = await #expect(throws: NetworkError.self) {
            try await provider.download(Call<Data>(base: server.baseURL), to: "/no/such/folder/file")
        }
        guard case .file(_, ENOENT) = lost?.reason else { throw UnexpectedResult() }

        let (fifo, link) = (folder.file("fifo").path, folder.file("link").path)
        #expect(mkfifo(fifo, 0o600) == 0 && symlink(path, link) == 0)
        for (target, code) in [(fifo, EEXIST), (folder.url.path, EISDIR)] {
            let refused = await #expect(throws: NetworkError.self) {
                try await provider.download(Call<Data>(base: server.baseURL), to: target)
            }
            guard case .file(target, code) = refused?.reason else { throw UnexpectedResult() }
            let resumed = await #expect(throws: NetworkError.self) {
                try await provider.resumeDownload(Call<Data>(base: server.baseURL), to: target)
            }
            guard case .file(target, code) = resumed?.reason else { throw UnexpectedResult() }
        }
        func kind(_ path: String) throws -> FileAttributeType? {
            try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        }
        #expect(try kind(fifo) == .typeUnknown)
        try Data("kept".utf8).write(to: URL(filePath: path))
        try await provider.download(Call<Data>(base: server.baseURL), to: link)
        #expect(try kind(link) == .typeRegular)
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("kept".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 3)
    }

    @Test("A multipart form is streamed from memory, a file and a stream, with its length")
    func sendsMultipart() async throws {
        let server = try LoopbackServer { _ in ServedResponse() }
        defer { server.stop() }
        let folder = try TemporaryDirectory()
        let path = folder.url.appending(path: "a.txt").path
        try Data(repeating: 65, count: 100_000).write(to: URL(filePath: path))
        var form = MultipartForm(boundary: "b")
        form.append("이름", "멍\"멍")
        form.append("quote\"\r\n", data: Data([1, 2]), filename: "x", contentType: "image/png")
        form.append("file", file: path, contentType: "text/plain")
        let pieces = HTTPBodyStream(["ab", "cd"].map { Data($0.utf8) }, length: 4)
        form.parts.append(.init(name: "s", content: .stream(pieces)))
        let events = EventLog()
        let target = Call<NoContent>(base: server.baseURL, httpMethod: .post, task: .multipart(form))
        _ = try await NetworkProvider().response(target) { events.add($0) }
        withExtendedLifetime(folder) {}

        let expected =
            "--b\r\nContent-Disposition: form-data; name=\"이름\"\r\n\r\n멍\"멍\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"quote%22%0D%0A\"; filename=\"x\"\r\n"
            + "Content-Type: image/png\r\n\r\n\u{1}\u{2}\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n"
            + "Content-Type: text/plain\r\n\r\n\(String(repeating: "A", count: 100_000))\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"s\"\r\n\r\nabcd\r\n--b--\r\n"
        let request = server.requests[0]
        #expect(String(decoding: request.body, as: UTF8.self) == expected)
        #expect(request.header("Content-Length") == "\(expected.utf8.count)")
        #expect(request.header("Content-Type") == "multipart/form-data; boundary=b")
        #expect(events.all.contains(.uploaded(Int64(expected.utf8.count), of: Int64(expected.utf8.count))))
    }
}
