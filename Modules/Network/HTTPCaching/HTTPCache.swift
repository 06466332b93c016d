public import EssentialFoundation
public import NetworkProvider
import Threading

/// A private HTTP cache by RFC 9111: stores responses, returns them while they are fresh, and validates them when they
/// are stale.
///
/// ```swift
/// let cache = HTTPCache(store: HTTPDiskCacheStore(path: folder))
/// let provider = NetworkProvider(cache: cache)
/// ```
///
/// The cache is above retries and authentication: a stored response causes no retry and waits for no refresh.
/// Responses are separated by the credentials that their requests were sent with, and are returned for no other
/// credentials. Only complete responses to GET are stored. Every request by an unsafe method removes the responses
/// that it makes invalid. Set-Cookie is not stored.
///
/// Copies of a provider, and several providers, may share a cache. A failing store causes a miss, never an error.
public final class HTTPCache: ResponseCache {
    /// The options of a cache.
    public struct Options: Sendable {
        /// The policy for targets without one.
        public var policy = HTTPCachePolicy.useProtocol
        /// How long a stale response may replace an error, if neither it nor the request says; zero by default.
        /// `must-revalidate` and `no-cache` always forbid it.
        public var staleIfError = Duration.zero
        /// The share of the time since a response's last change for which it is fresh, if it does not say.
        public var heuristicShare = 0.1
        /// The maximum of that time; a day by default.
        public var heuristicLimit = Duration.seconds(86_400)

        /// Creates the default options.
        public init() {}
    }

    /// The maximum size of a body that is stored in the record of its URL.
    static let inlineLimit = 32_768

    /// The options.
    public let options: Options
    let store: any HTTPCacheStore
    let rules: CacheRules
    let now: @Sendable () -> Double
    let locks = KeyedLock()
    let changes = CacheChanges()
    /// The revalidations in the background.
    let renewals = SingleFlight<Renewal, Void>()
    private let counts = Locked(HTTPCacheStatistics())
    /// The number of calls of ``removeAll()`` under way.
    private let removals = Locked(0)

    /// Creates a cache over a store.
    /// - Parameters:
    ///   - store: stores the bytes; in memory by default.
    ///   - options: the options.
    ///   - now: the current date, for ages.
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
    public var defaultPolicy: HTTPCachePolicy { options.policy }

    /// The counts since the cache was created.
    public var statistics: HTTPCacheStatistics { counts.withLock { $0 } }

    /// Removes all responses, and prevents the storing of those that are under way.
    ///
    /// It waits for responses that the store is writing. If the task is cancelled while it waits, the removal follows in
    /// another task.
    /// - Throws: the error of the store, or `CancellationError` if the task is cancelled while it waits.
    public func removeAll() async throws {
        changes.invalidateAll()
        removals.withLock { $0 += 1 }
        defer { removals.withLock { $0 -= 1 } }
        do {
            // An update that began before might write its responses after the removal.
            try await locks.waitForLockedKeys()
        } catch {
            Task { await attempt { try await removeAll() } }
            throw error
        }
        try await store.removeAll()
    }

    /// Removes all responses of a URL, for all credentials.
    public func remove(_ url: URL) async { await invalidate(CacheIdentity.key(of: url)) }

    func count(_ change: (inout HTTPCacheStatistics) -> Void) { counts.withLock { change(&$0) } }

    /// Calls the store; nil if the call fails.
    func attempt<Value>(_ call: () async throws -> Value?) async -> Value? {
        do {
            return try await call()
        } catch {
            recordFailure(error)
            return nil
        }
    }

    func recordFailure(_ error: any Error) {
        guard !(error is CancellationError) else { return }
        let text = "\(error)"
        count { statistics in
            statistics.storeFailures += 1
            statistics.lastFailure = text
        }
    }
}

/// The counts of a cache's results.
public struct HTTPCacheStatistics: Sendable, Hashable {
    /// Fresh responses from the store.
    public var hits = 0
    /// Stale responses from the store.
    public var staleHits = 0
    /// Responses from the store that the server has confirmed.
    public var revalidations = 0
    /// Complete responses from the server, since no stored one was usable.
    public var misses = 0
    /// Responses that were stored.
    public var stores = 0
    /// Failed calls of the store; each caused a miss, or a response that was not stored.
    public var storeFailures = 0
    /// The description of the last such failure.
    public var lastFailure: String?

    /// Creates counts of zero.
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
    /// Returns the responses that are stored under a key.
    func record(_ key: String) async -> CacheRecord? {
        guard let data = await attempt({ try await store.value(for: key) }) else { return nil }
        return CacheRecord(data)
    }

    /// Changes the record of a key, one change at a time; `change` returns the keys of obsolete bodies. If the task is cancelled
    /// while it waits for another change, its own follows in another task.
    /// - Returns: whether the record has changed so far.
    @discardableResult
    func update(_ key: String, _ change: @escaping @Sendable (inout CacheRecord) -> [String]) async -> Bool {
        await locks.run(key) { [self] in
            // A removal does not wait for an update that begins after it: that must not write the old responses again.
            let old = removals.withLock { $0 } > 0 ? nil : await record(key)
            var new = old ?? CacheRecord()
            let obsolete = change(&new)
            let excess = new != old ?? CacheRecord() ? await write(new, key) : nil
            for body in obsolete + (excess ?? []) { _ = await attempt { try await store.remove(body) } }
            return excess != nil
        } ?? false
    }

    /// Writes a record, without its oldest responses if it is too large for the store with them.
    /// - Returns: the keys of their bodies; nil if the record could not be written.
    private func write(_ record: CacheRecord, _ key: String) async -> [String]? {
        var (record, excess) = (record, [String]())
        while true {
            do {
                if record.variants.isEmpty {
                    try await store.remove(key)
                } else {
                    try await store.set(record.encoded, for: key)
                }
                return excess
            } catch HTTPCacheStoreError.tooLarge(let limit) where record.variants.count > 1 {
                repeat {
                    excess += record.removeOldest()
                } while record.variants.count > 1 && record.encoded.count > limit
            } catch {
                recordFailure(error)
                // The old record contains what was to be removed.
                _ = await attempt { try await store.remove(key) }
                return nil
            }
        }
    }

    /// Removes all responses under a key, and prevents the storing of those that are under way.
    func invalidate(_ key: String) async {
        changes.invalidate(key)
        _ = await locks.run(key) { [self] in
            let variants = await record(key)?.variants ?? []
            _ = await attempt { try await store.remove(key) }
            for body in variants.compactMap(\.bodyKey) { _ = await attempt { try await store.remove(body) } }
        }
    }
}
