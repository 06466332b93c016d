/// Frames of the first request's stream (RFC 9113, section 6).
enum HTTP2Frame {
    /// The reasons for which a stream is reset (section 7).
    enum Reason: UInt8 {
        case protocolError = 1
        case internalError = 2
        case cancel = 8
        case enhanceYourCalm = 11
    }

    static func head(_ block: [UInt8]) -> [UInt8] { frame(type: 1, flags: 4, block) }

    static func data(_ text: String, isLast: Bool = false) -> [UInt8] {
        frame(type: 0, flags: isLast ? 1 : 0, Array(text.utf8))
    }

    static func reset(_ reason: Reason) -> [UInt8] { frame(type: 3, [0, 0, 0, reason.rawValue]) }

    /// The server's settings, and the acknowledgement of the client's.
    static let settings = frame(type: 4, stream: 0, []) + frame(type: 4, flags: 1, stream: 0, [])

    static let ping = frame(type: 6, stream: 0, Array("12345678".utf8))

    /// The end of the connection, for which no stream has been processed.
    static let goAway = frame(type: 7, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0])

    /// A frame with fewer than 256 bytes.
    private static func frame(type: UInt8, flags: UInt8 = 0, stream: UInt8 = 1, _ payload: [UInt8]) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, flags, 0, 0, 0, stream] + payload
    }
}

extension EarlyServer.Connection {
    /// Responds to a request over HTTP/2 without TLS, and reads until the client closes the connection.
    ///
    /// - Parameter steps: the frames. Each step after the first one is sent when the client has processed the one before.
    func serveHTTP2(_ steps: [[UInt8]]) {
        // The client's preface.
        _ = readAll(24)
        guard readFrame(type: 1) else { return }
        send(HTTP2Frame.settings)
        for (number, step) in steps.enumerated() {
            if number > 0 {
                send(HTTP2Frame.ping)
                guard readFrame(type: 6) else { return }
            }
            send(step)
        }
        readToEnd()
    }

    /// Reads up to and including a frame of a type; false if the client closes the connection before.
    private func readFrame(type: UInt8) -> Bool {
        while true {
            let head = readAll(9)
            guard head.count == 9 else { return false }
            _ = readAll(head[..<3].reduce(0) { $0 << 8 | Int($1) })
            if head[3] == type { return true }
        }
    }
}
