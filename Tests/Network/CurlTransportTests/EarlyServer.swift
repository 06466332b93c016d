import Foundation
import SystemCalls
import TestSupport
import Threading

/// A server on 127.0.0.1 whose handler reads and writes as it likes, for instance responds before it has read the request.
final class EarlyServer: Sendable {
    struct Connection: Sendable {
        let descriptor: Int32

        func send(_ text: String) { send(Array(text.utf8)) }

        func send(_ bytes: [UInt8]) { try? POSIX.writeAll(bytes, to: descriptor) }

        func readHead() {
            var bytes: [UInt8] = []
            while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), let byte = read(1).first { bytes.append(byte) }
        }

        /// Reads until the client closes the connection.
        func readToEnd() { while !read(4_096).isEmpty {} }

        /// Reads as many bytes, or fewer if the client closes the connection.
        func readAll(_ count: Int) -> [UInt8] {
            var bytes: [UInt8] = []
            while bytes.count < count {
                let part = read(count - bytes.count)
                guard !part.isEmpty else { break }
                bytes += part
            }
            return bytes
        }

        private func read(_ count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let result = bytes.withUnsafeMutableBytes { (try? POSIX.read(descriptor, into: $0)) ?? 0 }
            return Array(bytes[..<result])
        }
    }

    let baseURL: String
    private let listener: Int32
    private let thread: SystemThread

    init(_ handler: @escaping @Sendable (Connection) -> Void) throws {
        let (listener, port) = try LoopbackPort.listener()
        self.listener = listener
        baseURL = "http://127.0.0.1:\(port)/"
        thread = try SystemThread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                handler(Connection(descriptor: client))
                close(client)
            }
        }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        thread.join()
        close(listener)
    }
}
