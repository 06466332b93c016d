/// What plugins know of a request beside the request itself.
public struct RequestContext: Sendable {
    /// A number that no other request of the same provider, or of a copy of it, has; counted from 1.
    public let id: UInt64
    /// The name of the target's type.
    public let target: String
    /// The target's own retry policy; nil leaves it to the plugin.
    public let retry: RetryPolicy?
    /// What the provider leaves out of errors, its plugins' ``NetworkPlugin/secrets`` included.
    public let redaction: Redaction
    /// What the request has in common with the others of its piece of work.
    public let scope: RequestScope
    /// The number of the request in whose course this one is made, such as one that signs it; nil for one of its own.
    public let parent: UInt64?
    /// The target's own sample, for a ``StubTransport``.
    let stub: StubbedResponse?

    /// The request that the present task is sending: in plugins, in what they call, in a transport; nil elsewhere.
    @TaskLocal public static var current: RequestContext?
}
