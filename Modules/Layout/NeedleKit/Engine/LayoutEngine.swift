internal import ConstraintSolver

/// Lays out a tree of items by their constraints.
///
/// The owner of the root, for example a window, creates an engine, notifies it of items that are added and removed, sets the
/// root's size and applies the frames that ``layout()`` returns:
///
///     let engine = LayoutEngine(root: rootView)
///     engine.setSize(width: 80, height: 24)
///     for change in engine.layout() { ... }
///
/// Layout is incremental: its cost depends on what changed. Edges are rounded, not sizes, so that items that share an edge
/// always meet. Conflicting constraints never stop a layout: see ``diagnostics``.
@MainActor
public final class LayoutEngine {
    let system = LayoutSystem()
    /// Items that are the root of another engine, so that they could not be added.
    var unavailable: [UnavailableItem] = []

    /// Creates an engine for the tree below a root. The root's top left corner is the origin.
    ///
    /// A root has one engine. If another engine lays out the root, this one lays out nothing until the other is released, and
    /// ``diagnostics`` reports ``LayoutDiagnostic/rootInUse(item:)``.
    ///
    /// - Parameter root: the root, with its present children.
    public init(root: any LayoutItem) {
        system.backend = self
        system.tree.engine = ObjectIdentifier(self)
        add(root, parent: nil)
    }

    // MARK: - Layout

    /// Called when the layout becomes out of date: once for the first change after ``layout()``, not again until the next
    /// call of ``layout()``.
    ///
    /// A change is anything that can move a frame: a constraint that is activated, deactivated or remade or whose constant,
    /// priority, multiplier or target changes; an item or a guide that is added or removed; content whose size changes; the
    /// safe area, margins, visibility, the root's size or the reading direction. A change that an item makes while
    /// ``layout()`` runs is reported when it returns. A new engine is out of date from the start, without a call.
    ///
    /// The call comes in the middle of the change. Schedule a layout instead of calling ``layout()`` from it, so that the
    /// layout includes the changes that follow.
    public var onLayoutNeeded: (@MainActor () -> Void)?
    /// Whether anything changed since the last call of ``layout()``, so that another call can move frames.
    public private(set) var needsLayout = true
    private var isLayingOut = false
    private var changedDuringLayout = false

    /// Lays out everything that changed since the last call.
    ///
    /// The constraints of different items are solved in the order in which the items were added, whatever the order of the
    /// statements, so that neither the cost nor the choice among equally good layouts depends on it.
    ///
    /// - Returns: the items whose frames changed, parents before their children, with their frames relative to their parents.
    ///   The first call returns every item.
    public func layout() -> [FrameChange] {
        isLayingOut = true
        changedDuringLayout = false
        system.errors.layoutBegins()
        defer { layoutEnded() }
        applyChanges()
        // Content that wraps is measured once its width is known, which rarely takes more than two rounds. The limit is for
        // content whose height never settles; rounds without a measurement do not count.
        var (measurements, cascades) = (0, 0)
        rounds: while true {
            switch system.roundEdges(measuresHeights: measurements < 8, constrainsSiblings: cascades >= 8) {
            case .settled: break rounds
            case .forbidsNegative: cascades += 1
            case .measuredHeights: measurements += 1
            }
            applyChanges()
        }
        return system.takeChanges()
    }

    private func layoutEnded() {
        system.errors.layoutEnds()
        isLayingOut = false
        needsLayout = false
        // A change that an item made in one of its methods may have come too late for this layout.
        if changedDuringLayout, system.hasPending { setNeedsLayout() }
    }

    /// Marks the layout as out of date and reports it, once until the next layout.
    func setNeedsLayout() {
        if isLayingOut { return changedDuringLayout = true }
        guard !needsLayout else { return }
        needsLayout = true
        onLayoutNeeded?()
    }

    /// Applies all changes since the last layout to the solver.
    private func applyChanges() {
        addUnavailable()
        for record in system.tree.takeReleased() where !record.isGone { remove(record) }
        system.applyContent()
        system.applyRootSize()
        system.applyStatements()
    }

    /// Returns the frame of an item after the last layout, relative to its parent; `nil` for an item that is not in the tree.
    public func frame(of item: any LayoutItem) -> LayoutRect? {
        record(of: item)?.hasFrame == true ? item.layoutNode.frame : nil
    }

    // MARK: - Size and direction

    /// Sets the root's size; it takes effect at the next layout. Both numbers are clamped to zero to 1e9, and ignored if they
    /// are not a number.
    public func setSize(width: Double, height: Double) {
        var size = system.rootSize
        if !width.isNaN { size.width = min(max(0, width), Solver.largestConstant) }
        if !height.isNaN { size.height = min(max(0, height), Solver.largestConstant) }
        guard size != system.rootSize else { return }
        system.rootSize = size
        system.needsRootSize = true
        setNeedsLayout()
    }

    /// The reading direction, for leading and trailing.
    public var layoutDirection: LayoutDirection {
        get { system.layoutDirection }
        set {
            guard newValue != system.layoutDirection else { return }
            system.layoutDirection = newValue
            for case let record? in system.records
            where record.constraint.attribute.isDirectional || record.constraint.target.attribute.isDirectional {
                system.reenter(record)
            }
            system.shouldRetry = true
            setNeedsLayout()
        }
    }

    // MARK: - Items

    /// Adds an item and everything below it, after it joined the tree. An item of the tree that has another parent now moves.
    ///
    /// - Parameter item: the top of the subtree. If its parent is not in the tree, the call does nothing. If it is the root of
    ///   another engine, ``diagnostics`` reports ``LayoutDiagnostic/rootInUse(item:)``.
    public func itemAdded(_ item: any LayoutItem) {
        guard let parent = item.layoutParent, let parentRecord = record(of: parent) else { return }
        if let present = record(of: item), present === system.tree.root || present.parent === parentRecord { return }
        add(item, parent: parentRecord)
        system.shouldRetry = true
        setNeedsLayout()
    }

    /// Removes an item and everything below it. Its constraints stay with it and apply again when it is added again.
    public func itemRemoved(_ item: any LayoutItem) {
        unavailable.removeAll { $0.item == nil || $0.item === item }
        guard let record = record(of: item), record !== system.tree.root else { return }
        remove(record)
        setNeedsLayout()
    }

    /// Reports that the intrinsic size or the baselines of an item may have changed; they are read at the next layout.
    public func invalidateIntrinsicSize(of item: any LayoutItem) { intrinsicSizeChanged(item.layoutNode) }

    func record(of item: any LayoutItem) -> ItemRecord? { system.tree.record(of: item.layoutNode) }

    func add(_ item: any LayoutItem, parent: ItemRecord?) {
        let node = item.layoutNode
        if let other = node.backend as? LayoutEngine, let former = other.system.tree.record(of: node) {
            if former === other.system.tree.root {
                if other === self { return }
                return unavailable.append(UnavailableItem(item: item, parent: parent, isRoot: parent == nil))
            }
            if former.parent === parent { return }
            // The item moves from another engine or from another parent.
            other.remove(former)
            other.setNeedsLayout()
            if parent?.isGone == true { return }
        }
        let record = system.tree.insert(item, parent: parent, variables: ItemVariables(in: &system.solver))
        node.backend = self
        for error in node.pendingErrors.takeAll() { system.errors.append(error) }
        system.addContent(of: record, isCollapsed: node.isCollapsed)
        for constraint in node.constraints where constraint.isActive { constraintAdded(constraint) }
        for guide in node.guides { add(guide, parent: record) }
        for child in item.layoutChildren { add(child, parent: record) }
        guard parent == nil else { return }
        for role in [ImplicitConstraint.Role.origin, .size] {
            for axis in LayoutAxis.allCases { system.setImplicit(role, axis, of: record, to: 0) }
        }
    }

    /// Adds the items again that were the root of another engine, in case that engine was released.
    private func addUnavailable() {
        guard !unavailable.isEmpty else { return }
        let former = unavailable
        unavailable = []
        for one in former {
            guard let item = one.item, one.isRoot || one.parent?.isGone == false else { continue }
            add(item, parent: one.parent)
            system.shouldRetry = true
        }
    }

    /// Removes a record and everything below it.
    func remove(_ record: ItemRecord) {
        record.parent?.children.remove(record.childKey)
        let subtree = system.tree.subtree(of: record)
        for member in subtree { detach(member) }
        for member in subtree {
            for variable in member.variables.all { try? system.solver.removeVariable(variable) }
            system.tree.remove(member)
        }
        system.shouldRetry = true
    }

    /// Removes everything from the solver that uses a record's variables.
    private func detach(_ record: ItemRecord) {
        for constraint in record.constraints {
            if constraint.item === record {
                system.remove(constraint)
                continue
            }
            // The constraint of another item may have been removed with that item, in the same subtree.
            if case .removed = constraint.state { continue }
            system.withdraw(constraint)
            switch constraint.state {
            case .dropped, .rejected: system.removeUnmet(constraint)
            case .pending, .active, .suspended, .removed: break
            }
            system.enqueue(constraint)
        }
        record.constraints.removeAll()
        system.removeAllImplicit(of: record)
        guard let node = record.node else { return }
        // Constraints that were not entered yet are linked to no record.
        for constraint in node.constraints {
            if let known = system.record(of: constraint) { system.remove(known) }
        }
        if node.backend === self {
            node.backend = nil
            node.frame = .zero
            node.index = -1
            node.releases = nil
        }
    }
}

/// An item whose frame changed in a layout.
@MainActor
public struct FrameChange {
    /// The item.
    public let item: any LayoutItem
    /// The item's frame, relative to its parent, on the whole-number grid.
    public let frame: LayoutRect
}

/// An item that is the root of another engine.
@MainActor
struct UnavailableItem {
    weak var item: (any LayoutItem)?
    weak var parent: ItemRecord?
    let isRoot: Bool
}
