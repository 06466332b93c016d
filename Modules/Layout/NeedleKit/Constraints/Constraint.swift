/// One equation or inequality between parts of items' frames: `item.attribute relation target * multiplier + constant`.
///
/// Statements such as `make.top.equalTo(title)` create constraints. Store one to change it later: its constant, multiplier,
/// target, priority and activation can change at any time and take effect at the next layout.
@MainActor
public final class Constraint {
    /// The item that the constraint was made on; `nil` once the item is released.
    public private(set) weak var item: (any LayoutItem)?
    /// The constrained part of the item.
    public let attribute: LayoutAttribute
    /// The relation between both sides.
    public let relation: LayoutRelation
    /// The label set with ``ConstraintEditor/labeled(_:)``.
    public internal(set) var label: String?
    /// The file of the statement, as module and name.
    public internal(set) var file: String
    /// The line of the statement.
    public internal(set) var line: UInt

    /// The distance added to the right side, along the axis.
    public internal(set) var constant: Double
    /// The factor on the target.
    public internal(set) var multiplier: Double
    /// The constraint's priority.
    public internal(set) var priority: LayoutPriority

    /// The stored value of ``isActive``.
    var isMarkedActive = false
    var target: ConstraintTarget
    /// In an arrangement, the condition under which the constant and the target count; otherwise `nil`.
    var condition: GapCondition?
    /// The constraint's role in an arrangement such as a stack, which alone removes it; `nil` for an item's own constraint.
    var arranged: ArrangedRole?
    /// The index of the engine's record of the constraint, or -1.
    var index = -1
    weak var backend: (any LayoutBackend)?

    init(
        item: any LayoutItem,
        attribute: LayoutAttribute,
        relation: LayoutRelation,
        target: ConstraintTarget,
        multiplier: Double = 1,
        constant: Double,
        priority: LayoutPriority = .required,
        label: String? = nil,
        file: String,
        line: UInt
    ) {
        self.item = item
        self.attribute = attribute
        self.relation = relation
        self.target = target
        self.multiplier = multiplier
        self.constant = constant
        self.priority = priority
        self.label = label
        self.file = file
        self.line = line
    }

    // MARK: - The right side

    /// The attribute of the target that the right side refers to; `nil` if the right side is a number.
    public var targetAttribute: LayoutAttribute? { target.kind == .number ? nil : target.attribute }

    /// The item that the right side refers to; `nil` for a number, or once the item is released.
    public var targetItem: (any LayoutItem)? {
        switch target.kind {
        case .number: nil
        case .item: target.item
        case .parent: item?.layoutParent
        }
    }

    /// Whether both refer to the same part of the same item, also if only one names it and the other refers to the parent.
    func hasSameTarget(as other: Constraint) -> Bool {
        if target.isSame(as: other.target) { return true }
        guard target.kind == .parent || other.target.kind == .parent, targetAttribute == other.targetAttribute,
            targetArea == other.targetArea, let targetItem
        else { return false }
        return targetItem === other.targetItem
    }

    /// The rectangle of the target that the right side refers to.
    public var targetArea: LayoutArea { target.area }

    /// Whether the target is on the same axis, and both sides are extents or both positions.
    var hasMatchingAxes: Bool { target.kind == .number || attribute.canRefer(to: target.attribute) }

    /// The constant that counts at present: zero while the gap of an arrangement is closed and, for an item's own
    /// constraint, while the item is collapsed.
    var effectiveConstant: Double {
        if arranged != nil { return condition?.isOpen == false ? 0 : constant }
        return item?.layoutNode.isCollapsed == true ? 0 : constant
    }

    /// The multiplier that counts at present: zero while the gap is closed whose extent the target determines.
    var effectiveMultiplier: Double {
        if let condition, condition.effect == .constantAndTarget, !condition.isOpen { return 0 }
        return multiplier
    }

    /// Whether the constraint has no effect at present: one on the extent of a collapsed item, or on its end in an
    /// arrangement that has items to show.
    var isSuspended: Bool {
        if let condition, condition.effect == .constraint, !condition.isOpen { return true }
        return attribute.isExtent && item?.layoutNode.isCollapsed == true
    }

    // MARK: - Activation

    /// Whether the constraint is active, or will be once its items are in one tree. Setting it to the value that it has does
    /// nothing.
    public var isActive: Bool {
        get { isMarkedActive }
        set {
            guard newValue != isMarkedActive else { return }
            if newValue { activate() } else { deactivate() }
        }
    }

    /// Activates the constraint.
    ///
    /// If it is active already, nothing changes and ``LayoutEngine/diagnostics`` reports
    /// ``LayoutError/alreadyActive(_:)``; setting ``isActive`` or activating a ``ConstraintGroup`` does not report it.
    public func activate() {
        guard let item else { return }
        guard !isMarkedActive else { return item.layoutNode.report(.alreadyActive(source)) }
        isMarkedActive = true
        if !item.layoutNode.constraints.contains(where: { $0 === self }) {
            item.layoutNode.constraints.append(self)
        }
        item.layoutNode.backend?.constraintAdded(self)
    }

    /// Deactivates the constraint; it can be activated again.
    ///
    /// If it is not active, nothing changes and ``LayoutEngine/diagnostics`` reports ``LayoutError/notActive(_:)``; setting
    /// ``isActive`` or deactivating a ``ConstraintGroup`` does not report it.
    public func deactivate() {
        guard isMarkedActive else {
            item?.layoutNode.report(.notActive(source))
            return
        }
        isMarkedActive = false
        backend?.constraintRemoved(self)
    }

    /// Deactivates the constraint and removes it from its item.
    public func remove() {
        isActive = false
        item?.layoutNode.constraints.removeAll { $0 === self }
    }

    // MARK: - Changes in place

    /// Changes the constant.
    ///
    /// - Parameter constant: the new constant, along the axis.
    /// - Throws: ``LayoutError`` if the number is not finite or too large; the constraint is unchanged then.
    public func setConstant(_ constant: Double) throws(LayoutError) {
        try LayoutError.checkConstant(constant, of: self)
        guard constant != self.constant else { return }
        self.constant = constant
        backend?.constantChanged(self)
    }

    /// Moves the attribute inward from its target, as `inset` does in a statement; replaces the constant.
    ///
    /// - Throws: ``LayoutError`` if the number is not finite or too large; the constraint is unchanged then.
    public func setInset(_ inset: Double) throws(LayoutError) {
        try setConstant(inset * attribute.insetFactor)
    }

    /// Moves the attribute inward from its target by the inset of its edge; replaces the constant.
    ///
    /// - Throws: ``LayoutError`` if the number is not finite or too large; the constraint is unchanged then.
    public func setInset(_ insets: some LayoutInsetsConvertible) throws(LayoutError) {
        try setConstant(attribute.constant(of: insets.layoutInsets))
    }

    /// Changes the priority, also from and to required.
    public func setPriority(_ priority: LayoutPriority) {
        guard priority != self.priority else { return }
        self.priority = priority
        backend?.priorityChanged(self)
    }

    /// Changes the factor on the target.
    ///
    /// - Throws: ``LayoutError`` if the number is not finite or too large; the constraint is unchanged then.
    public func setMultiplier(_ multiplier: Double) throws(LayoutError) {
        try LayoutError.checkMultiplier(multiplier, of: self)
        guard multiplier != self.multiplier else { return }
        self.multiplier = multiplier
        backend?.expressionChanged(self)
    }

    /// Changes the target to an anchor of the same kind.
    ///
    /// The type of a constraint does not include the kind of its anchors, so the kind is checked at run time.
    /// ``ConstraintEditor/setTarget(_:)`` on the result of the statement checks it at compile time.
    ///
    /// - Parameter anchor: the new target; an X position for an X position, a Y position for a Y position, an extent for an
    ///   extent.
    /// - Throws: ``LayoutError/wrongAxis(_:)`` if the anchor is of another kind; the constraint is unchanged then.
    public func setTarget<Kind>(_ anchor: Anchor<Kind>) throws(LayoutError) {
        guard let other = anchor.attributes.first, anchor.attributes.count == 1, attribute.canRefer(to: other)
        else { throw .wrongAxis(source) }
        setTarget(.item(anchor.item, other, area: anchor.area))
    }

    /// Changes the target to the same attribute of another item or of a guide.
    public func setTarget(_ item: any Constrainable) {
        setTarget(.item(item.ndl.item, attribute, area: .frame))
    }

    func setTarget(_ new: ConstraintTarget) {
        guard !target.isSame(as: new) else { return }
        target = new
        backend?.expressionChanged(self)
    }

    /// Copies everything that can change from another constraint on the same attribute, and activates this one.
    func update(from other: Constraint) {
        let isSameText = file == other.file && line == other.line && (other.label == nil || label == other.label)
        label = other.label ?? label
        file = other.file
        line = other.line
        let isSameExpression = target.isSame(as: other.target) && multiplier == other.multiplier
        let isSamePriority = priority == other.priority
        let isSameConstant = constant == other.constant
        target = other.target
        multiplier = other.multiplier
        priority = other.priority
        constant = other.constant
        guard isMarkedActive else { return activate() }
        if !isSameExpression {
            backend?.expressionChanged(self)
        } else if !isSamePriority {
            backend?.priorityChanged(self)
        } else if !isSameConstant || !isSameText {
            backend?.constantChanged(self)
        }
    }

    /// Reports to the backend that a modifier changed the statement after it was activated.
    func statementChanged() {
        if isMarkedActive { backend?.expressionChanged(self) }
    }
}
