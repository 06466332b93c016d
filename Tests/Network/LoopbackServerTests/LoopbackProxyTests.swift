import SystemCalls
import TestSupport
import Testing

import class Foundation.Thread

@testable import LoopbackServer

@Suite("LoopbackProxy", .timeLimit(.minutes(5)))
struct LoopbackProxyTests {
    @Test("Both directions of a tunnel are busy at the same time")
    func busyTunnel() throws {
        let server = try LoopbackServer { request in
            request.path == "/big"
                ? ServedResponse(body: .repeated(65, count: 30 << 20)) : .text("\(request.body.count)")
        }
        defer { server.stop() }
        let proxy = try LoopbackProxy()
        defer { proxy.stop() }
        let client = RawClient(port: proxy.port)
        client.send("CONNECT a.example:\(server.port) HTTP/1.1\r\n\r\n")
        #expect(client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        // The server reads the second request only when the whole response to the first one has been sent.
        Thread.detachNewThread {
            client.send(
                "GET /big HTTP/1.1\r\n\r\nPOST / HTTP/1.1\r\nConnection: close\r\nContent-Length: \(30 << 20)\r\n\r\n"
            )
            client.send(String(repeating: "b", count: 30 << 20))
        }
        let answer = client.read(limit: .max)
        #expect(answer.hasSuffix("\r\n\r\n\(30 << 20)") && answer.utf8.count > 30 << 20)
    }

    @Test("A client that has finished sending receives the response through the proxy")
    func finishedSending() throws {
        let server = try LoopbackServer { _ in ServedResponse(body: .repeated(65, count: 5), delay: .milliseconds(200))
        }
        defer { server.stop() }
        let proxy = try LoopbackProxy()
        defer { proxy.stop() }
        let client = RawClient(port: proxy.port)
        client.send("GET http://a.example:\(server.port)/ HTTP/1.1\r\n\r\n")
        client.finishSending()
        #expect(client.read().hasSuffix("\r\n\r\nAAAAA") && client.isClosed)
    }

    @Test("A server that cannot be reached is reported by status 502; the port of a URL is 80 by default")
    func unreachable() throws {
        let proxy = try LoopbackProxy()
        defer { proxy.stop() }
        for (url, target) in [
            ("http://a.example/", "a.example:80"), ("http://[::1]", "[::1]:80"),
            ("HTTP://a.example:1?b", "a.example:1"), ("http://[::1]:1/", "[::1]:1"),
        ] {
            let client = RawClient(port: proxy.port)
            client.send("GET \(url) HTTP/1.1\r\nConnection: close\r\n\r\n")
            let answer = client.read()
            #expect(answer.hasPrefix("HTTP/1.1 502 ") || target.hasSuffix(":80") && LoopbackPort.answers(80), "\(url)")
            #expect(proxy.targets.last == target)
        }
        let client = RawClient(port: proxy.port)
        client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(client.read().hasPrefix("HTTP/1.1 400 ") && proxy.targets.count == 4)
    }

    @Test("No socket of the proxy is open in a process that is started")
    func childProcesses() throws {
        let server = try LoopbackServer { _ in .text("end") }
        defer { server.stop() }
        let proxy = try LoopbackProxy()
        defer { proxy.stop() }
        let client = RawClient(port: proxy.port)
        client.send("GET http://a.example:\(server.port)/ HTTP/1.1\r\n\r\n")
        #expect(client.read(until: "end").hasPrefix("HTTP/1.1 200 "))
        let sockets = (Int32(0)..<4_096).filter { descriptor in
            port { getsockname(descriptor, $0, $1) } == proxy.port
                || port { getpeername(descriptor, $0, $1) } == server.port
        }
        #expect(sockets.map { fcntl($0, F_GETFD) & FD_CLOEXEC } == [FD_CLOEXEC, FD_CLOEXEC, FD_CLOEXEC])
    }

    /// The port that a call returns for a socket; nil for another descriptor.
    private func port(_ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) -> UInt16? {
        var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let code = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &size) }
        }
        return code == 0 && address.sin_family == sa_family_t(AF_INET) ? UInt16(bigEndian: address.sin_port) : nil
    }
}
