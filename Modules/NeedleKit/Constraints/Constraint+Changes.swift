extension Constraint {
    /// Puts the constraint into force.
    ///
    /// One that is in force already stays so, and ``LayoutEngine/diagnostics`` tells ``LayoutError/alreadyActive(_:)``; a
    /// ``ConstraintGroup`` passes over it silently.
    public func activate() {
        guard let item else { return }
        guard !isActive else { return item.layoutNode.refuse(.alreadyActive(source)) }
        isActive = true
        if !item.layoutNode.constraints.contains(where: { $0 === self }) {
            item.layoutNode.constraints.append(self)
        }
        item.layoutNode.backend?.constraintAdded(self)
    }

    /// Takes the constraint out of force; it can be activated again.
    ///
    /// For one that is not in force nothing changes, and ``LayoutEngine/diagnostics`` tells
    /// ``LayoutError/notActive(_:)``; a ``ConstraintGroup`` passes over it silently.
    public func deactivate() {
        guard isActive else {
            item?.layoutNode.refuse(.notActive(source))
            return
        }
        isActive = false
        backend?.constraintRemoved(self)
    }

    /// Takes the constraint out of force and off its item, which forgets it.
    public func remove() {
        if isActive { deactivate() }
        item?.layoutNode.constraints.removeAll { $0 === self }
    }

    /// Changes what is added to the right side, in place.
    ///
    /// - Parameter constant: the new constant, along the axis.
    /// - Throws: ``LayoutError`` when the number is not finite or too large; nothing has changed then.
    public func setConstant(_ constant: Double) throws(LayoutError) {
        try LayoutError.check(constant, of: self)
        guard constant != self.constant else { return }
        self.constant = constant
        backend?.constantChanged(self)
    }

    /// Changes how much the constraint matters, from and to required too.
    ///
    /// - Parameter priority: the new priority.
    public func setPriority(_ priority: LayoutPriority) {
        guard priority != self.priority else { return }
        self.priority = priority
        backend?.priorityChanged(self)
    }

    /// Changes the factor on the target.
    ///
    /// - Parameter multiplier: the new factor.
    /// - Throws: ``LayoutError`` when the number is not finite or too large; nothing has changed then.
    public func setMultiplier(_ multiplier: Double) throws(LayoutError) {
        try LayoutError.checkMultiplier(multiplier, of: self)
        try LayoutError.checkVariables(target, multiplier, of: self)
        guard multiplier != self.multiplier else { return }
        self.multiplier = multiplier
        backend?.expressionChanged(self)
    }

    /// Refers to another anchor of the same kind from now on.
    ///
    /// A constraint does not carry the kind of its anchors in its type, as statements do, so that the kind is checked here
    /// when it runs. ``ConstraintEditor/setTarget(_:)``, on what the statement returned, is checked when it is compiled.
    ///
    /// - Parameter anchor: the anchor of the new target; an X position for an X position, a Y position for a Y position,
    ///   an extent for an extent.
    /// - Throws: ``LayoutError/wrongAxis(_:)`` when the anchor is of another kind, ``LayoutError/noVariables(_:)`` when
    ///   it is the constrained part itself; nothing has changed then.
    public func setTarget<Kind>(_ anchor: Anchor<Kind>) throws(LayoutError) {
        guard let other = anchor.attributes.first, anchor.attributes.count == 1,
            other.isExtent == attribute.isExtent, other.isExtent || other.axis == attribute.axis
        else { throw .wrongAxis(source) }
        try retarget(.item(anchor.item, other, area: anchor.area))
    }

    /// Refers to the same attribute of another item from now on.
    ///
    /// - Parameter item: the new target, or a guide.
    /// - Throws: ``LayoutError/noVariables(_:)`` when it is the constrained item itself; nothing has changed then.
    public func setTarget(_ item: any LayoutItem) throws(LayoutError) {
        try retarget(.item(item, attribute, area: .frame))
    }

    func retarget(_ new: ConstraintTarget) throws(LayoutError) {
        try LayoutError.checkVariables(new, multiplier, of: self)
        guard !target.isSame(as: new) else { return }
        target = new
        backend?.expressionChanged(self)
    }

    /// Takes over what another statement of the same attribute says.
    func takeOver(_ other: Constraint) {
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
        guard isActive else { return activate() }
        if !isSameExpression {
            backend?.expressionChanged(self)
        } else if !isSamePriority {
            backend?.priorityChanged(self)
        } else if !isSameConstant || !isSameText {
            backend?.constantChanged(self)
        }
    }

    /// Tells that a statement was changed after it took effect.
    func restated() {
        if isActive { backend?.expressionChanged(self) }
    }
}
