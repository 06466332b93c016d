#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension NetworkProvider {
    /// The target's server-sent events, over as many connections as it takes.
    ///
    /// ```swift
    /// for try await event in provider.events(Barks()) { list.append(event.data) }
    /// ```
    ///
    /// Nothing is sent before the first event is asked for. While nobody reads, the server is held back. Let the
    /// target's idle timeout be longer than the server's silence between two events or comments.
    /// - Parameters:
    ///   - target: what is asked for; its validation does not count here.
    ///   - policy: how the stream is kept up.
    /// - Returns: the events; every iterator of it connects for itself.
    public func events<Target: RemoteTargetType>(
        _ target: Target,
        policy: EventPolicy = EventPolicy()
    ) -> ServerSentEvents {
        ServerSentEvents(policy: policy) { lastID throws(NetworkError) in
            try await perform(EventTarget(target: target, lastID: lastID), events: nil) { $0 }
        }
    }
}

/// A target asked for as an event stream, from where the last connection broke.
struct EventTarget<Base: RemoteTargetType>: RemoteTargetType, TargetWrapper {
    let target: Base
    let lastID: String

    static var targetName: String { Base.targetName }

    var wrapped: any RemoteTargetType { target }
    var base: String { target.base }
    var path: String { target.path }
    /// A stream has no end: stored, it would fill the cache up to its limit, and nobody could be given it again.
    var cachePolicy: HTTPCachePolicy? { .ignore }
    var retry: RetryPolicy? { target.retry }
    /// The events decide themselves what an answer means.
    var validation: ResponseValidation { .any }

    func asRequest() throws(NetworkError) -> HTTPRequest {
        var request = try target.asRequest()
        request.headers["Accept"] = "text/event-stream"
        request.headers["Cache-Control"] = "no-cache"
        if !lastID.isEmpty { request.headers["Last-Event-ID"] = lastID }
        return request
    }
}

/// How an event stream is kept up.
public struct EventPolicy: Sendable {
    /// How many connections in a row may bring no event before the stream ends: with the last one's failure, or without
    /// one when the server ended it in order. 0 connects once.
    public var maximumFailures: Int
    /// The wait before the next connection, where the server asks for none; it doubles with each failure in a row.
    public var baseDelay: Duration
    /// The shortest wait, whatever the server asks for: one that asks for none could keep its clients connecting.
    public var minimumDelay: Duration
    /// The longest wait, whatever the server asks for.
    public var maximumDelay: Duration
    /// The greatest number of bytes of one event, and of one line.
    public var maximumEventBytes: Int
    /// What waits are measured by.
    public var clock: any Clock<Duration>
    /// Gives numbers from 0 to 1 for the jitter.
    public var random: @Sendable () -> Double

    /// Creates a policy.
    public init(
        maximumFailures: Int = 10,
        baseDelay: Duration = .seconds(3),
        minimumDelay: Duration = .milliseconds(50),
        maximumDelay: Duration = .seconds(60),
        maximumEventBytes: Int = 1 << 20,
        clock: any Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
    ) {
        self.maximumFailures = maximumFailures
        self.baseDelay = baseDelay
        self.minimumDelay = minimumDelay
        self.maximumDelay = maximumDelay
        self.maximumEventBytes = maximumEventBytes
        self.clock = clock
        self.random = random
    }

    /// What the server asks for, doubled with each failure behind the first, with up to a fifth more as jitter.
    func delay(asked: Duration?, failures: Int) -> Duration {
        let base = min(max(asked ?? baseDelay, minimumDelay), maximumDelay)
        let doubled = base.seconds(doubled: failures - 1)
        return .seconds(min(doubled * (1 + 0.2 * min(max(random(), 0), 1)), maximumDelay / .seconds(1)))
    }
}
