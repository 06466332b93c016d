#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What is to be done with a stored answer.
enum CacheVerdict: Equatable {
    /// It is given as it is.
    case fresh
    /// It is given although its time is over: the request allows that.
    case stale
    /// It is given although its time is over, and a fresh one is fetched meanwhile.
    case staleWhileRevalidating
    /// The server is asked first whether it still holds.
    case validate
}
