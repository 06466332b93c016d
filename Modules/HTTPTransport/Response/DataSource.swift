import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A body that is in memory already.
final class DataSource: HTTPBodySource {
    private let rest: Locked<Result<Data, HTTPTransportError>>

    init(_ data: Data) { rest = Locked(.success(data)) }

    func next() async throws(HTTPTransportError) -> Data? {
        let taken = rest.withLock { rest in
            defer { if case .success = rest { rest = .success(Data()) } }
            return rest
        }
        let data = try taken.get()
        return data.isEmpty ? nil : data
    }

    func cancel() { rest.withLock { $0 = .failure(.cancelled) } }
}
