/// What a RIB needs of its parent: a protocol that refines this one lists it, and the parent's component conforms.
@MainActor
public protocol Dependency: AnyObject {}

/// The dependency of a RIB that needs nothing.
@MainActor
public protocol EmptyDependency: Dependency {}

/// The component of a root that is given nothing.
@MainActor
public final class EmptyComponent: EmptyDependency {
    /// Creates an empty component.
    public init() {}
}
