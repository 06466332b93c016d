/// The dependencies that a RIB requires of its parent: a protocol that refines this one lists them, and the parent's
/// component, or a value that is passed down, conforms to it.
@MainActor
public protocol Dependency {}

/// The dependency of a RIB that requires nothing.
@MainActor
public protocol EmptyDependency: Dependency {}

/// The component of a root that receives no dependencies.
@MainActor
public final class EmptyComponent: EmptyDependency {
    /// Creates an empty component.
    public init() {}
}

/// The dependencies that a RIB creates for itself and for its children.
///
///     final class TodoComponent: Component<any TodoDependency>, PictureDependency {
///         var store: TodoStore { shared { TodoStore(folder: dependency.folder) } }
///     }
@MainActor
open class Component<DependencyType>: Dependency {
    private struct Key: Hashable {
        var property: String
        var type: ObjectIdentifier
    }

    /// The dependencies that the parent provides.
    public final let dependency: DependencyType

    private var instances: [Key: Any] = [:]

    /// Creates a component.
    public init(dependency: DependencyType) { self.dependency = dependency }

    /// Returns the one instance of a property, which is made at the first access and retained by the component.
    ///
    /// - Parameters:
    ///   - property: the name of the property; leave it out.
    ///   - factory: makes the instance, once; it may use other shared properties.
    /// - Returns: the same instance for every call from the same property.
    public final func shared<Instance>(_ property: String = #function, _ factory: () -> Instance) -> Instance {
        let key = Key(property: property, type: ObjectIdentifier(Instance.self))
        // In two steps: where the instance is an optional, a missing entry could be cast to it.
        if let stored = instances[key], let instance = stored as? Instance { return instance }
        let instance = factory()
        instances.updateValue(instance, forKey: key)
        return instance
    }
}

/// An object that builds the router of a RIB with everything that belongs to it.
@MainActor
public protocol Buildable: AnyObject {}

/// The base class of builders; a subclass adds the `build` method that its RIB needs.
@MainActor
open class Builder<DependencyType>: Buildable {
    /// The dependencies that the parent provides.
    public final let dependency: DependencyType

    /// Creates a builder.
    public init(dependency: DependencyType) { self.dependency = dependency }
}
