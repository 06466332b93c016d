/// A mistake in the use of the module. It is reported, and the tree is not changed by it.
public enum Misuse: Hashable, Sendable, CustomStringConvertible {
    /// A router attached a child that it had attached before.
    case attachedTwice(child: String, parent: String)
    /// A router attached a child of another router.
    case attachedElsewhere(child: String, parent: String, otherParent: String)
    /// A router attached itself.
    case attachedToItself(router: String)
    /// A router attached a router above it.
    case attachedAncestor(child: String, parent: String)
    /// A router attached a child that a router is deactivating, in one of the hooks that this calls.
    case attachedWhileResigning(child: String, parent: String)
    /// A ``MultiStageBuilder`` received the component of the last pass for a new pass.
    case reusedComponent(component: String, builder: String)

    /// Receives each misuse; the default is an assertion failure, which stops debug builds only.
    ///
    /// A test sets another receiver for a task:
    ///
    ///     Misuse.$report.withValue({ reported.append($0) }) { parent.attachChild(child) }
    @TaskLocal public static var report: @MainActor @Sendable (Misuse) -> Void = { assertionFailure($0.description) }

    /// What happened and what to do.
    public var description: String {
        switch self {
        case .attachedTwice(let child, let parent):
            "\(parent) attached \(child) a second time: attach it once, or detach it first"
        case .attachedElsewhere(let child, let parent, let otherParent):
            "\(parent) attached \(child), a child of \(otherParent): detach it there first"
        case .attachedToItself(let router):
            "\(router) attached itself: attach the router that the child's builder returned"
        case .attachedAncestor(let child, let parent):
            "\(parent) attached \(child), which is above it: attach the router that the child's builder returned"
        case .attachedWhileResigning(let child, let parent):
            "\(parent) attached \(child) while it resigns: attach it when it has resigned"
        case .reusedComponent(let component, let builder):
            "\(builder) received the \(component) of the last pass again: make a new component for each pass"
        }
    }
}
