import Locking

/// Whether the way to an answer led over another origin, where credentials stay behind for good: an answer of the first
/// origin after that says nothing about them.
///
/// Whoever wants to know makes one around the sending; without one, nothing is noted.
final class RedirectTrail: Sendable {
    @TaskLocal private static var current: RedirectTrail?

    /// The number of the request whose way it is: requests that plugins make meanwhile have ways of their own.
    private let id: UInt64
    private let hasLeft = Locked(false)

    private init(_ id: UInt64) { self.id = id }

    /// The trail of a request that somebody wants to know about.
    static func current(of context: RequestContext) -> RedirectTrail? {
        current.flatMap { $0.id == context.id ? $0 : nil }
    }

    /// Sends, and tells whether the last way that was tried led over another origin.
    static func following(
        _ context: RequestContext,
        _ send: () async throws -> HTTPResponse
    ) async throws -> (response: HTTPResponse, hasLeft: Bool) {
        let trail = current(of: context) ?? RedirectTrail(context.id)
        let response = try await $current.withValue(trail) { try await send() }
        return (response, trail.hasLeft.withLock { $0 })
    }

    /// A try begins at the first origin.
    func begin() { hasLeft.withLock { $0 = false } }

    /// A redirect to another origin is followed.
    func leave() { hasLeft.withLock { $0 = true } }
}
