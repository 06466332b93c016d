internal import ConstraintSolver

extension LayoutEngine {
    /// Why a change did not come about.
    enum Failure {
        /// What stands against it matters more.
        case conflict(LayoutConflict)
        /// The solver refused it.
        case error(SolverError)
    }

    /// Makes a change of the solver for the sake of a constraint; what is in its way and matters less goes.
    ///
    /// - Parameters:
    ///   - id: the constraint.
    ///   - change: the change.
    /// - Returns: `nil` when it came about; otherwise nothing is another.
    func insist(on id: ConstraintID, _ change: (inout Solver) throws(SolverError) -> Void) -> Failure? {
        var yielded: [(id: ConstraintID, told: LayoutConflict)] = []
        while true {
            do throws(SolverError) {
                try change(&solver)
                for one in yielded { leaveOut(one.id, one.told) }
                if !yielded.isEmpty { shouldRetry = true }
                return nil
            } catch {
                var failure = Failure.error(error)
                if case .unsatisfiable(_, let conflicting) = error, let least = least(of: conflicting, for: id) {
                    let told = conflict(conflicting, dropped: least.source)
                    failure = .conflict(told)
                    if least.id != id, (try? solver.remove(least.id)) != nil {
                        yielded.append((least.id, told))
                        continue
                    }
                }
                // In vain: what gave way comes back.
                for one in yielded where (try? solver.add(one.id)) == nil { leaveOut(one.id, one.told) }
                return failure
            }
        }
    }

    /// Takes a constraint out because of a conflict, to be tried again.
    func drop(_ record: ConstraintRecord, _ conflict: LayoutConflict) {
        withdraw(record)
        record.state = .dropped(conflict)
        waiting.append(record)
    }

    /// The least important member of a conflict: of those stated in code the one of the least priority, the latest among
    /// equals; where there is none, what content requires. `nil` when no member can go.
    private func least(
        of conflicting: [ConstraintID],
        for id: ConstraintID
    ) -> (id: ConstraintID, source: ConstraintSource)? {
        let stated = conflicting.compactMap { id in recordsByID[id].map { (id: id, record: $0) } }
        let least = stated.min {
            ($0.record.constraint.priority.value, -$0.record.sequence)
                < ($1.record.constraint.priority.value, -$1.record.sequence)
        }
        if let least { return (least.id, least.record.source) }
        let wishes = conflicting.filter { ownByID[$0]?.wish != nil }
        guard let wish = wishes.contains(id) ? id : wishes.last, let own = ownByID[wish] else { return nil }
        return (wish, own.source)
    }

    /// A conflict in the terms of those who stated it.
    private func conflict(_ conflicting: [ConstraintID], dropped: ConstraintSource) -> LayoutConflict {
        let members = conflicting.compactMap { recordsByID[$0] }.sorted { $0.sequence < $1.sequence }.map(\.source)
        let own = conflicting.compactMap { ownByID[$0]?.source }
            .sorted { ($0.description, $0.line ?? 0) < ($1.description, $1.line ?? 0) }
        return LayoutConflict(members: members, systemMembers: own, dropped: dropped)
    }

    private func leaveOut(_ id: ConstraintID, _ conflict: LayoutConflict) {
        if let record = recordsByID[id] { return drop(record, conflict) }
        if let own = ownByID[id] { giveUp(own, .conflict(conflict)) }
    }
}
