import HTTPTransport

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The reader's end of an exchange: letting go of it ends the transfer.
final class CurlBody: HTTPBodySource {
    private let exchange: CurlExchange
    /// The transport lives as long as somebody may still read from it.
    private let owner: CurlTransport

    init(exchange: CurlExchange, owner: CurlTransport) {
        self.exchange = exchange
        self.owner = owner
    }

    deinit { exchange.cancel() }

    func next() async throws(HTTPTransportError) -> Data? { try await exchange.piece() }

    func collect(upTo limit: Int) async throws(HTTPTransportError) -> Data { try await exchange.collect(upTo: limit) }

    func cancel() { exchange.cancel() }
}
