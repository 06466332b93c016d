import Foundation
import LoopbackServer
import TestSupport
import Testing

@Suite("LoopbackServer", .timeLimit(.minutes(5)))
struct LoopbackServerTests {
    @Test("One connection is used for several requests, each recorded with its parts")
    func keepsAlive() throws {
        let server = try LoopbackServer { request in .text("\(request.method) \(request.path) \(request.body.count)") }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.send("GET /%EA%B0%95?a=1&a=2+3 HTTP/1.1\r\nHost: x\r\nX-Two: 1\r\nx-two: 2\r\n\r\n")
        #expect(client.read(until: "GET /강 0").hasPrefix("HTTP/1.1 200 OK\r\n"))
        client.send("POST /b HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc")
        #expect(client.read(until: "POST /b 3").contains("Content-Length: 9\r\n"))
        client.send("PUT /c HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        #expect(client.read(until: "PUT /c 5").contains("200 OK"))

        client.send("GET /d HTTP/1.1\r\nConnection: Close\r\n\r\nGET /e HTTP/1.1\r\n\r\n")
        #expect(client.read().hasSuffix("GET /d 0"), "the connection is closed")

        let requests = server.requests
        #expect(requests.map(\.connection) == [0, 0, 0, 0])
        #expect(requests[0].queryItems.map(\.value) == ["1", "2 3"])
        #expect(requests[0].header("X-TWO") == "1")
        #expect(requests[2].body == Data("abcde".utf8))
    }

    @Test("The landing page's server responds, and closes the connection as configured")
    func landingPage() throws {
        let server = try LoopbackServer { request in
            request.path == "/broken"
                ? .failing(.truncated(after: 3), body: Data("whole".utf8))
                : .json(#"{"ok":true}"#)
        }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(client.read(until: "}").hasSuffix(#"{"ok":true}"#))
        client.send("GET /broken HTTP/1.1\r\n\r\n")
        let answer = client.read()
        #expect(answer.hasSuffix("\r\n\r\nwho") && answer.contains("Content-Length: 5"))
    }

    @Test("The examples of the documentation are compiled by these tests")
    func documentation() throws {
        let examples = try DocumentedExamples(of: "LoopbackServer")
        #expect(examples.count == 1 && examples.missing == [])
    }

    @Test("A script performs its steps in order")
    func scripts() throws {
        let server = try LoopbackServer { _ in
            let flood = ServedResponse.Step.flood(Data("ab".utf8), atMost: 10)
            return .failing(.script([.send(Data("first ".utf8)), .pause(.milliseconds(5)), flood]))
        }
        defer { server.stop() }
        let client = RawClient(port: server.port)
        client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(client.read() == "first ababababab")
    }

    @Test("Faults behave as documented")
    func misbehaves() throws {
        let server = try LoopbackServer { request in
            let body = Data("0123456789".utf8)
            return switch request.path {
            case "/declared": .failing(.declaredLength(99), body: body)
            case "/chunks": .failing(.brokenChunks, body: body)
            case "/truncated": .failing(.truncated(after: 4), body: body)
            case "/closed": .failing(.closed)
            case "/headers": .failing(.endlessHeaders)
            default: .failing(.raw(Data("nonsense".utf8)))
            }
        }
        defer { server.stop() }
        func answer(_ path: String) -> String {
            let client = RawClient(port: server.port)
            client.send("GET \(path) HTTP/1.1\r\n\r\n")
            return client.read()
        }
        #expect(answer("/declared").hasSuffix("Content-Length: 99\r\n\r\n0123456789"))
        #expect(answer("/chunks").hasSuffix("5\r\n01234\r\nnot a size\r\n\r\n"))
        #expect(answer("/truncated").hasSuffix("Content-Length: 10\r\n\r\n0123"))
        #expect(answer("/closed").isEmpty)
        #expect(answer("/headers").utf8.count > 4 << 20)
        #expect(answer("/raw") == "nonsense")
    }

    @Test("A client that disconnects is detected while the server does not respond")
    func noticesPeer() async throws {
        let server = try LoopbackServer { _ in .failing(.noAnswer) }
        defer { server.stop() }
        do {
            let client = RawClient(port: server.port)
            client.send("GET / HTTP/1.1\r\n\r\n")
            try await eventually { server.requests.count == 1 }
            #expect(server.connections[0].peerClosed == nil)
        }
        try await eventually(within: .seconds(5)) { server.connections[0].peerClosed != nil }
    }

    @Test("Stopping ends handlers, delays and idle connections")
    func stops() async throws {
        let server = try LoopbackServer { request in
            if request.path == "/handler" { try? await Task.sleep(for: .seconds(600)) }
            if request.path == "/delay" { return ServedResponse(delay: .seconds(600)) }
            return .failing(.noAnswer)
        }
        let clients = ["/handler", "/delay", "/silent"].map { path in
            let client = RawClient(port: server.port)
            client.send("GET \(path) HTTP/1.1\r\n\r\n")
            return client
        }
        try await eventually { server.requests.count == 3 }
        server.stop()
        #expect(server.connections.map(\.isClosed) == [true, true, true])
        #expect(clients.map { $0.read() } == ["", "", ""])
    }
}
