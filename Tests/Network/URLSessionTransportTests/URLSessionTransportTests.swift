import Foundation
import HTTPTransport
import LoopbackServer
import TestSupport
import Testing
import TransportConformance

@testable import URLSessionTransport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("URLSessionTransport")
struct URLSessionTransportTests {
    @Test("Cookies that Foundation joins into one field are separate fields")
    func separatesCookies() async throws {
        let joined = "a=1; expires=Thu, 01 Jan 2099 00:00:00 GMT, b=2"
        let server = try LoopbackServer { _ in ServedResponse(headers: [("Set-Cookie", joined)]) }
        defer { server.stop() }
        let response = try await URLSessionTransport().send(HTTPRequest(.get, server.baseURL + "/"))
        let cookies = response.head.headers.values(.setCookie)
        #expect(cookies == ["a=1; expires=Thu, 01 Jan 2099 00:00:00 GMT", "b=2"])
        response.body.cancel()
    }

    @Test("A stream that fails while it is stored for the upload leaves no file")
    func failedStream() async throws {
        struct Failure: Error {}
        let mark = "the beginning of \(UUID().uuidString)"
        let stream = HTTPBodyStream([Data(mark.utf8)], failure: Failure())
        let request = try HTTPRequest(.post, "http://127.0.0.1:9/", body: .stream(stream))
        let error = await #expect(throws: HTTPTransportError.self) { try await URLSessionTransport().send(request) }
        #expect(error?.code == .uploadFailed)
        // Other tests store uploads at the same time.
        let folder = FileManager.default.temporaryDirectory
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("upload-") }
        #expect(!names.contains { (try? Data(contentsOf: folder.appending(path: $0))) == Data(mark.utf8) })
    }

    private func example() async throws -> Data {
        let transport = URLSessionTransport()
        let response = try await transport.send(HTTPRequest(.get, "http://127.0.0.1:8080/dogs"))
        let body = try await response.body.collect()
        return body
    }

    @Test("Every example of the landing page is compiled by a test")
    func examplesAreCompiled() async throws {
        #expect(try DocumentedExamples(of: "URLSessionTransport", count: 1).missing == [])
        do {
            _ = try await example()
        } catch {
            // No program, or another one, uses the port of the example.
            #expect(error is HTTPTransportError, "\(error)")
        }
    }

    @Test(
        "A connection that is lost before the end of a body of known length truncates it",
        arguments: [
            (HTTPMethod.get, 200, ["Content-Length": "10"], HTTPTransportError.Code.bodyTruncated),
            (.get, 200, ["Content-Length": "3"], .connectionLost), (.get, 200, [:], .connectionLost),
            (.get, 200, ["Content-Length": "10", "Content-Encoding": "gzip"], .connectionLost),
            (.get, 304, ["Content-Length": "10"], .connectionLost),
            (.head, 200, ["Content-Length": "10"], .connectionLost),
        ]
    )
    func lostConnection(
        method: HTTPMethod,
        status: Int,
        fields: [String: String],
        expected: HTTPTransportError.Code
    ) async throws {
        let request = try HTTPRequest(method, "http://127.0.0.1:9/")
        let upload = try await SessionUpload.prepare(request)
        let exchange = SessionExchange(request: request, upload: upload, events: nil, start: .now)
        let response = HTTPURLResponse(url: request.url, statusCode: status, httpVersion: nil, headerFields: fields)
        #expect(exchange.receive(try #require(response)))
        exchange.receive(Data("abc".utf8))
        exchange.complete(URLError(.networkConnectionLost))
        #expect(try await exchange.piece() == Data("abc".utf8))
        let error = await #expect(throws: HTTPTransportError.self) { try await exchange.piece() }
        #expect(error?.code == expected)
    }

    #if os(Linux)
        /// In a separate process, because the environment is the whole process's.
        @Test("An upload is stored in the temporary folder whatever the letters of its path, and removed")
        func temporaryFolder() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryDirectory("업로드 100%20")
                let file = try folder.write("멍멍", to: "a dog's file")
                setenv("TMPDIR", folder.path, 1)
                let server = try LoopbackServer { .text(String(decoding: $0.body, as: UTF8.self)) }
                defer { server.stop() }
                let stream = HTTPBodyStream([Data("멍멍".utf8)])
                for body in [HTTPBody.stream(stream), .file(path: file.path)] {
                    let request = try HTTPRequest(.post, server.baseURL + "/", body: body)
                    let answer = try await URLSessionTransport().send(request).body.collect()
                    #expect(String(decoding: answer, as: UTF8.self) == "멍멍")
                }
                // The session may still hold the last upload.
                try await eventually {
                    try FileManager.default.contentsOfDirectory(atPath: folder.path) == [file.lastPathComponent]
                }
            }
        }

        @Test(
            "A 401 with a challenge returns its head, and a typed error for its body, without a hang",
            .timeLimit(.minutes(1))
        )
        func refusesChallenge() async throws {
            let server = try LoopbackServer { _ in
                ServedResponse(status: 401, headers: [("WWW-Authenticate", "Basic realm=\"x\"")])
            }
            defer { server.stop() }
            let response = try await URLSessionTransport().send(HTTPRequest(.get, server.baseURL))
            #expect(response.status == 401)
            let error = await #expect(throws: HTTPTransportError.self) { try await response.body.collect() }
            #expect(error?.code == .unsupported(.basicChallenge))
        }

        /// In a separate process, because the environment is the whole process's.
        @Test("The environment's proxy is used, except for the hosts in no_proxy")
        func environmentProxy() async {
            await #expect(processExitsWith: .success) {
                let server = try LoopbackServer { _ in .text("here") }
                defer { server.stop() }
                let proxy = try LoopbackProxy()
                defer { proxy.stop() }
                for name in ["http_proxy", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"] { unsetenv(name) }
                setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
                let body = try await URLSessionTransport().send(HTTPRequest(.get, server.baseURL)).body.collect()
                #expect(String(decoding: body, as: UTF8.self) == "here")
                #expect(proxy.targets == ["127.0.0.1:\(server.port)"])
                setenv("no_proxy", "localhost,127.0.0.1", 1)
                #expect(try await URLSessionTransport().send(HTTPRequest(.get, server.baseURL)).status == 200)
                #expect(proxy.targets.count == 1)
            }
        }
    #endif

    @Test("A certificate's problem is reported with advice, as by every transport")
    func translatesCertificates() {
        let codes: [(URLError.Code, HTTPTransportError.Code)] = [
            (.serverCertificateHasBadDate, .certificate(.expired)),
            (.serverCertificateNotYetValid, .certificate(.notYetValid)),
            (.serverCertificateHasUnknownRoot, .certificate(.unknownAuthority)),
            (.serverCertificateUntrusted, .certificate(.other)),
            (.clientCertificateRequired, .clientCertificate), (.clientCertificateRejected, .clientCertificate),
            (.secureConnectionFailed, .tls),
        ]
        for (code, expected) in codes {
            let error = SessionExchange.translate(URLError(code))
            #expect(error.code == expected)
            if case .certificate(let problem) = expected { #expect(error.detail.hasSuffix(problem.advice)) }
        }
    }

    @Test("Limits and paths that URLSession does not support are rejected by name, before anything is sent")
    func refusesRequests() async throws {
        let server = try LoopbackServer { _ in .text("sent") }
        defer { server.stop() }
        let limits = [
            HTTPLimits(headerBytes: 9_000), HTTPLimits(headerFields: 9), HTTPLimits(decompressedBytes: 9_000),
            HTTPLimits(decompressionRatio: 9), HTTPLimits(bodyBytes: 9),
        ]
        for limits in limits {
            var request = try HTTPRequest(.get, server.baseURL)
            request.limits = limits
            let error = await #expect(throws: HTTPTransportError.self) { try await URLSessionTransport().send(request) }
            #expect(error?.code == .unsupported(.responseLimits))
        }
        #if os(Linux)
            for path in ["/a/../b", "/./", "/a/%2E%2e/b", "/.%2e", "/a/."] {
                let error = await #expect(throws: HTTPTransportError.self) {
                    try await URLSessionTransport().send(HTTPRequest(.get, server.baseURL + path))
                }
                #expect(error?.code == .unsupported(.exactPath), "\(path)")
            }
        #endif
        #expect(server.connections.isEmpty)
        for path in ["/a..b/...", "/.hidden", "/%2e%2e%2e"] {
            #expect(try await URLSessionTransport().send(HTTPRequest(.get, server.baseURL + path)).status == 200)
        }
    }

    @Test("Connection settings that URLSession does not support are rejected by name, before anything is sent")
    func refusesSettings() async throws {
        let server = try LoopbackServer { _ in .text("sent") }
        defer { server.stop() }
        let pem = HTTPTLSSettings.PEMSource.text("-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n")
        let client = HTTPTLSSettings.ClientCertificate(certificate: pem)
        let pin = try HTTPTLSSettings.PublicKeyPin(Data(count: 32).base64EncodedString())
        let proxy = HTTPProxyServer(host: "127.0.0.1", port: server.port)
        let settings: [(HTTPConnectionSettings, HTTPTransportFeature)] = [
            (HTTPConnectionSettings(version: .http1), .versionPolicy),
            (HTTPConnectionSettings(version: .http2PriorKnowledge), .versionPolicy),
            (HTTPConnectionSettings(tls: HTTPTLSSettings(trust: .authorities(pem))), .customTrust),
            (HTTPConnectionSettings(tls: HTTPTLSSettings(clientCertificate: client)), .clientCertificate),
            (HTTPConnectionSettings(tls: HTTPTLSSettings(pins: [pin])), .publicKeyPinning),
            (HTTPConnectionSettings(proxy: .server(proxy)), .proxySelection),
            (HTTPConnectionSettings(proxy: .none), .proxySelection),
            (HTTPConnectionSettings(unixSocket: "/tmp/socket"), .unixSocket),
        ]
        for (connection, feature) in settings {
            let error = await #expect(throws: HTTPTransportError.self) {
                try await URLSessionTransport(connection: connection).send(HTTPRequest(.get, server.baseURL))
            }
            #expect(error?.code == .unsupported(feature))
        }
        #expect(server.connections.isEmpty)
    }
}
