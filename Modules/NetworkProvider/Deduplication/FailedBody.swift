#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A body that did not come.
final class FailedBody: HTTPBodySource {
    private let error: HTTPTransportError

    init(_ error: HTTPTransportError) { self.error = error }

    func next() async throws(HTTPTransportError) -> Data? { throw error }

    func cancel() {}
}
