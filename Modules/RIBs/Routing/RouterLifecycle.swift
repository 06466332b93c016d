/// A moment in the life of a router.
public enum RouterLifecycle: Equatable, Sendable {
    /// The router is about to run ``Router/didLoad()``.
    case didLoad
}
