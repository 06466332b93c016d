import Foundation
import TestSupport

/// A loopback port whose queue of connections is full, so that connecting to it never ends.
final class FullListener {
    private let listener: Int32
    private let clients: [Int32]
    private let port: UInt16

    init() throws {
        let (listener, port) = try LoopbackPort.listener(backlog: 0)
        (self.listener, self.port) = (listener, port)
        // One is taken into a queue of none; those behind it wait, and whatever comes later with them.
        clients = (0..<4).map { _ in LoopbackPort.client(of: port, blocks: false).socket }
    }

    deinit { for descriptor in clients + [listener] { close(descriptor) } }

    var baseURL: String { "http://127.0.0.1:\(port)" }
}
