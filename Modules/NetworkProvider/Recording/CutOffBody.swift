import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A body that breaks behind what was recorded of it.
final class CutOffBody: HTTPBodySource {
    private let rest: Locked<Data?>
    private let error: HTTPTransportError

    init(_ bytes: Data, _ url: URL) {
        rest = Locked(bytes.isEmpty ? nil : bytes)
        error = HTTPTransportError(.bodyTruncated, url: url, detail: "no more of the body was recorded")
    }

    func next() async throws(HTTPTransportError) -> Data? {
        let piece = rest.withLock { rest in
            defer { rest = nil }
            return rest
        }
        guard let piece else { throw error }
        return piece
    }

    func cancel() { rest.withLock { $0 = nil } }
}
