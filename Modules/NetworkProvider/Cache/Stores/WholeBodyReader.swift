import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value in memory as one piece.
final class WholeBodyReader: HTTPCacheBodyReader {
    private let rest: Locked<Data>

    init(_ data: Data) { rest = Locked(data) }

    func next() async throws -> Data? {
        rest.withLock { rest in
            defer { rest = Data() }
            return rest.isEmpty ? nil : rest
        }
    }
}
