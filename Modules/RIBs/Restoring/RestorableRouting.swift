/// A node that can be found again after the process was killed.
///
/// A node that is not restorable is left out of snapshots, with all below it.
@MainActor
public protocol RestorableRouting: Routing {
    /// The node's name, unique among what its parent can attach. It is kept on disk: do not change it lightly.
    var restorationID: String { get }

    /// What the node needs to find its place again; nothing by default.
    var restorationState: [String: String] { get }

    /// Takes the node to the place that a state describes. Nothing by default.
    ///
    /// The state may be of an older version, or damaged: what is missing or makes no sense is to be ignored.
    func restore(state: [String: String])

    /// Routes to a child as the user's way there would: builds it, attaches it, shows it.
    ///
    /// - Parameters:
    ///   - id: The child's name.
    ///   - state: The child's state, for what is needed to build it; ``restore(state:)`` gets it afterwards.
    /// - Returns: The attached child; nil when there is no such child now. Nil by default.
    func restoreChild(id: String, state: [String: String]) -> (any RestorableRouting)?
}

extension RestorableRouting {
    /// Nothing.
    public var restorationState: [String: String] { [:] }

    /// Does nothing.
    public func restore(state: [String: String]) {}

    /// No child.
    public func restoreChild(id: String, state: [String: String]) -> (any RestorableRouting)? { nil }

    /// The tree from this node down, as it is now.
    public var snapshot: RouterSnapshot {
        RouterSnapshot(
            id: restorationID,
            state: restorationState,
            children: children.compactMap { ($0 as? any RestorableRouting)?.snapshot }
        )
    }

    /// Takes the tree from this node down to where it was.
    ///
    /// The node must be attached. A child that is attached already, as one that ``Interactor/didBecomeActive()``
    /// attaches, is used as it is; others come from ``restoreChild(id:state:)``, parents first, in order. What cannot
    /// be restored is left out, with all below it, and the rest goes on.
    ///
    /// - Parameter snapshot: What ``snapshot`` gave; its own name is not looked at.
    /// - Returns: The ways to the nodes that could not be restored, as "root/todo/edit"; empty when all could.
    @discardableResult
    public func restore(from snapshot: RouterSnapshot) -> [String] {
        restore(state: snapshot.state)
        var missing: [String] = []
        var used: [ObjectIdentifier] = []
        for child in snapshot.children {
            let attached = children.lazy.compactMap { $0 as? any RestorableRouting }
                .first { $0.restorationID == child.id && !used.contains(ObjectIdentifier($0)) }
            guard let router = attached ?? restoreChild(id: child.id, state: child.state),
                children.contains(where: { $0 === router })
            else {
                missing.append("\(restorationID)/\(child.id)")
                continue
            }
            used.append(ObjectIdentifier(router))
            missing += router.restore(from: child).map { "\(restorationID)/\($0)" }
        }
        return missing
    }
}
