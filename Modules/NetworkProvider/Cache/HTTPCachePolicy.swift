/// How a target uses the provider's ``HTTPCache``.
public enum HTTPCachePolicy: Sendable, Hashable, CaseIterable {
    /// By the protocol: a fresh answer is used, a stale one is validated, and both sides' Cache-Control is heeded.
    case useProtocol
    /// The cache is neither looked into nor filled. What a change makes wrong is still removed.
    case ignore
    /// A stored answer is used only after the server has confirmed it; one marked `immutable` while it is fresh needs
    /// no confirmation (RFC 8246).
    case revalidate
    /// The server is asked for the whole, whatever is stored; its answer is stored.
    case reload
    /// A stored answer is used however old it is, unless it forbids that by `must-revalidate` or `no-cache`; the server
    /// is asked only where there is none.
    case preferCached
    /// As ``preferCached``, and a stale answer is fetched anew meanwhile, for the next time.
    case staleWhileRevalidating
    /// As ``preferCached``, and the server is never asked: where there is none the request fails with
    /// ``NetworkError/Reason/notCached``.
    case onlyCached
}
