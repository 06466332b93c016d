import Foundation
import TestSupport
import Threading

/// A process of `Scripts/backend`'s program.
final class BackendProcess: @unchecked Sendable {
    let process = Process()
    let base: String
    let messages: URL
    let errors: URL

    /// Starts the program and waits for its address.
    init(_ folder: TemporaryDirectory, data: String = "data", _ arguments: [String] = []) async throws {
        messages = folder.file("messages.txt")
        errors = folder.file("errors-\(UUID().uuidString).txt")
        let output = folder.file("address-\(UUID().uuidString)")
        try Data().write(to: output)
        try Data().write(to: errors)
        process.executableURL = ChildProcess.productsDirectory.appendingPathComponent("backend")
        process.arguments = ["--data", folder.path + "/" + data, "--messages", messages.path] + arguments
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        _ = Self.atExit
        try process.run()
        let child = process
        let identifier = child.processIdentifier
        Self.running.withLock { _ = $0.insert(identifier) }
        var text = ""
        do {
            try await eventually {
                text = try String(contentsOf: output, encoding: .utf8)
                return text.hasSuffix("\n") || !child.isRunning
            }
        } catch {
            Self.end(child)
            throw error
        }
        base = text.trimmingCharacters(in: .newlines)
    }

    deinit { Self.end(process) }

    private static func end(_ process: Process) {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
        running.withLock { _ = $0.remove(process.processIdentifier) }
    }

    /// The processes that run. A test that exceeds its time limit retains its server until the end of the tests.
    private static let running = Locked<Set<pid_t>>([])
    private static let atExit: Void = {
        atexit { BackendProcess.running.withLock { for process in $0 { kill(process, SIGKILL) } } }
    }()

    var port: UInt16 { UInt16(base.split(separator: ":").last ?? "") ?? 0 }

    /// Kills the process, as a crash does.
    func kill9() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The last code that was sent to a number.
    func code(for phone: String) -> String? {
        guard let text = try? String(contentsOf: messages, encoding: .utf8) else { return nil }
        return text.split(separator: "\n").last { $0.hasPrefix(phone + "\t") }?.suffix(7).prefix(6).description
    }
}

/// A client with one connection that blocks its thread, as load generators have many of.
struct BlockingClient {
    struct Response {
        let status: Int
        let body: Data

        subscript(_ path: String...) -> String? {
            var value: Any? = try? JSONSerialization.jsonObject(with: body)
            for name in path { value = (value as? [String: Any])?[name] }
            return value as? String
        }
    }

    private let socket: Int32

    /// A connection that the server has closed is an error, not a signal.
    private static var flags: Int32 {
        #if os(Linux)
            Int32(MSG_NOSIGNAL)
        #else
            0
        #endif
    }

    /// Connects; `nil` if the server is not there.
    init?(port: UInt16) {
        #if os(Linux)
            socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            Foundation.close(socket)
            return nil
        }
    }

    func close() { Foundation.close(socket) }

    /// Sends a request and returns the response; `nil` if the connection ends before.
    func send(
        _ method: String,
        _ path: String,
        _ form: [String: String] = [:],
        headers: [String: String] = [:]
    ) -> Response? {
        let body = form.map { "\($0)=\($1.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")" }
            .joined(separator: "&")
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        var bytes = Array((head + "\r\n" + body).utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, Self.flags)
            }
            guard count > 0 else { return nil }
            bytes = bytes.dropFirst(count)
        }
        return receive()
    }

    private func receive() -> Response? {
        var received = Data()
        var buffer = [UInt8](repeating: 0, count: 8_192)
        while true {
            if let end = received.range(of: Data("\r\n\r\n".utf8)) {
                let head = String(decoding: received[..<end.lowerBound], as: UTF8.self)
                let length =
                    head.lowercased().split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
                    .flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0
                if received.count - end.upperBound >= length {
                    let status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
                    return Response(status: status, body: Data(received[end.upperBound...].prefix(length)))
                }
            }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            received.append(contentsOf: buffer[..<count])
        }
    }
}
