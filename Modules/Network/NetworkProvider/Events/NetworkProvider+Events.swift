import EssentialFoundation

extension NetworkProvider {
    /// Returns the server-sent events of a target, over any number of connections.
    ///
    /// ```swift
    /// for try await event in provider.events(Barks()) { list.append(event.data) }
    /// ```
    ///
    /// Nothing is sent before the first event is requested. A slow reader slows the server down. The target's idle
    /// timeout should be longer than the time between two events or comments.
    /// - Parameters:
    ///   - target: the target; its validation is not used.
    ///   - policy: when the stream connects again.
    /// - Returns: the events; each iterator has its own connection.
    public func events<Target: RemoteTargetType>(
        _ target: Target,
        policy: EventPolicy = EventPolicy()
    ) -> ServerSentEvents {
        ServerSentEvents(policy: policy) { lastID throws(NetworkError) in
            try await perform(EventTarget(target: target, lastID: lastID), events: nil) { $0 }
        }
    }
}

/// A target that is requested as an event stream, from the last event on.
struct EventTarget<Base: RemoteTargetType>: RemoteTargetType, TargetWrapper {
    let target: Base
    let lastID: String

    static var targetName: String { Base.targetName }

    var wrapped: any RemoteTargetType { target }
    var base: String { target.base }
    var path: String { get throws(NetworkError) { try target.path } }
    /// A stream has no end: stored, it would fill the cache up to its limit without being usable.
    var cachePolicy: HTTPCachePolicy { .ignore }
    var retry: RetryPolicy { target.retry }
    /// The stream examines the status.
    var validation: ResponseValidation { .any }

    func asRequest() throws(NetworkError) -> HTTPRequest {
        var request = try target.asRequest()
        request.headers[.accept] = "text/event-stream"
        request.headers[.cacheControl] = "no-cache"
        // A compressed stream that ends early is a malformed body, after which the stream would not connect again.
        if !request.headers.contains(.acceptEncoding) { request.headers[.acceptEncoding] = "identity" }
        if !lastID.isEmpty { request.headers["Last-Event-ID"] = lastID }
        return request
    }
}

/// When an event stream connects again.
public struct EventPolicy: Sendable {
    /// The maximum number of connections in a row without an event or a comment. Then the stream fails with the last
    /// failure. 0 connects once, and the stream ends without a failure when the server ends the response.
    public var maximumFailures: Int
    /// The delay before the next connection, if the server requires none; it doubles with each failure in a row.
    public var baseDelay: Duration
    /// The minimum delay, whatever the server requires.
    public var minimumDelay: Duration
    /// The maximum delay, whatever the server requires.
    public var maximumDelay: Duration
    /// The maximum size of an event, and of a line, in bytes.
    public var maximumEventBytes: Int
    /// Measures the delays.
    public var clock: any Clock<Duration>
    /// Returns numbers from 0 to 1 for the jitter.
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

    /// Returns the required delay, doubled with each failure after the first, with up to a fifth more as jitter, and at
    /// least another delay that the server requires.
    func delay(required: Duration?, failures: Int, atLeast least: Duration) -> Duration {
        let base = min(max(required ?? baseDelay, minimumDelay), maximumDelay)
        let doubled = base.seconds(doubled: failures - 1)
        let seconds = min(doubled * (1 + 0.2 * min(max(random(), 0), 1)), maximumDelay / .seconds(1))
        return max(.seconds(seconds), min(least, maximumDelay))
    }
}
