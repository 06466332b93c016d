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
/// A component that two builds share would share its instances too: two screens would change the same state. A
/// ``MultiStageBuilder`` has the same check for each of its passes.
@MainActor
open class ComponentizedBuilder<ComponentType, RouterType, DynamicDependency>: Buildable {
    private let makeComponent: @MainActor () -> ComponentType
    private let makeRouter: @MainActor (ComponentType, DynamicDependency) -> RouterType
    private var check = FreshComponentCheck()

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
        makeComponent = component
        makeRouter = router
    }

    /// Builds a router with a new component.
    ///
    /// - Parameter dynamicDependency: the dependency that only this build has, such as a listener.
    /// - Returns: the router.
    public final func build(with dynamicDependency: DynamicDependency) -> RouterType {
        let component = makeComponent()
        check.report(ifReused: component, by: "\(Self.self)")
        return makeRouter(component, dynamicDependency)
    }
}

extension ComponentizedBuilder where DynamicDependency == Void {
    /// Builds a router with a new component.
    public final func build() -> RouterType { build(with: ()) }
}

/// Finds a component that a builder received in its last build, too.
@MainActor
struct FreshComponentCheck {
    private weak var last: AnyObject?

    /// Reports a component that is the same object as the last one. Values are always new.
    mutating func report(ifReused component: Any, by builder: String) {
        guard type(of: component) is AnyClass else { return }
        let object = component as AnyObject
        if object === last {
            Misuse.report(.reusedComponent(component: "\(type(of: component))", builder: builder))
        }
        last = object
    }
}
