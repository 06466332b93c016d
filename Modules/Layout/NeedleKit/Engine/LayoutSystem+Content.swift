internal import ConstraintSolver

// Measures the content of items and applies it as implicit constraints; also applies changes of safe area and visibility.
extension LayoutSystem {
    /// Lists a new record, whose content was never measured.
    func addContent(of record: ItemRecord, isCollapsed: Bool) {
        needingIntrinsic.append(record)
        if isCollapsed {
            record.needsGeometry = true
            needingGeometry.append(record)
        }
    }

    /// Lists a record whose content may have changed. Returns whether it was not listed before.
    func invalidateIntrinsic(_ record: ItemRecord) -> Bool {
        guard !record.needsIntrinsic else { return false }
        record.needsIntrinsic = true
        needingIntrinsic.append(record)
        return true
    }

    /// Lists a record whose safe area, margins or visibility changed. Returns whether it was not listed before.
    func invalidateGeometry(_ record: ItemRecord) -> Bool {
        guard !record.needsGeometry else { return false }
        record.needsGeometry = true
        needingGeometry.append(record)
        return true
    }

    /// Applies all listed changes: geometry first, since a collapsed item has no content.
    func applyContent() {
        let geometry = needingGeometry
        needingGeometry.removeAll(keepingCapacity: true)
        for record in geometry { updateGeometry(record) }
        let intrinsic = needingIntrinsic
        needingIntrinsic.removeAll(keepingCapacity: true)
        for record in intrinsic { updateIntrinsic(record) }
    }

    // MARK: - Content

    private func updateIntrinsic(_ record: ItemRecord) {
        record.needsIntrinsic = false
        guard updateContent(record) else { return }
        updateBaselines(record)
        record.lastIntrinsicWidth = nil
        shouldRetry = true
        tree.markDirty(record)
    }

    /// Updates the hugging and the compression resistance of an item, in place if only numbers changed. Returns
    /// whether the item is still in the tree.
    @discardableResult
    func updateContent(_ record: ItemRecord) -> Bool {
        guard let item = record.item, let node = record.node, tree.contains(record) else { return false }
        let size = record.isCollapsed ? .none : item.intrinsicLayoutSize
        let height = record.isCollapsed ? nil : record.intrinsicHeightForWidth ?? size.height
        apply(size.width, .horizontal, record, node)
        apply(height, .vertical, record, node)
        return true
    }

    private func apply(_ extent: Double?, _ axis: LayoutAxis, _ record: ItemRecord, _ node: LayoutNode) {
        guard let extent, extent.isFinite, extent >= 0, extent <= Solver.largestConstant else {
            removeImplicit(.hugging, axis, of: record)
            removeImplicit(.compressionResistance, axis, of: record)
            return
        }
        let hugging = Priority(node[.hugging(axis)].value)
        let resistance = Priority(node[.compressionResistance(axis)].value)
        setImplicit(.hugging, axis, of: record, to: extent, priority: hugging)
        setImplicit(.compressionResistance, axis, of: record, to: extent, priority: resistance)
    }

    /// Tries unmet content again.
    func retryUnmetContent() {
        for unmet in unmetContent where !unmet.constraint.record.isGone {
            updateContent(unmet.constraint.record)
        }
    }

    /// Measures the height of content that wraps, if the width changed. Returns whether the height changed.
    func measureHeight(_ record: ItemRecord) -> Bool {
        let width = record.edges.right - record.edges.left
        guard width != record.lastIntrinsicWidth, !record.isCollapsed, let item = record.item else { return false }
        let height = item.intrinsicLayoutHeight(forWidth: Double(width))
        guard height != record.intrinsicHeightForWidth else {
            record.lastIntrinsicWidth = width
            return false
        }
        record.intrinsicHeightForWidth = height
        updateIntrinsic(record)
        record.lastIntrinsicWidth = width
        return true
    }

    /// Updates the constraints that refer to the item's baselines, if those moved.
    private func updateBaselines(_ record: ItemRecord) {
        guard let former = record.baselines, let present = record.presentBaselines, former != present else { return }
        record.baselines = present
        // A distance from the top edge and a distance from the bottom edge use different variables.
        let usesOtherVariables = (former.first == nil) != (present.first == nil)
        for constraint in record.constraints where constraint.refersToBaseline(of: record) {
            if usesOtherVariables { reenter(constraint) } else { enqueueChange(constraint) }
        }
        shouldRetry = true
    }

    // MARK: - Safe area, margins and visibility

    private func updateGeometry(_ record: ItemRecord) {
        record.needsGeometry = false
        guard let node = record.node, tree.contains(record) else { return }
        if node.isCollapsed != record.isCollapsed { setCollapsed(node.isCollapsed, record) }
        for constraint in record.constraints
        where constraint.target === record && constraint.constraint.target.area != .frame {
            enqueueChange(constraint)
        }
        shouldRetry = true
    }

    private func setCollapsed(_ isCollapsed: Bool, _ record: ItemRecord) {
        record.isCollapsed = isCollapsed
        for axis in LayoutAxis.allCases {
            if isCollapsed {
                // Above the extents of its children, which their insets make negative, whether they are collapsed or not.
                setImplicit(.collapsed, axis, of: record, to: 0, priority: .structuralHigh)
            } else {
                removeImplicit(.collapsed, axis, of: record)
            }
        }
        for constraint in record.constraints where constraint.item === record { reenter(constraint) }
        updateIntrinsic(record)
    }
}
