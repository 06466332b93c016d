internal import ConstraintSolver

/// What the engine knows of an item in its tree.
@MainActor
final class ItemRecord {
    weak var item: (any LayoutItem)?
    weak var node: LayoutNode?
    let identity: ObjectIdentifier
    weak var parent: ItemRecord?
    var children: [ItemRecord] = []
    let depth: Int
    let place: Int
    let isGuide: Bool

    let left: Variable
    let top: Variable
    let width: Variable
    let height: Variable

    /// The constraints that refer to the item on either side.
    var constraints: [ConstraintRecord] = []
    /// The wishes of the content: at most and at least its width and height.
    var hugging: [LayoutAxis: ConstraintID] = [:]
    var compression: [LayoutAxis: ConstraintID] = [:]
    var intrinsicHeightForWidth: Double?
    var lastIntrinsicWidth: Int?
    /// What keeps width and height from being negative, made when one was.
    var nonNegative: [LayoutAxis: ConstraintID] = [:]
    /// What shrinks a collapsed item.
    var collapse: [LayoutAxis: ConstraintID] = [:]
    var isCollapsed = false

    /// The rounded edges in the root's coordinates.
    var edges = (left: 0, top: 0, right: 0, bottom: 0)
    var frame: LayoutRect?
    var isDirty = true
    var needsIntrinsic = true
    var needsGeometry = false

    init(
        _ item: any LayoutItem,
        parent: ItemRecord?,
        place: Int,
        left: Variable,
        top: Variable,
        width: Variable,
        height: Variable
    ) {
        self.item = item
        node = item.layoutNode
        identity = ObjectIdentifier(item)
        self.parent = parent
        self.place = place
        depth = (parent?.depth ?? -1) + 1
        isGuide = item is LayoutGuide
        self.left = left
        self.top = top
        self.width = width
        self.height = height
    }

    func extent(_ axis: LayoutAxis) -> Variable { axis == .horizontal ? width : height }
}
