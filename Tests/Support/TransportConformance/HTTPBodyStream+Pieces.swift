public import Foundation
public import HTTPTransport

extension HTTPBodyStream {
    /// Creates a stream of pieces in memory, after which it ends or fails.
    public init(_ pieces: [Data], length: Int64? = nil, failure: (any Error)? = nil) {
        self.init(length: length) {
            AsyncThrowingStream { continuation in
                for piece in pieces { continuation.yield(piece) }
                continuation.finish(throwing: failure)
            }
        }
    }
}
