import EssentialFoundation
import SystemCalls
import Threading

/// A connection to a ``LoopbackProxy``: the handshake, and then the bytes of both sides until both have ended.
struct ProxyTunnel: Sendable {
    let client: Int32
    let required: String?
    let state: Locked<LoopbackProxy.State>

    /// Serves the client until the end.
    func run() {
        defer { finish(client) }
        guard let first = read(client, 1)?.first else { return }
        guard let server = first == 5 ? greetSocks() : greetHTTP(first) else { return }
        defer { finish(server) }
        splice(server)
    }

    private func finish(_ socket: Int32) {
        state.withLock { state in
            state.sockets.remove(socket)
            close(socket)
        }
    }

    private func connect(_ target: String) -> Int32? {
        state.withLock { $0.targets.append(target) }
        guard let port = target.split(separator: ":").last.flatMap({ UInt16($0) }),
            let server = Socket.connect(to: port)
        else { return nil }
        state.withLock { state in
            state.sockets.insert(server)
            if state.isStopping { Socket.hangUp(server) }
        }
        return server
    }

    // MARK: - HTTP

    private func greetHTTP(_ first: UInt8) -> Int32? {
        var head = [first]
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard let next = read(client, 1) else { return nil }
            head += next
        }
        var lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: true)
        let isAuthorised = checkHTTP(lines)
        lines.removeAll { $0.lowercased().hasPrefix("proxy-") }
        let parts = lines.isEmpty ? [] : lines[0].split(separator: " ")
        guard parts.count == 3 else { return nil }
        guard isAuthorised else {
            return refuse("407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"proxy\"")
        }
        if parts[0] == "CONNECT" {
            guard let server = connect(String(parts[1])) else { return refuse("502 Bad Gateway") }
            send("HTTP/1.1 200 Connection established\r\n\r\n", to: client)
            return server
        }
        guard parts[1].lowercased().hasPrefix("http://") else { return refuse("400 Bad Request") }
        let rest = parts[1].dropFirst("http://".count)
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        // The colons of an IPv6 address are in brackets.
        let hasPort = authority.last != "]" && authority.contains(":")
        guard let server = connect(authority + (hasPort ? "" : ":80")) else { return refuse("502 Bad Gateway") }
        let path = rest[authority.endIndex...]
        lines[0] = "\(parts[0]) \(path.first == "/" ? "" : "/")\(path) \(parts[2])"
        send(lines.joined(separator: "\r\n") + "\r\n\r\n", to: server)
        return server
    }

    /// Sends a response without a body, and ends the connection.
    private func refuse(_ status: String) -> Int32? {
        send("HTTP/1.1 \(status)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", to: client)
        return nil
    }

    private func checkHTTP(_ lines: [Substring]) -> Bool {
        let line = lines.first { $0.lowercased().hasPrefix("proxy-authorization: basic ") }
        if let line, let data = Data(base64Encoded: String(line.split(separator: " ").last ?? "")) {
            let given = String(decoding: data, as: UTF8.self)
            state.withLock { $0.credentials.append(given) }
            return required == nil || given == required
        }
        return required == nil
    }

    // MARK: - SOCKS 5 (RFC 1928, RFC 1929)

    private func greetSocks() -> Int32? {
        guard let count = read(client, 1)?.first, let methods = read(client, Int(count)) else { return nil }
        let method: UInt8 = required == nil ? 0 : 2
        guard methods.contains(method) else {
            send([5, 0xff], to: client)
            return nil
        }
        send([5, method], to: client)
        if let required {
            guard read(client, 1) != nil, let user = field(), let password = field() else { return nil }
            let given = String(decoding: user, as: UTF8.self) + ":" + String(decoding: password, as: UTF8.self)
            state.withLock { $0.credentials.append(given) }
            send([1, given == required ? 0 : 1], to: client)
            guard given == required else { return nil }
        }
        guard let request = read(client, 4) else { return nil }
        let host: String
        switch request[3] {
        case 1: host = (read(client, 4) ?? []).map(String.init).joined(separator: ".")
        case 3: host = String(decoding: field() ?? [], as: UTF8.self)
        default: return nil
        }
        guard let port = read(client, 2) else { return nil }
        let server = connect("\(host):\(Int(port[0]) << 8 | Int(port[1]))")
        send([5, server == nil ? 5 : 0, 0, 1, 127, 0, 0, 1, 0, 0], to: client)
        return server
    }

    private func field() -> [UInt8]? { read(client, 1)?.first.flatMap { read(client, Int($0)) } }

    // MARK: - Bytes

    private func read(_ socket: Int32, _ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: max(count, 1))
        while bytes.count < count {
            let got = recv(socket, &block, count - bytes.count, 0)
            guard got > 0 else { return nil }
            bytes += block[..<got]
        }
        return bytes
    }

    @discardableResult
    private func send(_ bytes: some Sequence<UInt8>, to socket: Int32) -> Bool {
        let bytes = Array(bytes)
        return bytes.withUnsafeBytes { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = Socket.send(socket, UnsafeRawBufferPointer(rebasing: bytes[sent...]))
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }
    }

    private func send(_ text: String, to socket: Int32) { send(text.utf8, to: socket) }

    /// Copies both directions until each has ended.
    private func splice(_ server: Int32) {
        // A side that does not read blocks only the direction to it.
        let back: SystemThread
        do throws(LoopbackServerError) {
            back = try LoopbackServerError.startThread { copy(from: server, to: client) }
        } catch {
            return
        }
        copy(from: client, to: server)
        back.join()
    }

    /// Copies one direction until its source has finished sending, or the connection of a side has failed.
    private func copy(from source: Int32, to target: Int32) {
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(source, &block, block.count, 0)
            if count == 0 {
                // The other direction continues.
                shutdown(target, Int32(SHUT_WR))
                return
            }
            guard count > 0, send(block[..<count], to: target) else {
                Socket.hangUp(source)
                Socket.hangUp(target)
                return
            }
        }
    }
}
