/// What makes the router of a RIB, with all that belongs to it.
@MainActor
public protocol Buildable: AnyObject {}

/// A builder over what the parent provides; a subclass adds the `build` that its RIB needs.
@MainActor
open class Builder<DependencyType>: Buildable {
    /// What the parent provides.
    public final let dependency: DependencyType

    /// Creates a builder over what the parent provides.
    public init(dependency: DependencyType) {
        self.dependency = dependency
    }
}
