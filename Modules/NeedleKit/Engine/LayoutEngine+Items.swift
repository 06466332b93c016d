internal import ConstraintSolver

extension LayoutEngine {
    /// Takes over what an item's content asks for.
    func updateIntrinsic(_ record: ItemRecord) {
        record.needsIntrinsic = false
        guard updateWishes(record) else { return }
        updateBaselines(record)
        record.lastIntrinsicWidth = nil
        shouldRetry = true
        if !record.isDirty {
            record.isDirty = true
            dirty.append(record)
        }
    }

    /// Brings the wishes of an item's content up to date, in place where only numbers changed.
    ///
    /// - Returns: whether the item is still there.
    @discardableResult
    func updateWishes(_ record: ItemRecord) -> Bool {
        guard let item = record.item, let node = record.node, records[record.place] === record else { return false }
        let size = record.isCollapsed ? .none : item.intrinsicLayoutSize
        let height = record.isCollapsed ? nil : record.intrinsicHeightForWidth ?? size.height
        wish(record, node, .horizontal, size.width)
        wish(record, node, .vertical, height)
        return true
    }

    private func wish(_ record: ItemRecord, _ node: LayoutNode, _ axis: LayoutAxis, _ extent: Double?) {
        guard let extent, extent.isFinite, extent >= 0, extent <= Solver.largestConstant else {
            leave(.hugging, axis, of: record)
            leave(.compressionResistance, axis, of: record)
            return
        }
        let hugging = node.priority(of: .hugging(axis)).value
        let resistance = node.priority(of: .compressionResistance(axis)).value
        keep(.hugging, axis, of: record, at: extent, Priority(hugging))
        keep(.compressionResistance, axis, of: record, at: extent, Priority(resistance))
    }

    /// Follows a change of an item's safe area or visibility.
    func updateGeometry(_ record: ItemRecord) {
        record.needsGeometry = false
        guard let node = record.node, records[record.place] === record else { return }
        let isCollapsed = node.isCollapsed
        if isCollapsed != record.isCollapsed {
            record.isCollapsed = isCollapsed
            for axis in LayoutAxis.allCases {
                if isCollapsed {
                    keep(.collapsed, axis, of: record, at: 0, .structural)
                } else {
                    leave(.collapsed, axis, of: record)
                }
            }
            for constraint in record.constraints where constraint.item === record {
                if case .resting = constraint.state {
                    constraint.state = .waiting
                    unlink(constraint)
                    pending.append(constraint)
                } else {
                    reenter(constraint)
                }
            }
            updateIntrinsic(record)
        }
        for constraint in record.constraints
        where constraint.target === record && constraint.constraint.target.area != .frame {
            changed(constraint)
        }
        shouldRetry = true
    }

    /// Takes over where an item's baselines are now, as far as constraints refer to them.
    private func updateBaselines(_ record: ItemRecord) {
        guard let former = record.baselines, let present = record.presentBaselines, former != present else { return }
        record.baselines = present
        // Between an edge and a distance from another the variables are others, too.
        let isReplaced = (former.first == nil) != (present.first == nil)
        for constraint in record.constraints where constraint.refersToBaseline(of: record) {
            if isReplaced { reenter(constraint) } else { changed(constraint) }
        }
        shouldRetry = true
    }

    /// Lets the next layout take over what a constraint says now.
    private func changed(_ constraint: ConstraintRecord) {
        guard !constraint.isChanged else { return }
        constraint.isChanged = true
        pending.append(constraint)
    }
}
