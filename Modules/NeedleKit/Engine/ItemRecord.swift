internal import ConstraintSolver

/// What the engine knows of an item in its tree.
@MainActor
final class ItemRecord {
    weak var item: (any LayoutItem)?
    weak var node: LayoutNode?
    weak var parent: ItemRecord?
    var children = TicketList<ItemRecord>()
    /// The record's among its parent's children.
    var ticket = -1
    let depth: Int
    let place: Int
    /// The parent's place, -1 for the root: quicker to follow than a weak reference.
    let parentPlace: Int
    let isGuide: Bool

    let left: Variable
    let top: Variable
    let width: Variable
    let height: Variable

    /// The constraints that refer to the item on either side.
    var constraints = TicketList<ConstraintRecord>()
    /// The constraints of the layout's own on the item.
    var own = AxisPair(horizontal: OwnConstraintIDs(), vertical: OwnConstraintIDs())
    /// Where the baselines are, once a constraint refers to one.
    var baselines: Baselines?
    var intrinsicHeightForWidth: Double?
    var lastIntrinsicWidth: Int?
    var isCollapsed = false

    /// Edges on the whole-number grid, in the root's coordinates.
    struct Edges: Equatable {
        var left = 0
        var top = 0
        var right = 0
        var bottom = 0
    }

    /// The values of the variables, as the solver told them last.
    var solved = (left: 0.0, top: 0.0, width: 0.0, height: 0.0)
    /// The rounded edges.
    var edges = Edges()
    /// Whether the left or top edge is another since frames were told last, so that the children's frames are, too.
    var hasMoved = false
    /// Whether the record is among those whose frame is about to be told.
    var isListed = false
    /// Whether the item left the tree.
    var isGone = false
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
        self.parent = parent
        self.place = place
        parentPlace = parent?.place ?? -1
        depth = (parent?.depth ?? -1) + 1
        isGuide = item is LayoutGuide
        self.left = left
        self.top = top
        self.width = width
        self.height = height
    }

    /// The name in descriptions.
    var displayName: String { node?.displayName ?? LayoutNode.releasedName }
}
