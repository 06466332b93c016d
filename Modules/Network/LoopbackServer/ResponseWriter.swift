import EssentialFoundation

/// Writes a response, or performs its fault.
struct ResponseWriter {
    let connection: Connection
    let isHead: Bool

    /// Writes the response; returns whether the connection can be used for another request.
    mutating func write(_ response: ServedResponse) -> Bool {
        if response.delay > .zero, !connection.pause(response.delay, outlastsSending: true) { return false }
        if let fault = response.fault {
            perform(fault, response)
            return false
        }
        let body = hasBody(response) ? response.body : .data(Data())
        switch response.framing {
        case .contentLength:
            var head = self.head(response, closes: response.closes)
            if response.status != 204, response.status != 304, response.status >= 200 {
                head += "Content-Length: \(response.body.count)\r\n"
            }
            // A small response is sent in one packet, as by a real server.
            if case .data(let data) = body, data.count <= 16_384 {
                var bytes = Array((head + "\r\n").utf8)
                bytes.append(contentsOf: data)
                guard bytes.withUnsafeBytes({ connection.send($0) }) else { return false }
            } else {
                guard connection.send(head + "\r\n"), send(body) else { return false }
            }
        case .chunked(let size):
            guard connection.send(head(response, closes: response.closes) + "Transfer-Encoding: chunked\r\n\r\n")
            else { return false }
            guard hasBody(response) else { break }
            guard sendChunks(body, size: size), connection.send("0\r\n\r\n") else { return false }
        case .untilClose:
            guard connection.send(head(response, closes: true) + "\r\n") else { return false }
            _ = send(body)
            return false
        }
        return !response.closes
    }

    private func hasBody(_ response: ServedResponse) -> Bool {
        !isHead && response.status != 204 && response.status != 304
    }

    private func head(_ response: ServedResponse, closes: Bool) -> String {
        var head = "HTTP/1.1 \(response.status) \(ResponseWriter.reason(response.status))\r\n"
        for (name, value) in response.headers { head += "\(name): \(value)\r\n" }
        if closes { head += "Connection: close\r\n" }
        return head
    }

    static func reason(_ status: Int) -> String {
        switch status {
        case 200: "OK"
        case 201: "Created"
        case 204: "No Content"
        case 206: "Partial Content"
        case 301: "Moved Permanently"
        case 302: "Found"
        case 303: "See Other"
        case 304: "Not Modified"
        case 307: "Temporary Redirect"
        case 308: "Permanent Redirect"
        case 400: "Bad Request"
        case 401: "Unauthorized"
        case 403: "Forbidden"
        case 404: "Not Found"
        case 413: "Content Too Large"
        case 431: "Request Header Fields Too Large"
        case 500: "Internal Server Error"
        case 503: "Service Unavailable"
        default: "Status"
        }
    }

    // MARK: - Bodies

    /// Calls `body` with pieces of at most `size` bytes until it returns false.
    private func eachPiece(_ body: ServedResponse.Body, size: Int, _ send: (UnsafeRawBufferPointer) -> Bool) -> Bool {
        switch body {
        case .data(let data):
            return data.withUnsafeBytes { bytes in
                stride(from: 0, to: bytes.count, by: size).allSatisfy {
                    send(UnsafeRawBufferPointer(rebasing: bytes[$0..<min($0 + size, bytes.count)]))
                }
            }
        case .repeated(let byte, let count):
            let block = [UInt8](repeating: byte, count: min(size, max(count, 1)))
            return block.withUnsafeBytes { bytes in
                stride(from: 0, to: count, by: bytes.count).allSatisfy {
                    send(UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, count - $0)]))
                }
            }
        }
    }

    private func send(_ body: ServedResponse.Body) -> Bool {
        eachPiece(body, size: 262_144) { connection.send($0) }
    }

    private func sendChunks(_ body: ServedResponse.Body, size: Int) -> Bool {
        eachPiece(body, size: max(size, 1)) { piece in
            connection.send(String(piece.count, radix: 16) + "\r\n") && connection.send(piece)
                && connection.send("\r\n")
        }
    }

    /// Returns the first `count` bytes of a body.
    private func prefix(_ body: ServedResponse.Body, _ count: Int) -> ServedResponse.Body {
        switch body {
        case .data(let data): .data(Data(data.prefix(max(count, 0))))
        case .repeated(let byte, let whole): .repeated(byte, count: min(whole, count))
        }
    }
}

// MARK: - Faults

extension ResponseWriter {
    private func perform(_ fault: ServedResponse.Fault, _ response: ServedResponse) {
        let head = head(response, closes: false)
        let framed = head + "Content-Length: \(response.body.count)\r\n\r\n"
        switch fault {
        case .declaredLength(let count):
            _ = connection.send(head + "Content-Length: \(count)\r\n\r\n") && send(response.body)
        case .brokenChunks:
            let half = prefix(response.body, max(response.body.count / 2, 1))
            _ =
                connection.send(head + "Transfer-Encoding: chunked\r\n\r\n")
                && sendChunks(half, size: max(half.count, 1)) && connection.send("not a size\r\n\r\n")
        case .truncated(let count): _ = connection.send(framed) && send(prefix(response.body, count))
        case .reset(let count):
            if connection.send(framed), send(prefix(response.body, count)) {
                // The bytes must be sent before the reset discards those that are still queued.
                _ = connection.pause(.milliseconds(20))
            }
            Socket.resetOnClose(connection.descriptor)
        case .stalled(let count):
            if connection.send(framed), send(prefix(response.body, count)) { _ = connection.pause(nil) }
        case .slow(let count, let pause):
            guard connection.send(framed) else { return }
            _ = eachPiece(response.body, size: max(count, 1)) { connection.send($0) && connection.pause(pause) }
        case .endlessHeaders:
            guard connection.send(head) else { return }
            var number = 0
            while connection.send("X-Endless-\(number): \(String(repeating: "a", count: 200))\r\n") { number += 1 }
        case .endlessBody:
            guard connection.send(head + "Transfer-Encoding: chunked\r\n\r\n") else { return }
            while sendChunks(.repeated(UInt8(ascii: "x"), count: 1 << 20), size: 16_384) {}
        case .noAnswer: _ = connection.pause(nil)
        case .closed: return
        case .resetUnanswered: Socket.resetOnClose(connection.descriptor)
        case .raw(let data): _ = send(.data(data))
        case .script(let steps): _ = steps.allSatisfy(perform)
        }
    }

    /// Performs a step; returns whether the script continues.
    private func perform(_ step: ServedResponse.Step) -> Bool {
        switch step {
        case .send(let data): return send(.data(data))
        case .flood(let data, let limit):
            var sent = 0
            while sent < limit {
                guard send(.data(data)) else { return false }
                sent += max(data.count, 1)
            }
            return true
        case .pause(let duration): return connection.pause(duration)
        case .stall: return connection.pause(nil)
        case .reset:
            // The bytes must be sent before the reset discards those that are still queued.
            if connection.pause(.milliseconds(5)) { Socket.resetOnClose(connection.descriptor) }
            return false
        }
    }
}
