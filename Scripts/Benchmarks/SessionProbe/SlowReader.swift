import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Reads a body piece by piece, slower than the server sends it.
///
/// `bytes(for:)` does not exist on Linux: a slow delegate is URLSession's only means of back-pressure.
final class SlowReader: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Used only on the session's queue, which runs one call at a time.
    private var count = 0
    private var pieces = 0
    private let continuation: CheckedContinuation<Int, any Error>

    private init(_ continuation: CheckedContinuation<Int, any Error>) { self.continuation = continuation }

    /// Returns the number of bytes of a URL's body.
    static func read(_ url: URL) async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            let session = URLSession(configuration: .ephemeral, delegate: SlowReader(continuation), delegateQueue: nil)
            session.dataTask(with: url).resume()
            session.finishTasksAndInvalidate()
        }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        count += data.count
        pieces += 1
        // As often as in network-probe.
        if pieces.isMultiple(of: 8) { Thread.sleep(forTimeInterval: 0.005) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: count) }
    }
}
