import Locking

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Takes an answer's body while it is read, and stores the answer when it is whole.
///
/// A short body is gathered and goes into the record; a longer one goes to the store piece by piece. When the recorder
/// is let go of before ``finish()``, nothing is kept.
final class BodyRecorder: Sendable {
    private struct State {
        var gathered = Data()
        var count = 0
        var writer: (any HTTPCacheBodyWriter)?
        var hasFailed = false
    }

    private let cache: HTTPCache
    private let variant: CachedVariant
    private let key: String
    private let bodyKey: String
    /// The bytes there must be; nil where that is not told.
    private let expected: Int64?
    private let ticket: CacheChanges.Ticket
    private let state = Locked(State())

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
        // The length is that of the packed bytes where they were packed.
        let isPacked = variant.isUnpacked && head.headers.contains("content-encoding")
        expected = isPacked ? nil : head.contentLength
    }

    /// Takes the next piece; called by one reader at a time.
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
            cache.failed(error)
            state.withLock { state in
                state.hasFailed = true
                state.writer = nil
                state.gathered = Data()
            }
        }
    }

    /// The body has ended: stores the answer, if that is all of it.
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
                return cache.failed(error)
            }
            variant.body = .separate(key: bodyKey, count: count)
        } else {
            variant.body = .inline(gathered)
        }
        await cache.insert(variant, key, ticket)
    }
}
