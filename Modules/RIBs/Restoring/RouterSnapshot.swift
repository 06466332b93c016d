/// The tree of routers as a value that can be kept and restored after the process was killed.
///
/// It holds where the user was, not what the user had: names of nodes and small texts, never the model.
public struct RouterSnapshot: Codable, Equatable, Sendable {
    /// The node's name, unique among what its parent can attach.
    public var id: String
    /// What the node needs to find its place again, such as a page's number or a todo's ID.
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
