import Foundation
import LoopbackServer
import NetworkProvider
import NetworkTestSupport
import TestSupport
import Testing
import Threading
import TransportConformance

@Suite("Targets over real sockets")
struct TargetOverSocketsTests {
    @Test(
        "Every method arrives unchanged, custom ones, too",
        arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "x-pet"]
    )
    func methods(_ method: String) async throws {
        let server = try LoopbackServer { request in .text(request.method) }
        defer { server.stop() }
        let target = Call<String>(base: server.baseURL, httpMethod: HTTPMethod(rawValue: method))
        #expect(try await NetworkProvider().request(target) == (method == "HEAD" ? "" : method))
        #expect(server.requests.map(\.method) == [method])
    }

    @Test("Path and query arrive unchanged, character for character")
    func escaping() async throws {
        let server = try LoopbackServer { _ in ServedResponse() }
        defer { server.stop() }
        let target = Call<Data>(
            base: server.baseURL,
            path: "/강아지/a+b/" + (try RemotePath.segment("c/d%2F?#")),
            parameters: ["q": "1+1=2&3 멍", "slash": "%2F", "list": ["a", "b", "a"], "bare": nil, "q": "again"]
        )
        _ = try await NetworkProvider().request(target)
        let request = try #require(server.requests.first)
        #expect(request.path == "/강아지/a+b/c/d%2F?#")
        #expect(request.target.hasPrefix("/%EA%B0%95%EC%95%84%EC%A7%80/a+b/c%2Fd%252F%3F%23?"))
        #expect(request.queryItems.map(\.name) == ["q", "slash", "list", "list", "list", "bare", "q"])
        #expect(request.queryItems.map(\.value) == ["1+1=2&3 멍", "%2F", "a", "b", "a", "", "again"])
    }

    @Test("A refusal that requires another scheme than basic or bearer is named in the error, without its parameters")
    func unsupportedAuthentication() async throws {
        let challenge = Locked("")
        let server = try LoopbackServer { _ in
            ServedResponse(status: 401, headers: [("WWW-Authenticate", challenge.withLock { $0 })])
        }
        defer { server.stop() }
        for (value, expected) in [
            (#"Digest realm="pets", nonce="3f9ac2d1", qop="auth, auth-int""#, "status 401 and requires digest authent"),
            (#"Digest nonce="3f9ac2d1", Negotiate"#, "status 401 and requires digest or negotiate authentication"),
            (#"Digest nonce="3f9ac2d1", Basic realm="pets""#, "status 401 ["),
            (#"Bearer realm="pets""#, "status 401 ["),
        ] {
            challenge.withLock { $0 = value }
            let error = try await #require(throws: NetworkError.self) {
                try await NetworkProvider().request(Call<String>(base: server.baseURL))
            }
            #expect(error.description.contains(expected), "\(error)")
            #expect(!"\(error) \(String(describing: error.response))".contains("3f9ac2d1"))
        }
    }

    @Test("A group provides base, fields and rules; a target's own properties override them")
    func groups() async throws {
        struct Pups: GroupedTarget {
            typealias Response = String
            let group: RemoteGroup
            var path = "/pups"
            var headers: HTTPHeaders { ["X-Version": "2"] }
        }
        struct Send: GroupedTarget {
            let group: RemoteGroup
            var data: [String: String] { ["name": "멍멍"] }
            var httpMethod: HTTPMethod { .post }
            var validation: ResponseValidation { .success }
        }
        let server = try LoopbackServer { .text($0.path, status: 404) }
        defer { server.stop() }
        let group = RemoteGroup(
            server.baseURL + "/v1",
            headers: ["X-Version": "1", "X-App": "dog", "Content-Type": "text/plain"],
            timeout: HTTPTimeouts(connect: .seconds(1)),
            validation: .any,
            retry: .never
        )
        #expect(try await NetworkProvider().request(Pups(group: group)) == "/v1/pups")
        let request = try #require(server.requests.first)
        #expect(request.header("X-Version") == "2" && request.header("X-App") == "dog")
        #expect(Pups(group: group).retry == .never && Pups(group: group).timeout.connect == .seconds(1))
        // The task's own type wins over the group's, the target's rule over the group's.
        let error = await NetworkProvider().failure(of: Send(group: group))
        #expect(error?.status == 404)
        #expect(server.requests[1].header("Content-Type") == "application/json")
        #expect(server.requests[1].path == "/v1" && server.requests[1].header("X-Version") == "1")
    }

    @Test("Each time limit of a target ends its exchange with a separate error")
    func timeouts() async throws {
        let server = try LoopbackServer { request in
            request.path == "/silent"
                ? .failing(.noAnswer)
                : .failing(.slow(bytes: 1, pause: .milliseconds(20)), body: Data(repeating: 1, count: 10_000))
        }
        defer { server.stop() }
        let full = try FullListener()
        func code(_ base: String, _ path: String, _ timeout: HTTPTimeouts) async -> HTTPTransportError.Code? {
            let target = Call<Data>(base: base, path: path, timeout: timeout)
            return await NetworkProvider().failure(of: target)?.transportCode
        }
        let base = server.baseURL
        #expect(await code(base, "/silent", HTTPTimeouts(idle: .milliseconds(100))) == .timedOut(.idle))
        #expect(await code(base, "/slow", HTTPTimeouts(total: .milliseconds(150))) == .timedOut(.total))
        // Connecting is not idle time.
        let limits = HTTPTimeouts(connect: .milliseconds(300), idle: .milliseconds(50))
        #expect(await code(full.baseURL, "/", limits) == .timedOut(.connect))
    }

    @Test("A target's total timeout bounds all redirects together")
    func redirectTime() async throws {
        let server = try LoopbackServer { _ in
            ServedResponse(status: 302, headers: [("Location", "/on")], delay: .milliseconds(60))
        }
        defer { server.stop() }
        let target = Call<Data>(base: server.baseURL, timeout: HTTPTimeouts(total: .milliseconds(150)))
        let error = await NetworkProvider(redirects: RedirectPolicy(limit: 100)).failure(of: target)
        #expect(error?.transportCode == .timedOut(.total))
        #expect(server.requests.count <= 3)
    }

    @Test("A form with a stream of unknown length is chunked; a part with a wrong length fails")
    func multipartLengths() async throws {
        let server = try LoopbackServer { _ in ServedResponse() }
        defer { server.stop() }
        func form(length: Int64?) -> RemoteTask {
            let stream = HTTPBodyStream([Data("four".utf8)], length: length)
            return .multipart(MultipartForm([.init(name: "s", content: .stream(stream))], boundary: "b"))
        }
        let provider = NetworkProvider()
        _ = try await provider.request(Call<Data>(base: server.baseURL, httpMethod: .post, task: form(length: nil)))
        let chunked = try #require(server.requests.first)
        #expect(chunked.header("Content-Length") == nil)
        #expect(String(decoding: chunked.body, as: UTF8.self).contains("\r\n\r\nfour\r\n--b--\r\n"))
        for length in [Int64(3), 5] {
            let error = await provider.failure(
                of: Call<Data>(base: server.baseURL, httpMethod: .post, task: form(length: length))
            )
            #expect(error?.transportCode == .uploadFailed)
        }
    }

    @Test("Files and streams are sent with length and type; a missing file is reported before anything is sent")
    func uploads() async throws {
        let server = try LoopbackServer { _ in ServedResponse() }
        defer { server.stop() }
        let folder = try TemporaryDirectory()
        let file = try folder.write(String(repeating: "멍", count: 50_000), to: "bark.txt").path
        let provider = NetworkProvider()
        let sent = RemoteTask.uploadFile(path: file, contentType: "text/plain")
        _ = try await provider.request(Call<Data>(base: server.baseURL, httpMethod: .put, task: sent))
        let stream = HTTPBodyStream(["멍", "멍"].map { Data($0.utf8) }, length: 6)
        let streamed = RemoteTask.uploadStream(stream, contentType: "text/x-bark")
        _ = try await provider.request(Call<Data>(base: server.baseURL, httpMethod: .put, task: streamed))
        #expect(server.requests.map { $0.header("Content-Length") } == ["150000", "6"])
        #expect(server.requests.map { $0.header("Content-Type") } == ["text/plain", "text/x-bark"])
        #expect(server.requests.map(\.body.count) == [150_000, 6])
        for task in [
            RemoteTask.uploadFile(path: folder.file("none").path),
            .multipart(MultipartForm([.init(name: "f", content: .file(path: folder.file("none").path))])),
        ] {
            let error = await provider.failure(of: Call<Data>(base: server.baseURL, httpMethod: .post, task: task))
            #expect(error?.description.contains("none") == true)
        }
        #expect(server.requests.count == 2)
    }
}
