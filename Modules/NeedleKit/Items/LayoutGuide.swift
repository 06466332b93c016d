/// A rectangle without content that takes part in a layout: to align to, to space by, to group.
@MainActor
public final class LayoutGuide: LayoutItem {
    /// The guide's side of the layout.
    public let layoutNode = LayoutNode()
    /// The item that the guide belongs to.
    public private(set) weak var owner: (any LayoutItem)?

    /// Makes a guide that belongs to an item for as long as the item lives or until ``remove()``.
    ///
    /// - Parameters:
    ///   - owner: the item in whose coordinates the guide lies.
    ///   - name: a name for diagnostics.
    public init(in owner: any LayoutItem, name: String? = nil) {
        self.owner = owner
        layoutNode.item = self
        layoutNode.name = name
        owner.layoutNode.guides.append(self)
        owner.layoutNode.backend?.guideAdded(self, to: owner.layoutNode)
    }

    /// The owner.
    public var layoutParent: (any LayoutItem)? { owner }

    /// Takes the guide and its constraints away from its owner.
    public func remove() {
        layoutNode.backend?.guideRemoved(self)
        owner?.layoutNode.guides.removeAll { $0 === self }
        owner = nil
    }
}
