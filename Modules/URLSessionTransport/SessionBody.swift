import Foundation
import HTTPTransport

/// The reader's end of an exchange: letting go of it ends the transfer.
final class SessionBody: HTTPBodySource {
    private let exchange: SessionExchange
    /// The session lives as long as somebody may still read from it.
    private let owner: URLSessionTransport

    init(exchange: SessionExchange, owner: URLSessionTransport) {
        self.exchange = exchange
        self.owner = owner
    }

    deinit { exchange.cancel() }

    func next() async throws(HTTPTransportError) -> Data? { try await exchange.piece() }

    func cancel() { exchange.cancel() }
}
