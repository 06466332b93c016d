import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A body on its way to its reader, each piece written to the cache first: the reader's pace holds both back.
final class KeptBody: HTTPBodySource {
    private let body: HTTPResponseBody
    private let recorder: Locked<BodyRecorder?>

    init(_ body: HTTPResponseBody, _ recorder: BodyRecorder) {
        self.body = body
        self.recorder = Locked(recorder)
    }

    func next() async throws(HTTPTransportError) -> Data? {
        var iterator = body.makeAsyncIterator()
        let piece: Data?
        do {
            piece = try await iterator.next()
        } catch {
            drop()
            throw error
        }
        await take(piece)
        if piece == nil { await finish() }
        return piece
    }

    func collect(upTo limit: Int) async throws(HTTPTransportError) -> Data {
        let rest: Data
        do {
            rest = try await body.collect(upTo: limit)
        } catch {
            drop()
            throw error
        }
        await take(rest)
        await finish()
        return rest
    }

    func cancel() {
        drop()
        body.cancel()
    }

    private func take(_ piece: Data?) async {
        guard let piece, !piece.isEmpty, let recorder = recorder.withLock({ $0 }) else { return }
        await recorder.add(piece)
    }

    private func finish() async {
        let last = recorder.withLock { recorder in
            defer { recorder = nil }
            return recorder
        }
        await last?.finish()
    }

    private func drop() { recorder.withLock { $0 = nil } }
}
