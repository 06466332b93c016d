/// The constraints and anchors of an item: `item.ndl`.
@MainActor
public struct LayoutDSL: AnchorSource {
    /// The item. On Apple platforms it stands for the view or the guide.
    public let item: any LayoutItem
    /// The item's name, margins, visibility and content priorities.
    public var node: LayoutNode { item.layoutNode }
    /// The frame.
    public var area: LayoutArea { .frame }

    /// The anchors of the part of the item that nothing covers: its frame less ``LayoutNode/safeAreaInsets``.
    public var safeArea: AreaAnchors { AreaAnchors(item: item, area: .safeArea) }

    /// The anchors of the part of the item inside its margins: its safe area less ``LayoutNode/margins``.
    public var margins: AreaAnchors { AreaAnchors(item: item, area: .margins) }

    /// The constraints made on the item, active or not.
    public var constraints: [Constraint] { item.layoutNode.constraints }

    // MARK: - Making constraints

    /// Creates constraints without activating them.
    public func prepareConstraints(_ closure: (_ make: ConstraintMaker) -> Void) -> [Constraint] {
        let maker = ConstraintMaker(item)
        closure(maker)
        return maker.constraints
    }

    /// Makes constraints on the item, in addition to those it has.
    ///
    /// A statement that is invalid, for example because of a number that is not finite, is rejected and reported by
    /// ``LayoutEngine/diagnostics``.
    ///
    /// - Returns: the constraints, in the order of their statements.
    @discardableResult
    public func makeConstraints(_ closure: (_ make: ConstraintMaker) -> Void) -> [Constraint] {
        let maker = ConstraintMaker(item)
        closure(maker)
        let constraints = validated(maker.constraints)
        for constraint in constraints { constraint.activate() }
        return constraints
    }

    /// Makes the same constraints on each of several items.
    ///
    ///     form.ndl.each([name, mail]) { make in make.height.equalTo(1) }
    @discardableResult
    public func each(_ items: [any Constrainable], _ closure: (_ make: ConstraintMaker) -> Void) -> ConstraintGroup {
        ConstraintGroup(items.flatMap { $0.ndl.makeConstraints(closure) })
    }

    /// Removes the item's constraints and makes new ones.
    ///
    /// All constraints are solved anew. If only numbers or targets change, ``updateConstraints(_:)`` is much faster.
    @discardableResult
    public func remakeConstraints(_ closure: (_ make: ConstraintMaker) -> Void) -> [Constraint] {
        removeConstraints()
        return makeConstraints(closure)
    }

    /// Removes all constraints made on the item.
    ///
    /// Constraints made on other items that refer to this one stay, and so do those of stacks, rows and grids that the item
    /// is part of: ``ConstraintGroup/remove()`` of their group removes them.
    public func removeConstraints() {
        let former = item.layoutNode.constraints
        item.layoutNode.constraints = former.filter { $0.arranged != nil }
        for constraint in former where constraint.arranged == nil { constraint.isActive = false }
    }

    /// Returns the valid constraints and reports the others.
    private func validated(_ constraints: [Constraint]) -> [Constraint] {
        constraints.filter { constraint in
            do throws(LayoutError) {
                try LayoutError.check(constraint)
                return true
            } catch {
                item.layoutNode.report(error)
                return false
            }
        }
    }

    // MARK: - Updating constraints

    /// Changes constraints of the item in place, and makes those that do not exist yet.
    ///
    /// A constraint matches a statement with the same attribute and relation, in this order:
    ///
    /// 1. A statement with a label changes the constraint with that label.
    /// 2. A statement without a label changes the constraint with the same target.
    /// 3. Otherwise it changes the only active constraint with the same attribute and relation that has no label and matches
    ///    no other statement; that constraint gets the new target.
    ///
    /// A statement without a match makes a new constraint. A matching constraint gets the constant, multiplier, target,
    /// priority, label and line of the statement and is activated. An invalid statement changes nothing and is reported by
    /// ``LayoutEngine/diagnostics``. Constraints of stacks, rows and grids never match.
    ///
    /// - Returns: the changed and the new constraints, in the order of their statements.
    @discardableResult
    public func updateConstraints(_ closure: (_ make: ConstraintMaker) -> Void) -> [Constraint] {
        let stated = validated(prepareConstraints(closure))
        var free = item.layoutNode.constraints.filter { $0.arranged == nil }
        var matches = stated.map { statement in takeMatch(of: statement, from: &free) }
        // The only remaining candidate is known when every exact match is.
        for (index, statement) in stated.enumerated() where matches[index] == nil {
            matches[index] = takeOnlyCandidate(for: statement, from: &free)
        }
        return zip(stated, matches).map { statement, match in
            guard let match else {
                statement.activate()
                return statement
            }
            match.update(from: statement)
            return match
        }
    }

    /// Takes the constraint with the statement's label, or without a label the one with its target; active ones first.
    private func takeMatch(of statement: Constraint, from free: inout [Constraint]) -> Constraint? {
        var found: Int?
        for (index, present) in free.enumerated()
        where present.attribute == statement.attribute && present.relation == statement.relation {
            let isMatch =
                if let label = statement.label { present.label == label } else {
                    present.hasSameTarget(as: statement)
                }
            guard isMatch else { continue }
            if present.isActive { return free.remove(at: index) }
            found = found ?? index
        }
        return found.map { free.remove(at: $0) }
    }

    private func takeOnlyCandidate(for statement: Constraint, from free: inout [Constraint]) -> Constraint? {
        let candidates = free.indices.filter { index in
            let present = free[index]
            return present.isActive && present.attribute == statement.attribute
                && present.relation == statement.relation && present.label == nil
        }
        return candidates.count == 1 ? free.remove(at: candidates[0]) : nil
    }

    // MARK: - Content priorities

    /// Sets the priority with which the item stays no larger than its content.
    ///
    /// - Parameters:
    ///   - priority: 1 to 1000; 250 by default. Required hugging prevails over required constraints, which are dropped and
    ///     reported by ``LayoutEngine/diagnostics``; only the root's size prevails over the root's own content.
    ///   - axis: the axis; both if `nil`.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func setHugging(
        _ priority: LayoutPriority,
        _ axis: LayoutAxis? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        set(priority, axis, SourceLocation(file: file, line: line)) { .hugging($0) }
    }

    /// Sets the priority with which the item stays no smaller than its content.
    ///
    /// - Parameters:
    ///   - priority: 1 to 1000; 750 by default. A text field beside a label has a lower one, so that it yields its width to
    ///     the label. Required compression resistance prevails as in ``setHugging(_:_:file:line:)``.
    ///   - axis: the axis; both if `nil`.
    ///   - file: the file of the call.
    ///   - line: the line of the call.
    public func setCompressionResistance(
        _ priority: LayoutPriority,
        _ axis: LayoutAxis? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) {
        set(priority, axis, SourceLocation(file: file, line: line)) { .compressionResistance($0) }
    }

    private func set(
        _ priority: LayoutPriority,
        _ axis: LayoutAxis?,
        _ location: SourceLocation,
        _ content: (LayoutAxis) -> ContentPriority
    ) {
        for each in LayoutAxis.allCases where axis == nil || axis == each {
            item.layoutNode[content(each)] = priority
            item.layoutNode.contentLocations[content(each)] = location
        }
    }
}
