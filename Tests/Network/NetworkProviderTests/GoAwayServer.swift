import Foundation
import TestSupport

/// A server of HTTP/2 without TLS that leaves its first connection by GOAWAY when a request has come, or refuses that
/// request, and responds with status 200 to the first request of each later one.
final class GoAwayServer {
    private let listener: Int32
    let baseURL: String

    init(refusing: Bool = false) throws {
        let (listener, port) = try LoopbackPort.listener()
        self.listener = listener
        baseURL = "http://127.0.0.1:\(port)"
        let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
        // The first notice of a graceful end, which excludes no request.
        let goAway = settings + [0, 0, 8, 7, 0, 0, 0, 0, 0] + [0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]
        // REFUSED_STREAM.
        let refusal = settings + [0, 0, 4, 3, 0, 0, 0, 0, 1] + [0, 0, 0, 7]
        let first = refusing ? refusal : goAway
        // The acknowledgement of the client's settings, and a head with the field 8 of HPACK's table, `:status: 200`.
        let response = settings + [0, 0, 0, 4, 1, 0, 0, 0, 0] + [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x88]
        Thread.detachNewThread {
            var reply = first
            while case let client = accept(listener, nil, nil), client >= 0 {
                Thread.detachNewThread { [reply] in GoAwayServer.serve(client, reply, closes: reply == goAway) }
                reply = response
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func serve(_ client: Int32, _ reply: [UInt8], closes: Bool) {
        defer { close(client) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 4_096)
        // Behind the preface.
        var frame = 24
        var isAnswered = false
        while case let count = read(client, &block, block.count), count > 0 {
            bytes += block[..<count]
            while !isAnswered, bytes.count >= frame + 9 {
                // The type of a request's head.
                if bytes[frame + 3] == 1 {
                    isAnswered = write(client, reply, reply.count) == reply.count
                    if closes { shutdown(client, Int32(SHUT_WR)) }
                }
                frame += 9 + bytes[frame..<(frame + 3)].reduce(0) { $0 << 8 | Int($1) }
            }
        }
    }
}
