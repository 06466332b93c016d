import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Gathers a value in memory and hands it over whole.
final class GatheringBodyWriter: HTTPCacheBodyWriter {
    private let gathered = Locked(Data())
    private let limit: Int
    private let finish: @Sendable (Data) async throws -> Void

    /// - Parameters:
    ///   - limit: the greatest number of bytes.
    ///   - finish: takes the whole value.
    init(limit: Int, finish: @escaping @Sendable (Data) async throws -> Void) {
        self.limit = limit
        self.finish = finish
    }

    func write(_ piece: Data) async throws {
        let limit = limit
        try gathered.withLock { data in
            guard data.count + piece.count <= limit else { throw HTTPCacheStoreError.tooLarge(limit: limit) }
            data.append(piece)
        }
    }

    func commit() async throws { try await finish(gathered.withLock { $0 }) }
}
