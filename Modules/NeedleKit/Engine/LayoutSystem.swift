internal import ConstraintSolver

/// The linear system of a layout: the solver, and what each of its constraints represents.
///
/// Invariant: every id in `statements` and `implicit` is defined in the solver; a constraint record has an id exactly while
/// it is in `statements`. A change that fails leaves the solver as it was.
///
/// This file contains conflicts and implicit constraints, `LayoutSystem+Statements.swift` the constraints of statements.
@MainActor
final class LayoutSystem {
    // Stored in a class, so that the memory layout of LayoutEngine does not depend on a module that clients do not import.
    var solver = Solver()
    let tree: ItemTree
    let store: ConstraintStore
    var layoutDirection = LayoutDirection.leftToRight
    /// The records of statements by solver id.
    var statements: [ConstraintID: ConstraintRecord] = [:]
    /// The implicit constraints by solver id.
    private(set) var implicit: [ConstraintID: ImplicitConstraint] = [:]
    /// Required content that conflicts at present, in the order in which the conflicts were found.
    private(set) var unmetContent: [UnmetContentConstraint] = []
    var errors = LayoutErrorLog()
    /// The size that the root is to have.
    var rootSize = LayoutSize.zero
    /// Whether `rootSize` must be applied at the next layout.
    var needsRootSize = false

    init(tree: ItemTree, store: ConstraintStore) {
        self.tree = tree
        self.store = store
    }

    func makeVariables() -> (Variable, Variable, Variable, Variable) {
        (solver.makeVariable(), solver.makeVariable(), solver.makeVariable(), solver.makeVariable())
    }

    func removeVariables(of record: ItemRecord) {
        for variable in [record.left, record.top, record.width, record.height] { try? solver.removeVariable(variable) }
    }

    // MARK: - Conflicts

    /// The reason why a change failed.
    enum Failure {
        /// The change conflicts with constraints that prevail over it.
        case conflict(LayoutConflict)
        /// The solver rejected it.
        case error(SolverError)
    }

    /// Changes the solver on behalf of a constraint, and drops the less important constraints that conflict with it.
    ///
    /// - Parameters:
    ///   - id: the constraint.
    ///   - change: the change of the solver.
    /// - Returns: `nil` on success. On failure the solver is unchanged.
    func applyDroppingWeaker(
        _ id: ConstraintID,
        _ change: (inout Solver) throws(SolverError) -> Void
    ) -> Failure? {
        var dropped: [(id: ConstraintID, conflict: LayoutConflict)] = []
        while true {
            do throws(SolverError) {
                try change(&solver)
                for one in dropped { recordDrop(one.id, one.conflict) }
                if !dropped.isEmpty { store.shouldRetry = true }
                return nil
            } catch {
                var failure = Failure.error(error)
                if case .unsatisfiable(_, let members) = error, let weakest = weakest(of: members, for: id) {
                    let conflict = conflict(members, dropped: weakest.source)
                    failure = .conflict(conflict)
                    if weakest.id != id, (try? solver.remove(weakest.id)) != nil {
                        dropped.append((weakest.id, conflict))
                        continue
                    }
                }
                // The change failed in the end: restore what was dropped for it.
                for one in dropped where (try? solver.add(one.id)) == nil { recordDrop(one.id, one.conflict) }
                return failure
            }
        }
    }

    /// The least important member of a conflict: the statement of the lowest priority, the latest of several; without a
    /// statement, required content. `nil` if no member can be dropped.
    private func weakest(
        of members: [ConstraintID],
        for id: ConstraintID
    ) -> (id: ConstraintID, source: ConstraintSource)? {
        let stated = members.compactMap { id in statements[id].map { (id: id, record: $0) } }
        let weakest = stated.min {
            ($0.record.constraint.priority.value, -$0.record.sequence)
                < ($1.record.constraint.priority.value, -$1.record.sequence)
        }
        if let weakest { return (weakest.id, weakest.record.source) }
        let content = members.filter { implicit[$0]?.content != nil }
        guard let chosen = content.contains(id) ? id : content.last, let constraint = implicit[chosen] else {
            return nil
        }
        return (chosen, constraint.source)
    }

    /// A description of a conflict.
    private func conflict(_ members: [ConstraintID], dropped: ConstraintSource) -> LayoutConflict {
        let stated = members.compactMap { statements[$0] }.sorted { $0.sequence < $1.sequence }.map(\.source)
        let system = members.compactMap { implicit[$0]?.source }
            .sorted { ($0.description, $0.line ?? 0) < ($1.description, $1.line ?? 0) }
        return LayoutConflict(members: stated, systemMembers: system, dropped: dropped)
    }

    /// Records that a constraint was dropped because of a conflict.
    private func recordDrop(_ id: ConstraintID, _ conflict: LayoutConflict) {
        if let record = statements[id] { return drop(record, conflict) }
        if let constraint = implicit[id] { giveUp(constraint, .conflict(conflict)) }
    }

    // MARK: - Implicit constraints

    /// Sets the value and the priority of an implicit constraint, adding it if necessary.
    ///
    /// Conflicting statements are dropped. Content that conflicts nevertheless is recorded as unmet and tried again after
    /// changes.
    func setImplicit(
        _ role: ImplicitConstraint.Role,
        _ axis: LayoutAxis,
        of record: ItemRecord,
        to value: Double,
        priority: Priority = .required
    ) {
        let constraint = ImplicitConstraint(
            record: record,
            role: role,
            axis: axis,
            value: value,
            priority: LayoutPriority(priority.value)
        )
        removeUnmetContent { $0.isSame(as: constraint) }
        if let id = record.implicit[axis][role] {
            if let present = implicit[id], present.priority == constraint.priority {
                guard present.value != value else { return }
                implicit[id]?.value = value
                let failure = applyDroppingWeaker(id) { solver throws(SolverError) in try solver.setConstant(id, value)
                }
                guard let failure else { return }
                implicit[id]?.value = present.value
                return giveUp(constraint, diagnostic(constraint, failure))
            }
            removeImplicit(role, axis, of: record)
        }
        let linear = LinearConstraint([Term(constraint.variable)], constraint.relation, value, priority: priority)
        guard let id = try? solver.define(linear) else { return }
        record.implicit[axis][role] = id
        implicit[id] = constraint
        if let failure = applyDroppingWeaker(id, { solver throws(SolverError) in try solver.add(id) }) {
            giveUp(constraint, diagnostic(constraint, failure))
        }
    }

    func removeImplicit(_ role: ImplicitConstraint.Role, _ axis: LayoutAxis, of record: ItemRecord) {
        removeUnmetContent { $0.record === record && $0.role == role && $0.axis == axis }
        guard let id = record.implicit[axis][role] else { return }
        record.implicit[axis][role] = nil
        implicit[id] = nil
        try? solver.discard(id)
    }

    /// Removes all implicit constraints of an item, in a fixed order.
    func removeAllImplicit(of record: ItemRecord) {
        for role in ImplicitConstraint.Role.allCases {
            for axis in LayoutAxis.allCases { removeImplicit(role, axis, of: record) }
        }
    }

    /// Applies the root's size if it changed.
    func applyRootSize() {
        guard needsRootSize, let root = tree.root else { return }
        needsRootSize = false
        setImplicit(.size, .horizontal, of: root, to: rootSize.width)
        setImplicit(.size, .vertical, of: root, to: rootSize.height)
        store.shouldRetry = true
    }

    private func diagnostic(_ constraint: ImplicitConstraint, _ failure: Failure) -> LayoutDiagnostic {
        switch failure {
        case .conflict(let conflict): .conflict(conflict)
        case .error: .rejected(.unsolvable(constraint.source))
        }
    }

    private func removeUnmetContent(_ matches: (ImplicitConstraint) -> Bool) {
        if !unmetContent.isEmpty { unmetContent.removeAll { matches($0.constraint) } }
    }

    /// Records content as unmet until something changes; reports anything else as unsolvable.
    private func giveUp(_ constraint: ImplicitConstraint, _ diagnostic: LayoutDiagnostic) {
        if constraint.content != nil {
            removeImplicit(constraint.role, constraint.axis, of: constraint.record)
            unmetContent.append(UnmetContentConstraint(constraint: constraint, diagnostic: diagnostic))
        } else {
            errors.append(.unsolvable(constraint.source))
            // A root size retains its former value and is tried again; other roles are set again when they are next needed.
            if constraint.role == .size {
                needsRootSize = true
            } else {
                removeImplicit(constraint.role, constraint.axis, of: constraint.record)
            }
        }
    }
}
