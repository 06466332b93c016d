import Foundation
import SystemCalls
import TestSupport

/// A blocking socket to 127.0.0.1 that sends and reads plain bytes.
final class RawClient: @unchecked Sendable {
    // Sendable: one thread reads, another one may send.
    private let descriptor: Int32
    /// Whether the server has closed the connection.
    private(set) var isClosed = false

    init(port: UInt16) {
        descriptor = LoopbackPort.client(of: port).socket
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func send(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    }

    /// Ends what the server receives; the response can still be read.
    func finishSending() { shutdown(descriptor, Int32(SHUT_WR)) }

    /// What arrives until the connection ends, `marker` or more than `limit` bytes have come, or half a minute has passed in
    /// silence.
    func read(until marker: String? = nil, limit: Int = 4 << 20) -> String {
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &block, block.count, 0)
            isClosed = count == 0
            guard count > 0 else { break }
            bytes += block[..<count]
            if let marker, String(decoding: bytes, as: UTF8.self).hasSuffix(marker) { break }
            if bytes.count > limit { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
