internal import ConstraintSolver

/// The engine's record of an item in its tree.
@MainActor
final class ItemRecord {
    weak var item: (any LayoutItem)?
    weak var node: LayoutNode?
    weak var parent: ItemRecord?
    var children = StableList<ItemRecord>()
    /// The record's key in its parent's list of children.
    var childKey = -1
    let depth: Int
    /// The record's index in the tree.
    let index: Int
    /// The parent's index, -1 for the root. Faster to follow than the weak reference.
    let parentIndex: Int
    let isGuide: Bool

    let variables: ItemVariables
    var left: Variable { variables.left }
    var top: Variable { variables.top }
    var width: Variable { variables.width }
    var height: Variable { variables.height }

    /// The constraints that refer to the item on either side.
    var constraints = StableList<ConstraintRecord>()
    /// The ids of the implicit constraints on the item that are in the solver.
    var implicit: [ImplicitConstraint.Key: ConstraintID] = [:]
    /// The positions of the baselines, once a constraint refers to one.
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

    /// The rounded edges, from which the frames of the item and of its children follow.
    var edges = Edges()
    /// Whether the left or top edge changed since frames were last returned, which changes the children's frames.
    var hasMoved = false
    /// Whether the record is in the list of frames about to be returned.
    var isListed = false
    /// Whether the item left the tree.
    var isGone = false
    /// Whether the node's frame is that of a layout.
    var hasFrame = false
    var isDirty = true
    var needsIntrinsic = true
    var needsGeometry = false

    init(_ item: any LayoutItem, parent: ItemRecord?, index: Int, variables: ItemVariables) {
        self.item = item
        node = item.layoutNode
        self.parent = parent
        self.index = index
        parentIndex = parent?.index ?? -1
        depth = (parent?.depth ?? -1) + 1
        isGuide = item is LayoutGuide
        self.variables = variables
    }

    /// The item's name in descriptions.
    var displayName: String { node?.displayName ?? LayoutNode.releasedName }

    // MARK: - Baselines

    /// The positions of the baselines of an item's text.
    struct Baselines: Equatable {
        /// The distance of the first baseline from the top edge; `nil` places it at the bottom edge.
        var first: Double?
        /// The distance of the last baseline from the bottom edge.
        var last: Double
    }

    /// The baselines that the item has now; `nil` once it is released.
    var presentBaselines: Baselines? {
        item.map { Baselines(first: $0.firstBaselineFromTop, last: $0.lastBaselineFromBottom) }
    }

    /// The baselines that constraints use: read at first use, and again when the intrinsic size is invalidated.
    func usedBaselines() -> Baselines {
        let used = baselines ?? presentBaselines ?? Baselines(first: nil, last: 0)
        baselines = used
        return used
    }

    // MARK: - Attributes as expressions

    /// Adds a multiple of an attribute of the item to an expression.
    func add(
        _ attribute: LayoutAttribute,
        times factor: Double,
        area: LayoutArea,
        direction: LayoutDirection,
        to expression: inout Expression
    ) {
        let insets = area == .frame ? .zero : node?.insets(of: area) ?? .zero
        let side = attribute.side(in: direction)
        expression.constant += factor * side.constant(of: insets)
        switch side {
        case .left, .leading: expression.add(left, factor)
        case .right, .trailing:
            expression.add(left, factor)
            expression.add(width, factor)
        case .centerX:
            expression.add(left, factor)
            expression.add(width, factor / 2)
        case .width: expression.add(width, factor)
        case .top: expression.add(top, factor)
        case .bottom:
            expression.add(top, factor)
            expression.add(height, factor)
        case .centerY:
            expression.add(top, factor)
            expression.add(height, factor / 2)
        case .height: expression.add(height, factor)
        case .firstBaseline:
            expression.add(top, factor)
            if let offset = usedBaselines().first {
                expression.constant += factor * offset
            } else {
                expression.add(height, factor)
            }
        case .lastBaseline:
            expression.add(top, factor)
            expression.add(height, factor)
            expression.constant -= factor * usedBaselines().last
        }
    }
}

/// The solver's variables of an item.
struct ItemVariables {
    let left: Variable
    let top: Variable
    let width: Variable
    let height: Variable

    init(in solver: inout Solver) {
        left = solver.makeVariable()
        top = solver.makeVariable()
        width = solver.makeVariable()
        height = solver.makeVariable()
    }

    var all: [Variable] { [left, top, width, height] }
}

/// A linear expression over solver variables.
struct Expression {
    var terms: [Term] = []
    var constant = 0.0

    mutating func add(_ variable: Variable, _ coefficient: Double) {
        if coefficient != 0 { terms.append(Term(variable, coefficient)) }
    }
}
