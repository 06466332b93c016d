internal import ConstraintSolver

extension LayoutEngine {
    /// Brings everything that was told since the last layout into the solver.
    func flush() {
        sweepReleased()
        let geometry = needingGeometry
        needingGeometry.removeAll(keepingCapacity: true)
        for record in geometry { updateGeometry(record) }
        let intrinsic = needingIntrinsic
        needingIntrinsic.removeAll(keepingCapacity: true)
        for record in intrinsic { updateIntrinsic(record) }
        if hasNewSize {
            hasNewSize = false
            applySize()
        }
        let entering = pending
        pending.removeAll(keepingCapacity: true)
        for record in entering { update(record) }
        retry()
    }

    private func applySize() {
        guard let rootRecord else { return }
        keep(.size, .horizontal, of: rootRecord, at: wantedSize.width)
        keep(.size, .vertical, of: rootRecord, at: wantedSize.height)
        shouldRetry = true
    }

    /// Enters a constraint, or changes it where it is entered already.
    private func update(_ record: ConstraintRecord) {
        let isChanged = record.isChanged
        record.isChanged = false
        switch record.state {
        case .removed: return
        case .waiting: enter(record)
        case .inForce: if isChanged { change(record) }
        case .dropped, .refused, .resting: return
        }
    }

    private func change(_ record: ConstraintRecord) {
        guard let id = record.id, let equation = equation(record) else { return }
        let priority = Priority(record.constraint.priority.value)
        do throws(SolverError) {
            let present = try solver.constraint(id)
            if present.priority != priority { try solver.setPriority(id, priority) }
            try solver.setConstant(id, equation.constant)
        } catch {
            guard case .unsatisfiable = error else { return refuse(record, error) }
            // Entered anew, it meets those in its way, and one of them goes.
            withdraw(record)
            enter(record)
        }
    }

    /// Tries again what was left out, when something happened that could let it hold.
    private func retry() {
        guard shouldRetry else { return }
        shouldRetry = false
        guard !waiting.isEmpty || !leftOut.isEmpty else { return }
        // What comes back for a later one may let a third come back. Each time those in force come earlier, so that it
        // ends soon; the bound is for what cannot be.
        for _ in 0...waiting.count + leftOut.count {
            retryLeftOut()
            let left = waiting.sorted { $0.sequence < $1.sequence }
            waiting.removeAll(keepingCapacity: true)
            for record in left {
                switch record.state {
                case .dropped, .refused, .waiting: enter(record)
                case .inForce, .resting, .removed: break
                }
            }
            guard shouldRetry else { return }
            shouldRetry = false
        }
    }
}
