// The notifications of constraints, nodes and guides. Each records what changed for the next layout.
extension LayoutEngine: LayoutBackend {
    func constraintAdded(_ constraint: Constraint) {
        guard constraint.backend == nil || constraint.index < 0, let item = constraint.item else { return }
        system.add(constraint, on: item)
        setNeedsLayout()
    }

    func constraintRemoved(_ constraint: Constraint) {
        guard let record = system.record(of: constraint) else { return }
        system.remove(record)
        system.shouldRetry = true
        setNeedsLayout()
    }

    func constantChanged(_ constraint: Constraint) {
        guard let record = system.record(of: constraint) else { return }
        system.shouldRetry = true
        if system.enqueueChange(record) { setNeedsLayout() }
    }

    func priorityChanged(_ constraint: Constraint) { constantChanged(constraint) }

    func expressionChanged(_ constraint: Constraint) {
        guard let record = system.record(of: constraint) else { return }
        switch record.state {
        case .active, .suspended:
            system.reenter(record)
            setNeedsLayout()
        // Entered with its new expression by the next layout.
        case .pending, .dropped, .rejected, .removed: constantChanged(constraint)
        }
    }

    func statementRejected(_ error: LayoutError) { system.errors.append(error) }

    func intrinsicSizeChanged(_ node: LayoutNode) {
        guard let record = system.tree.record(of: node), system.invalidateIntrinsic(record) else { return }
        setNeedsLayout()
    }

    func geometryChanged(_ node: LayoutNode) {
        guard let record = system.tree.record(of: node), system.invalidateGeometry(record) else { return }
        setNeedsLayout()
    }

    func guideAdded(_ guide: LayoutGuide, to node: LayoutNode) {
        guard let record = system.tree.record(of: node) else { return }
        add(guide, parent: record)
        system.shouldRetry = true
        setNeedsLayout()
    }

    func guideRemoved(_ guide: LayoutGuide) {
        guard let record = record(of: guide) else { return }
        remove(record)
        setNeedsLayout()
    }
}
