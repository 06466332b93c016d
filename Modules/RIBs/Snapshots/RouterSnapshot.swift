/// The tree of routers as a value that can be stored, and restored after the process was killed.
///
/// It holds the place where the user was, not the data: names of nodes and short texts, never the model.
public struct RouterSnapshot: Codable, Equatable, Sendable {
    /// The name of the node, unique among what its parent can attach.
    public var id: String
    /// What the node needs to find its place again, such as a page number or the ID of a todo.
    public var state: [String: String]
    /// The attached children, in order.
    public var children: [RouterSnapshot]

    /// Creates a snapshot of a node.
    public init(id: String, state: [String: String] = [:], children: [RouterSnapshot] = []) {
        self.id = id
        self.state = state
        self.children = children
    }
}

/// A node that can be restored after the process was killed.
///
/// Snapshots leave out a node that is not restorable, with all nodes below it.
@MainActor
public protocol RestorableRouting: Routing {
    /// The name of the node, unique among what its parent can attach. It is stored on disk: a changed name is not restored.
    var restorationID: String { get }

    /// What the node needs to find its place again; empty by default.
    var restorationState: [String: String] { get }

    /// Restores the place that a state describes; does nothing by default.
    ///
    /// The state may be of an older version, or damaged: ignore what is missing or invalid.
    func restore(state: [String: String])

    /// Routes to a child as if the user had: builds it, attaches it, shows it.
    ///
    /// - Parameters:
    ///   - id: the name of the child.
    ///   - state: the state of the child, for what is needed to build it; ``restore(state:)`` receives it afterwards.
    /// - Returns: the attached child, or `nil` if there is no such child now, which is the default.
    func restoreChild(id: String, state: [String: String]) -> (any RestorableRouting)?
}

extension RestorableRouting {
    /// Empty.
    public var restorationState: [String: String] { [:] }

    /// Does nothing.
    public func restore(state: [String: String]) {}

    /// Returns `nil`.
    public func restoreChild(id: String, state: [String: String]) -> (any RestorableRouting)? { nil }

    /// The current tree from this node down.
    public var snapshot: RouterSnapshot {
        RouterSnapshot(
            id: restorationID,
            state: restorationState,
            children: children.compactMap { ($0 as? any RestorableRouting)?.snapshot }
        )
    }

    /// Restores the tree from this node down.
    ///
    /// The node must be attached. A child that is attached already, such as one that ``Interactor/didBecomeActive()``
    /// attaches, is used; others come from ``restoreChild(id:state:)``, parents first, in order. A child that cannot be
    /// restored is left out with all nodes below it; the rest is restored.
    ///
    /// - Parameter snapshot: a value of ``snapshot``; the name of its root is ignored.
    /// - Returns: the paths of the nodes that could not be restored, such as "root/todo/edit".
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
