internal import ConstraintSolver

extension LayoutEngine {
    /// Brings the wishes of an item's content up to date, in place where only numbers changed.
    func updateIntrinsic(_ record: ItemRecord) {
        record.needsIntrinsic = false
        guard let item = record.item, let node = record.node, records[record.place] === record else { return }
        let size = record.isCollapsed ? .none : item.intrinsicLayoutSize
        wish(
            record,
            .horizontal,
            size.width,
            hugging: node.horizontalHugging,
            compression: node.horizontalCompressionResistance
        )
        let height = record.intrinsicHeightForWidth ?? size.height
        wish(
            record,
            .vertical,
            record.isCollapsed ? nil : height,
            hugging: node.verticalHugging,
            compression: node.verticalCompressionResistance
        )
        record.lastIntrinsicWidth = nil
        shouldRetry = true
        if !record.isDirty {
            record.isDirty = true
            dirty.append(record)
        }
    }

    private func wish(
        _ record: ItemRecord,
        _ axis: LayoutAxis,
        _ extent: Double?,
        hugging: LayoutPriority,
        compression: LayoutPriority
    ) {
        guard let extent, extent.isFinite, extent >= 0, extent <= Solver.largestConstant else {
            leaveSystem(&record.hugging[axis])
            leaveSystem(&record.compression[axis])
            return
        }
        let variable = record.extent(axis)
        let name = "the content of \(record.node?.displayName ?? "an item")"
        wish(&record.hugging[axis], variable, .lessThanOrEqual, extent, hugging, name)
        wish(&record.compression[axis], variable, .greaterThanOrEqual, extent, compression, name)
    }

    private func wish(
        _ id: inout ConstraintID?,
        _ variable: Variable,
        _ relation: Relation,
        _ extent: Double,
        _ priority: LayoutPriority,
        _ name: String
    ) {
        let level = Priority(priority.value)
        if let present = id {
            let old = try? solver.constraint(present)
            if old?.priority == level {
                setSystemConstant(present, extent)
                return
            }
            leaveSystem(present)
        }
        id = enterSystem(LinearConstraint([Term(variable)], relation, extent, priority: level), name)
    }

    /// Follows a change of an item's safe area or visibility.
    func updateGeometry(_ record: ItemRecord) {
        record.needsGeometry = false
        guard let node = record.node, records[record.place] === record else { return }
        let isCollapsed = node.isCollapsed
        if isCollapsed != record.isCollapsed {
            record.isCollapsed = isCollapsed
            for axis in LayoutAxis.allCases {
                leaveSystem(&record.collapse[axis])
                guard isCollapsed else { continue }
                record.collapse[axis] = enterSystem(
                    LinearConstraint([Term(record.extent(axis))], .equal, 0, priority: .structural),
                    "\(node.displayName) is collapsed"
                )
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
        where constraint.target === record && constraint.constraint.target.area != .frame && !constraint.isChanged {
            constraint.isChanged = true
            pending.append(constraint)
        }
    }

    /// Keeps an extent that came out negative from being so, above every wish of the user.
    func keepNonNegative(_ record: ItemRecord, _ axis: LayoutAxis) {
        guard record.nonNegative[axis] == nil else { return }
        record.nonNegative[axis] = enterSystem(
            LinearConstraint([Term(record.extent(axis))], .greaterThanOrEqual, 0, priority: .structural),
            "\(record.node?.displayName ?? "an item") is not negative"
        )
    }
}
