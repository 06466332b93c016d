/// An object that builds the router of a RIB with everything that belongs to it.
@MainActor
public protocol Buildable: AnyObject {}

/// The base class of builders; a subclass adds the `build` method that its RIB needs.
@MainActor
open class Builder<DependencyType>: Buildable {
    /// The dependencies that the parent provides.
    public final let dependency: DependencyType

    /// Creates a builder.
    ///
    /// - Parameter dependency: the dependencies that the parent provides.
    public init(dependency: DependencyType) {
        self.dependency = dependency
    }
}

/// A builder for a RIB that is built in several steps, such as one whose views are needed before its router.
///
/// All steps of a pass use the same component. The final step ends the pass; the next use of the builder begins another pass
/// with a new component.
@MainActor
open class MultiStageBuilder<ComponentType, RouterType, DynamicDependency>: Buildable {
    private let makeComponent: @MainActor () -> ComponentType
    private let makeRouter: @MainActor (ComponentType, DynamicDependency) -> RouterType
    private var current: ComponentType?
    private var check = FreshComponentCheck()

    /// Creates a builder.
    ///
    /// - Parameters:
    ///   - component: makes the component of a pass. It must return a new one each time:
    ///     ``Misuse/reusedComponent(component:builder:)`` is reported otherwise.
    ///   - finalStage: makes the router from the component and the dependency that only the final step has.
    public init(
        component: @escaping @MainActor () -> ComponentType,
        finalStage: @escaping @MainActor (ComponentType, DynamicDependency) -> RouterType
    ) {
        makeComponent = component
        makeRouter = finalStage
    }

    /// The component of the current pass; the first access begins the pass.
    public final var componentForCurrentPass: ComponentType {
        if let current { return current }
        let component = makeComponent()
        check.report(ifReused: component, by: "\(Self.self)")
        current = component
        return component
    }

    /// Ends the pass and returns the router that is made from its component.
    ///
    /// - Parameter dynamicDependency: the dependency that only this step has.
    /// - Returns: the router.
    public final func finalStageBuild(with dynamicDependency: DynamicDependency) -> RouterType {
        let component = componentForCurrentPass
        current = nil
        return makeRouter(component, dynamicDependency)
    }
}
