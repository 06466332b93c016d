/// The dependencies that a RIB makes for itself and for its children.
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

    /// What the parent provides.
    public final let dependency: DependencyType

    private var instances: [Key: Any] = [:]

    /// Creates a component over what the parent provides.
    public init(dependency: DependencyType) {
        self.dependency = dependency
    }

    /// The one instance of a property, made at its first use and kept as long as the component.
    ///
    /// - Parameters:
    ///   - property: The property's name; leave it out.
    ///   - factory: Makes the instance; it may use other shared properties. Runs once.
    /// - Returns: The same instance at every call from the same property.
    public final func shared<Instance>(_ property: String = #function, _ factory: () -> Instance) -> Instance {
        let key = Key(property: property, type: ObjectIdentifier(Instance.self))
        // In two steps: an absent entry would itself pass for an instance that is an optional.
        if let kept = instances[key], let instance = kept as? Instance { return instance }
        let instance = factory()
        instances.updateValue(instance, forKey: key)
        return instance
    }
}
