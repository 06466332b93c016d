/// A builder for a RIB that is built in several steps, such as one whose views are needed before its router.
///
/// Every step of one pass sees the same component; the last step ends the pass, and the next step after it begins
/// another with a component of its own.
@MainActor
open class MultiStageBuilder<ComponentType, RouterType, DynamicDependency>: Buildable {
    private let makeComponent: @MainActor () -> ComponentType
    private let makeRouter: @MainActor (ComponentType, DynamicDependency) -> RouterType
    private var current: ComponentType?

    /// Creates a builder.
    ///
    /// - Parameters:
    ///   - component: Makes the component of a pass.
    ///   - finalStage: Makes the router from the component and what only the last step knows.
    public init(
        component: @escaping @MainActor () -> ComponentType,
        finalStage: @escaping @MainActor (ComponentType, DynamicDependency) -> RouterType
    ) {
        makeComponent = component
        makeRouter = finalStage
    }

    /// The component of this pass; the first use begins the pass.
    public final var componentForCurrentPass: ComponentType {
        if let current { return current }
        let component = makeComponent()
        current = component
        return component
    }

    /// Ends the pass: makes the router from its component.
    ///
    /// - Parameter dynamicDependency: What only this step knows.
    /// - Returns: The router.
    public final func finalStageBuild(with dynamicDependency: DynamicDependency) -> RouterType {
        let component = componentForCurrentPass
        current = nil
        return makeRouter(component, dynamicDependency)
    }
}
