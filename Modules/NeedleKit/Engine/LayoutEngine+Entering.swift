internal import ConstraintSolver

extension LayoutEngine {
    /// Enters a constraint, resolving what it refers to.
    func enter(_ record: ConstraintRecord) {
        guard let item = record.constraint.item, let own = self.record(of: item) else {
            // It goes with its own item.
            unlink(record)
            return forget(record)
        }
        if record.constraint.target.kind == .item, record.constraint.target.item == nil { return abandon(record) }
        record.names = record.constraint.names
        link(record, own)
        if own.isCollapsed, record.constraint.attribute.isExtent {
            record.state = .resting
            return
        }
        if record.target == nil, record.constraint.target.kind != .number {
            return refuse(record, .noCommonAncestor(record.source))
        }
        guard let equation = equation(record) else { return }
        do throws(SolverError) {
            let id = try solver.define(equation)
            record.id = id
            recordsByID[id] = record
            force(record, id)
        } catch {
            refuse(record, error)
        }
    }

    /// Puts a defined constraint into force; where it cannot hold, the least important of those in its way goes, or it
    /// goes itself.
    private func force(_ record: ConstraintRecord, _ id: ConstraintID) {
        switch insist(on: id, { solver throws(SolverError) in try solver.add(id) }) {
        case nil: record.state = .inForce
        case .conflict(let conflict): drop(record, conflict)
        case .error(let error): refuse(record, error)
        }
    }

    func refuse(_ record: ConstraintRecord, _ error: SolverError) {
        switch error {
        case .noVariables: refuse(record, .noVariables(record.source))
        case .notFinite: refuse(record, .notFinite(record.source))
        case .outOfRange: refuse(record, .outOfRange(record.source))
        default: refuse(record, .unsolvable(record.source))
        }
    }

    private func link(_ record: ConstraintRecord, _ own: ItemRecord) {
        unlink(record)
        record.item = own
        record.itemTicket = own.constraints.append(record)
        switch record.constraint.target.kind {
        case .number: record.target = nil
        case .parent: record.target = own.parent
        case .item: record.target = record.constraint.target.item.flatMap { self.record(of: $0) }
        }
        if let target = record.target, target !== own { record.targetTicket = target.constraints.append(record) }
    }

    private func refuse(_ record: ConstraintRecord, _ error: LayoutError) {
        withdraw(record)
        record.state = .refused(error)
        waiting.append(record)
    }

    /// Takes a constraint away for good, its target having been released, and tells so once.
    private func abandon(_ record: ConstraintRecord) {
        refusals.tell(.itemReleased(record.source))
        unlink(record)
        forget(record)
        record.constraint.isActive = false
        record.constraint.remove()
    }
}
