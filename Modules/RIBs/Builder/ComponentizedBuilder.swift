/// A builder for a RIB that is built in several steps, such as one whose views are needed before its router.
///
/// All steps of a pass use the same component. The final step ends the pass; the next use of the builder begins another pass
/// with a new component.
@MainActor
open class MultiStageBuilder<ComponentType, RouterType, DynamicDependency>: Buildable {
    private let makeComponent: @MainActor () -> ComponentType
    private let makeRouter: @MainActor (ComponentType, DynamicDependency) -> RouterType
    private var current: ComponentType?
    /// The component of the last pass, if it is an object.
    private weak var last: AnyObject?

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
        current = component
        // Values are always new. As `Any`, the type is that of the object, also for a component of protocol type.
        guard type(of: component as Any) is AnyClass else { return component }
        let object = component as AnyObject
        if object === last {
            Misuse.report(.reusedComponent(component: "\(type(of: object))", builder: "\(Self.self)"))
        }
        last = object
        return component
    }

    /// Ends the pass and returns the router that is made from its component and a dependency that only this step has.
    public final func finalStageBuild(with dynamicDependency: DynamicDependency) -> RouterType {
        let component = componentForCurrentPass
        current = nil
        return makeRouter(component, dynamicDependency)
    }
}

/// A builder that makes a new component for each build, and reports a component that was returned before.
///
///     final class TodoBuilder: ComponentizedBuilder<TodoComponent, TodoRouter, TodoID> {
///         init(dependency: any TodoDependency) {
///             super.init {
///                 TodoComponent(dependency: dependency)
///             } router: { component, id in
///                 TodoRouter(interactor: TodoInteractor(id: id, store: component.store))
///             }
///         }
///     }
///     let router = TodoBuilder(dependency: component).build(with: id)
///
/// A component that two builds share would share its instances too: two screens would change the same state.
@MainActor
open class ComponentizedBuilder<ComponentType, RouterType, DynamicDependency>:
    MultiStageBuilder<ComponentType, RouterType, DynamicDependency>
{
    /// Creates a builder.
    ///
    /// - Parameters:
    ///   - component: makes the component of a build. It must return a new one each time:
    ///     ``Misuse/reusedComponent(component:builder:)`` is reported otherwise.
    ///   - router: makes the router from the component and the dependency of the build.
    public init(
        component: @escaping @MainActor () -> ComponentType,
        router: @escaping @MainActor (ComponentType, DynamicDependency) -> RouterType
    ) {
        super.init(component: component, finalStage: router)
    }

    /// Builds a router with a new component and a dependency that only this build has, such as a listener.
    public final func build(with dynamicDependency: DynamicDependency) -> RouterType {
        finalStageBuild(with: dynamicDependency)
    }
}

extension ComponentizedBuilder where DynamicDependency == Void {
    /// Builds a router with a new component.
    public final func build() -> RouterType { build(with: ()) }
}
