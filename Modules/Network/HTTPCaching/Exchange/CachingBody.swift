import EssentialFoundation
import HTTPTransport
import Threading

/// A body that is written to the cache while it is read, each piece before its reader receives it.
final class CachingBody: HTTPBodySource {
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

    private func finish() async { await takeRecorder()?.finish() }

    /// Releases the recorder outside the lock, with the store's writer.
    private func drop() { withExtendedLifetime(takeRecorder()) {} }

    /// Returns the recorder for the last time.
    private func takeRecorder() -> BodyRecorder? {
        recorder.withLock { recorder in
            defer { recorder = nil }
            return recorder
        }
    }
}

/// Stores a response while its body is read, and makes it available when the body is complete.
///
/// A short body is collected and becomes part of the record; a longer one is written to the store piece by piece. If
/// the recorder is released before ``finish()``, nothing is stored.
final class BodyRecorder: Sendable {
    private struct Recorded {
        var gathered = Data()
        var count = 0
        var writer: (any HTTPCacheBodyWriter)?
        var hasFailed = false
    }

    private let cache: HTTPCache
    private let variant: CachedVariant
    private let key: String
    private let bodyKey: String
    /// The expected number of bytes; nil if the server did not send it.
    private let expected: Int64?
    private let ticket: CacheChanges.Ticket
    private let state = Locked(Recorded())

    init(
        _ cache: HTTPCache,
        _ variant: CachedVariant,
        _ key: String,
        _ head: HTTPResponseHead,
        _ ticket: CacheChanges.Ticket
    ) {
        self.cache = cache
        self.variant = variant
        self.key = key
        self.ticket = ticket
        bodyKey =
            "body-" + String(UInt64.random(in: .min ... .max), radix: 36)
            + String(UInt64.random(in: .min ... .max), radix: 36)
        // The length is that of the compressed bytes.
        let isPacked = variant.isDecompressed && head.headers.contains(.contentEncoding)
        expected = isPacked ? nil : head.contentLength
    }

    /// Records the next piece; called by one reader at a time.
    func add(_ piece: Data) async {
        let (writer, waiting) = state.withLock { state -> ((any HTTPCacheBodyWriter)?, Data?) in
            state.count += piece.count
            if state.hasFailed { return (nil, nil) }
            if let writer = state.writer { return (writer, piece) }
            state.gathered.append(piece)
            return (nil, state.gathered.count > HTTPCache.inlineLimit ? state.gathered : nil)
        }
        guard let waiting else { return }
        do {
            var open = writer
            if open == nil { open = try await cache.store.makeBody(for: bodyKey) }
            try await open?.write(waiting)
            let made = open
            state.withLock { state in
                state.writer = made
                state.gathered = Data()
            }
        } catch {
            cache.recordFailure(error)
            state.withLock { state in
                state.hasFailed = true
                state.writer = nil
                state.gathered = Data()
            }
        }
    }

    /// The body has ended: stores the response if the body is complete.
    func finish() async {
        let (count, gathered, writer, hasFailed) = state.withLock {
            ($0.count, $0.gathered, $0.writer, $0.hasFailed)
        }
        guard !hasFailed, expected.map({ $0 == Int64(count) }) ?? true, ticket.isCurrent else { return }
        var variant = variant
        if let writer {
            do {
                try await writer.commit()
            } catch {
                return cache.recordFailure(error)
            }
            variant.body = .separate(key: bodyKey, count: count)
        } else {
            variant.body = .inline(gathered)
        }
        await cache.insert(variant, key, ticket)
    }
}
