extension Constraint {
    /// Puts the constraint into force again.
    public func activate() {
        guard !isActive, let item else { return }
        isActive = true
        if !item.layoutNode.constraints.contains(where: { $0 === self }) {
            item.layoutNode.constraints.append(self)
        }
        item.layoutNode.backend?.constraintAdded(self)
    }

    /// Takes the constraint out of force; it can be activated again.
    public func deactivate() {
        guard isActive else { return }
        isActive = false
        backend?.constraintRemoved(self)
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

    /// Changes how much the constraint matters, required or not.
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
        guard multiplier != self.multiplier else { return }
        self.multiplier = multiplier
        reenter()
    }

    /// Refers to another anchor of the same kind from now on.
    ///
    /// - Parameter anchor: the anchor of the new target; an X position for an X position, a Y position for a Y position,
    ///   an extent for an extent.
    /// - Throws: ``LayoutError/wrongAxis(_:)`` when the anchor is of another kind; nothing has changed then.
    public func setTarget<Kind>(_ anchor: Anchor<Kind>) throws(LayoutError) {
        guard let other = anchor.attributes.first, anchor.attributes.count == 1,
            other.isExtent == attribute.isExtent, other.isExtent || other.axis == attribute.axis
        else { throw .wrongAxis(source) }
        target = .item(anchor.item, other, isSafeArea: anchor.isSafeArea)
        reenter()
    }

    /// Takes over what another statement of the same attribute says.
    func takeOver(_ other: Constraint) {
        label = other.label ?? label
        file = other.file
        line = other.line
        let isSame = target.isSame(as: other.target) && multiplier == other.multiplier
        target = other.target
        multiplier = other.multiplier
        if isSame {
            if constant != other.constant {
                constant = other.constant
                backend?.constantChanged(self)
            }
            setPriority(other.priority)
        } else {
            constant = other.constant
            priority = other.priority
            reenter()
        }
        activate()
    }

    private func reenter() {
        guard isActive else { return }
        backend?.constraintRemoved(self)
        item?.layoutNode.backend?.constraintAdded(self)
    }
}
