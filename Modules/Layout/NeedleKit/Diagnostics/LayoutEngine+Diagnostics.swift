internal import ConstraintSolver

extension LayoutEngine: @MainActor CustomStringConvertible {
    /// The problems of the layout as it is now: conflicts with the dropped constraint, and rejected constraints.
    ///
    /// Conflicts, and rejections that a change can resolve, are listed as long as they last. Rejections that last forever
    /// (an invalid number, a released item, a constraint activated twice) are listed until a layout has passed without them.
    public var diagnostics: [LayoutDiagnostic] {
        var found = unavailable.compactMap(\.item).map { LayoutDiagnostic.rootInUse(item: $0.layoutNode.displayName) }
        found += system.errors.errors.map { LayoutDiagnostic.rejected($0) }
        found += system.unmetContent.map(\.diagnostic)
        for record in system.unmetInOrder {
            switch record.state {
            case .dropped(let conflict): found.append(.conflict(conflict))
            case .rejected(let error): found.append(.rejected(error))
            case .pending, .active, .suspended, .removed: break
            }
        }
        return found
    }

    // MARK: - Violations

    /// The optional constraints that the present layout violates, the highest priority first; the content of items is among
    /// them, required constraints never are.
    ///
    /// A violation is not an error: priorities decide which of several constraints is satisfied.
    public var violations: [LayoutViolation] { system.solver.violatedPreferences().compactMap(violation) }

    /// The sum of the violations of each priority that has one, in the unit of the layout.
    public var violationsByPriority: [LayoutPriority: Double] {
        var sums: [LayoutPriority: Double] = [:]
        for violation in violations { sums[violation.priority, default: 0] += violation.amount }
        return sums
    }

    func violation(_ violation: Violation) -> LayoutViolation? {
        if let record = system.statements[violation.id] {
            // From right to left the solver has the statement with the other sign.
            let isMirrored = layoutDirection == .rightToLeft && record.constraint.attribute.isDirectional
            return LayoutViolation(
                constraint: record.source,
                residual: isMirrored ? -violation.residual : violation.residual
            )
        }
        // That an item is collapsed, or not negative, is no preference of anybody.
        guard let implicit = system.implicit[violation.id], implicit.content != nil else { return nil }
        return LayoutViolation(constraint: implicit.source, residual: violation.residual)
    }

    // MARK: - Ambiguities

    /// The parts of frames without a unique solution in the present layout, in the order of the tree, for each item the
    /// extents first.
    ///
    /// A part is ambiguous if and only if its least and its greatest value over all solutions that are optimal at every
    /// priority differ. The number of ambiguities with ``LayoutAmbiguity/remedies`` is the number of missing constraints; the
    /// others follow from those. What is inside a collapsed item is not listed.
    ///
    /// For debugging: it solves two small linear programs for each open part.
    public var ambiguities: [LayoutAmbiguity] {
        let open = system.openVariables()
        guard !open.isEmpty, let root = system.tree.root else { return [] }
        let finder = AmbiguityFinder(open: open, root: root, tree: system.tree)
        return finder.ambiguities { self.activeConstraints(on: $0, along: $1) }
    }

    /// The active statements on an item along an axis, then its content.
    private func activeConstraints(on record: ItemRecord, along axis: LayoutAxis) -> [ConstraintSource] {
        let stated = record.constraints.filter { constraint in
            guard case .active = constraint.state else { return false }
            return constraint.item === record && constraint.constraint.attribute.axis == axis
        }
        let content = [ImplicitConstraint.Role.hugging, .compressionResistance].compactMap { role in
            record.implicit[ImplicitConstraint.Key(role: role, axis: axis)].flatMap { system.implicit[$0]?.source }
        }
        return stated.sorted { $0.sequence < $1.sequence }.map(\.source) + content
    }

    // MARK: - Description

    /// The tree as text: one item a line, indented, with its frame and the constraints made on it.
    public var description: String {
        guard let root = system.tree.root else { return "empty layout" }
        var lines: [String] = []
        describe(root, &lines)
        return lines.joined(separator: "\n")
    }

    private func describe(_ record: ItemRecord, _ lines: inout [String]) {
        let indent = String(repeating: "  ", count: record.depth)
        let frame = record.hasFrame ? record.node.map { "\($0.frame)" } ?? "released" : "not laid out"
        lines.append("\(indent)\(record.displayName) \(frame)")
        for constraint in record.node?.constraints ?? [] {
            lines.append("\(indent)  | \(constraint.source)\(status(of: constraint))")
        }
        for child in record.children { describe(child, &lines) }
    }

    private func status(of constraint: Constraint) -> String {
        guard constraint.isActive else { return ", inactive" }
        guard let record = system.record(of: constraint) else { return ", not in this layout" }
        switch record.state {
        case .active:
            guard let id = record.id, let violation = try? system.solver.violation(of: id), violation > 1e-6 else {
                return ""
            }
            return ", violated by \(Constraint.text(Double(Int(min(violation, 1e12) * 1000 + 0.5)) / 1000))"
        case .pending: return ", pending"
        case .dropped: return ", dropped: conflict"
        case .rejected: return ", rejected"
        case .suspended: return ", suspended: collapsed"
        case .removed: return ""
        }
    }

    /// Returns a length rounded to a thousandth, without trailing zeros.
    nonisolated static func text(_ value: Double) -> String {
        guard abs(value) < 1e12 else { return "\(value)" }
        let thousandths = Int(abs(value) * 1000 + 0.5)
        let digits = String(thousandths % 1000 + 1000).dropFirst()
        let fraction = digits.reversed().drop { $0 == "0" }.reversed().map(String.init).joined()
        let sign = value < 0 && thousandths > 0 ? "-" : ""
        return "\(sign)\(thousandths / 1000)\(fraction.isEmpty ? "" : ".\(fraction)")"
    }
}

extension LayoutSystem {
    /// Returns the variables without a unique solution. No extent is negative; outside of this call the solver has that
    /// constraint only for extents that would be.
    fileprivate func openVariables() -> [Variable: OpenVariable] {
        struct Reverted: Error {}
        var unlimited: Set<Variable> = []
        for case let record? in tree.records {
            for (axis, extent) in [(LayoutAxis.horizontal, record.width), (.vertical, record.height)]
            where record.implicit[ImplicitConstraint.Key(role: .notNegative, axis: axis)] == nil {
                unlimited.insert(extent)
            }
        }
        var open = solver.openVariables()
        let limited = open.filter { $0.lower < 0 && unlimited.contains($0.variable) }
        if !limited.isEmpty {
            try? solver.transaction { solver throws(Reverted) -> Void in
                for one in limited {
                    let limit = LinearConstraint([Term(one.variable)], .greaterThanOrEqual, 0, priority: .structural)
                    _ = try? solver.add(limit)
                }
                open = solver.openVariables()
                throw Reverted()
            }
        }
        return Dictionary(uniqueKeysWithValues: open.map { ($0.variable, $0) })
    }
}
