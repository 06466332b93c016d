internal import ConstraintSolver

/// Lays out a tree of items by their constraints.
///
/// The owner of the root (a window) makes one, tells it of items that join and leave, sets the root's size and applies
/// what ``layout()`` returns:
///
///     let engine = LayoutEngine(root: rootView)
///     engine.setSize(width: 80, height: 24)
///     for change in engine.layout() { ... }
///
/// Everything is solved incrementally: a layout costs what changed. Edges are rounded, not sizes, so that neighbours that
/// share an edge always meet. Constraints that cannot hold together never stop a layout: see ``diagnostics``.
@MainActor
public final class LayoutEngine {
    /// Where lines of text begin, for leading and trailing.
    public var layoutDirection = LayoutDirection.leftToRight {
        didSet {
            guard oldValue != layoutDirection else { return }
            reenterAll { $0.isDirectional }
            shouldRetry = true
            setNeedsLayout()
        }
    }

    private let box = SolverBox()
    var solver: Solver {
        _read { yield box.solver }
        _modify { yield &box.solver }
    }
    var records: [ItemRecord?] = []
    var freePlaces: [Int] = []
    /// For each solver variable four times the place of its item, plus 0 for its left edge, 1 for its top edge, 2 for its
    /// width, 3 for its height; -1 for none.
    var owners: [Int] = []
    var rootRecord: ItemRecord?
    var wantedSize = LayoutSize.zero
    var hasNewSize = false

    var constraintRecords: [ConstraintRecord?] = []
    var freeConstraintPlaces: [Int] = []
    /// Constraints to enter or change, in order.
    var pending: [ConstraintRecord] = []
    /// Constraints whose other item is not in the tree, and those left out.
    var waiting: [ConstraintRecord] = []
    /// The records by solver id, to explain conflicts.
    var recordsByID: [ConstraintID: ConstraintRecord] = [:]
    /// Constraints of the layout's own by solver id.
    var ownByID: [ConstraintID: OwnConstraint] = [:]
    /// What content requires and cannot have at present, in the order in which it was found.
    var leftOut: [LeftOut] = []
    var nextSequence = 0
    /// Whether anything happened that could let a constraint that was left out hold.
    var shouldRetry = false

    var dirty: [ItemRecord] = []
    var needingIntrinsic: [ItemRecord] = []
    var needingGeometry: [ItemRecord] = []
    var refusals = RefusalList()

    /// Called when the layout becomes out of date: once for the first change after ``layout()``, not again until the next
    /// call of ``layout()``.
    ///
    /// A change is anything that can move a frame: a constraint that is activated, deactivated, remade or given another
    /// constant, priority, multiplier or target; an item or a guide that joins or leaves; content that asks for another
    /// size; a safe area, margins, visibility, the root's size or the reading direction. A change that an item makes while
    /// ``layout()`` runs is reported when it returns. A new engine is out of date from the start and does not call.
    ///
    /// The call comes in the middle of the change: schedule a layout from it rather than lay out at once, so that the
    /// changes that follow are part of it.
    public var onLayoutNeeded: (@MainActor () -> Void)?
    /// Whether anything changed since the last call of ``layout()``, so that another call can move frames.
    public private(set) var needsLayout = true
    private var isLayingOut = false
    private var changedDuringLayout = false
    let releases = ReleaseCount()

    /// Makes an engine for the tree below a root, whose top left corner is the origin.
    ///
    /// - Parameter root: the root, with the children it has by now.
    public init(root: any LayoutItem) {
        add(root, parent: nil)
        guard let record = rootRecord else { return }
        for role in [OwnConstraint.Role.origin, .size] {
            for axis in LayoutAxis.allCases { keep(role, axis, of: record, at: 0) }
        }
    }

    /// Sets the root's size; it takes effect at the next layout.
    ///
    /// - Parameters:
    ///   - width: the width, zero to 1e9; other numbers are brought there, one that is not a number is ignored.
    ///   - height: the height, likewise.
    public func setSize(width: Double, height: Double) {
        var size = wantedSize
        if !width.isNaN { size.width = min(max(0, width), Solver.largestConstant) }
        if !height.isNaN { size.height = min(max(0, height), Solver.largestConstant) }
        guard size != wantedSize else { return }
        wantedSize = size
        hasNewSize = true
        setNeedsLayout()
    }

    /// Tells that what an item's content asks for may be another; it is asked at the next layout.
    ///
    /// - Parameter item: the item.
    public func invalidateIntrinsicSize(of item: any LayoutItem) {
        intrinsicSizeChanged(item.layoutNode)
    }

    /// The frame that an item had after the last layout, relative to its parent; `nil` for an item that is not in the
    /// tree.
    public func frame(of item: any LayoutItem) -> LayoutRect? {
        record(of: item)?.frame
    }

    /// What is wrong with the layout as it stands: conflicts and what was left out, constraints that were refused. What
    /// cannot come right by itself (an impossible number, an item that was released, a constraint put into force twice) is
    /// told until a layout has gone by without it.
    public var diagnostics: [LayoutDiagnostic] {
        var found = refusals.errors.map { LayoutDiagnostic.refused($0) }
        found += leftOut.map(\.diagnostic)
        for record in waiting.sorted(by: { $0.sequence < $1.sequence }) {
            switch record.state {
            case .dropped(let conflict): found.append(.conflict(conflict))
            case .refused(let error): found.append(.refused(error))
            case .waiting, .inForce, .resting, .removed: break
            }
        }
        return found
    }

    /// Marks the layout as out of date and reports it, once until the next layout.
    func setNeedsLayout() {
        if isLayingOut { return changedDuringLayout = true }
        guard !needsLayout else { return }
        needsLayout = true
        onLayoutNeeded?()
    }

    func layoutBegins() {
        isLayingOut = true
        changedDuringLayout = false
        refusals.layoutBegins()
    }

    func layoutEnds() {
        refusals.layoutEnds()
        isLayingOut = false
        needsLayout = false
        // What an item changed in one of its methods may have come too late for this layout.
        let isUnsettled = !pending.isEmpty || !needingIntrinsic.isEmpty || !needingGeometry.isEmpty || shouldRetry
        if changedDuringLayout, isUnsettled { setNeedsLayout() }
    }

    func record(of item: any LayoutItem) -> ItemRecord? {
        record(of: item.layoutNode)
    }

    func record(of node: LayoutNode) -> ItemRecord? {
        guard node.backend === self, node.place >= 0, node.place < records.count else { return nil }
        return records[node.place]
    }
}
