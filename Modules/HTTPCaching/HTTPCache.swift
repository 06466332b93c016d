import Locking
public import NetworkProvider

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A private HTTP cache by RFC 9111: answers are kept and given again while they are fresh, and confirmed by the server
/// when their time is over.
///
/// ```swift
/// let cache = HTTPCache(store: HTTPDiskCacheStore(path: folder))
/// let provider = NetworkProvider(cache: cache)
/// ```
///
/// It stands above retries and authentication: what it gives costs no retry and waits for no refresh. Answers are kept
/// apart by the credentials that their requests were really sent with, and never given to others. Only whole answers to
/// GET are kept. Every request that changes something removes what it makes wrong. Set-Cookie is not kept.
///
/// Copies of a provider, and several providers, may share a cache. A store that fails is a miss, never an error.
public final class HTTPCache: ResponseCache {
    /// How a cache behaves.
    public struct Options: Sendable {
        /// How targets use it that do not say.
        public var policy = HTTPCachePolicy.useProtocol
        /// For how long after its time an answer may stand in for an error, where neither it nor the request says;
        /// zero, unless told otherwise. `must-revalidate` and `no-cache` forbid it always.
        public var staleIfError = Duration.zero
        /// The share of the time since an answer's last change for which it counts as fresh, where it does not say.
        public var heuristicShare = 0.1
        /// The longest that an answer counts as fresh which does not say; a day, unless told otherwise.
        public var heuristicLimit = Duration.seconds(86_400)

        /// The options as they stand above.
        public init() {}
    }

    /// A body of up to so many bytes is kept in the record of its URL.
    static let inlineLimit = 32_768

    /// How it behaves.
    public let options: Options
    let store: any HTTPCacheStore
    let rules: CacheRules
    let now: @Sendable () -> Double
    let turns = KeyedTurns()
    let changes = CacheChanges()
    let renewals = CacheRenewals()
    private let counts = Locked(HTTPCacheStatistics())

    /// Creates a cache over a store.
    /// - Parameters:
    ///   - store: what keeps the bytes; in memory, unless told otherwise.
    ///   - options: how it behaves.
    ///   - now: the clock that ages go by.
    public init(
        store: some HTTPCacheStore = HTTPMemoryCacheStore(),
        options: Options = Options(),
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.options = options
        self.now = { now().timeIntervalSince1970 }
        rules = CacheRules(
            heuristicShare: max(0, options.heuristicShare),
            heuristicLimit: max(0, options.heuristicLimit / .seconds(1))
        )
    }

    /// The policy for targets without one.
    package var defaultPolicy: HTTPCachePolicy { options.policy }

    /// What it has done so far.
    public var statistics: HTTPCacheStatistics { counts.withLock { $0 } }

    /// Removes all answers.
    /// - Throws: what the store throws.
    public func removeAll() async throws {
        changes.invalidateAll()
        try await store.removeAll()
    }

    /// Removes all answers of a URL, whosever they are.
    public func remove(_ url: URL) async { await invalidate(CacheIdentity.key(of: url)) }

    func count(_ change: (inout HTTPCacheStatistics) -> Void) { counts.withLock { change(&$0) } }

    /// Runs a call of the store; nil where it fails.
    func attempt<Value>(_ call: () async throws -> Value?) async -> Value? {
        do {
            return try await call()
        } catch {
            failed(error)
            return nil
        }
    }

    func failed(_ error: any Error) {
        guard !(error is CancellationError) else { return }
        let text = "\(error)"
        count { statistics in
            statistics.storeFailures += 1
            statistics.lastFailure = text
        }
    }
}

/// What a cache has done so far.
public struct HTTPCacheStatistics: Sendable, Hashable {
    /// Answers given fresh from the store.
    public var hits = 0
    /// Answers given although their time was over.
    public var staleHits = 0
    /// Answers given from the store after the server had confirmed them.
    public var revalidations = 0
    /// Answers that came whole from the server, nothing usable being stored.
    public var misses = 0
    /// Answers put into the store.
    public var stores = 0
    /// Calls of the store that failed; each was a miss, or an answer not kept.
    public var storeFailures = 0
    /// What the last such call said.
    public var lastFailure: String?

    /// Nothing so far.
    public init() {}

    mutating func count(_ source: HTTPCacheStatus.Source) {
        switch source {
        case .hit: hits += 1
        case .stale, .staleOnError: staleHits += 1
        case .revalidated: revalidations += 1
        case .miss: misses += 1
        case .bypass: break
        }
    }
}

extension HTTPCache {
    /// All answers kept under a key.
    func record(_ key: String) async -> CacheRecord? {
        guard let data = await attempt({ try await store.value(for: key) }) else { return nil }
        return CacheRecord(data)
    }

    /// Changes what is kept under a key, one change at a time; `change` gives the keys of bodies that are of no use any
    /// more. True when something else is kept afterwards.
    @discardableResult
    func update(_ key: String, _ change: @Sendable (inout CacheRecord) -> [String]) async -> Bool {
        await turns.enter(key)
        let old = await record(key)
        var new = old ?? CacheRecord()
        let unused = change(&new)
        let isWritten = new != old ?? CacheRecord() ? await write(new, key) : false
        turns.leave(key)
        for body in unused { _ = await attempt { try await store.remove(body) } }
        return isWritten
    }

    private func write(_ record: CacheRecord, _ key: String) async -> Bool {
        do {
            if record.variants.isEmpty {
                try await store.remove(key)
            } else {
                try await store.set(record.encoded, for: key)
            }
            return true
        } catch {
            failed(error)
            // What is there speaks of what has been changed.
            _ = await attempt { try await store.remove(key) }
            return false
        }
    }

    /// Removes all answers under a key, and keeps those out that are still on their way.
    func invalidate(_ key: String) async {
        changes.invalidate(key)
        await turns.enter(key)
        let unused = await record(key)?.variants.compactMap { variant -> String? in
            if case .separate(let body, _) = variant.body { body } else { nil }
        }
        _ = await attempt { try await store.remove(key) }
        turns.leave(key)
        for body in unused ?? [] { _ = await attempt { try await store.remove(body) } }
    }
}
