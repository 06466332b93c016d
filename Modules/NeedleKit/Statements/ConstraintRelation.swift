/// A relation of a statement, which a call with the right side completes: `make.top.equalTo(title.ndl.bottom)`.
///
/// The compiler checks that the right side fits the attributes: items, areas and numbers fit all of them, other operands
/// fit those of their kind and chained attributes.
@MainActor
public struct ConstraintRelation<Kind: AnchorKind> {
    let start: ConstraintStart<Kind>
    let relation: LayoutRelation

    /// Relates each attribute to an operand: the same attribute of an item or area, or a number.
    ///
    /// A number for a position counts from the parent's same attribute.
    @discardableResult
    public func callAsFunction(
        _ operand: some ConstraintOperand<Any>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        start.relate(relation, to: operand.constraintRightSide, file, line)
    }

    /// Relates each attribute to the same attribute of an item or of its safe area.
    @discardableResult
    public func callAsFunction(
        _ item: any LayoutItem,
        needSafeAreaLayoutGuide: Bool,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        start.relate(relation, to: .item(item, area: needSafeAreaLayoutGuide ? .safeArea : .frame), file, line)
    }

    /// Relates each attribute to an operand of the same kind: an anchor, a size, an offset or insets.
    @discardableResult
    public func callAsFunction(
        _ operand: some ConstraintOperand<Kind>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        start.relate(relation, to: operand.constraintRightSide, file, line)
    }

    /// Reports an anchor of another kind at compile time.
    @discardableResult
    @available(*, unavailable, message: "refer to an anchor on the same axis")
    public func callAsFunction<Other>(
        _ anchor: Anchor<Other>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        start.relate(relation, to: anchor.constraintRightSide, file, line)
    }

    /// Relates each edge to the same edge of the parent, moved inward.
    @discardableResult
    public func callAsFunction(
        _ insets: some LayoutInsetsConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> where Kind: SideEdges {
        start.relate(relation, to: .insets(insets.layoutInsets), file, line)
    }

    /// Relates each chained attribute to its counterpart in an anchor, size, offset or insets.
    ///
    /// The counterpart is the anchor's same attribute, or its only one on the same axis. An attribute without one is
    /// rejected with ``LayoutError/wrongAxis(_:)``.
    @discardableResult
    public func callAsFunction<Operand: ConstraintOperand>(
        _ operand: Operand,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> where Operand.OperandKind: AnchorKind, Kind == Mixed {
        start.relate(relation, to: operand.constraintRightSide, file, line)
    }
}

/// A relation to the parent, which a call completes: `make.edges.equalToSuperview()`.
@MainActor
public struct ParentRelation<Kind: AnchorKind> {
    let start: ConstraintStart<Kind>
    let relation: LayoutRelation
    let area: LayoutArea

    /// Relates each attribute to the same attribute of the parent.
    ///
    /// - Parameters:
    ///   - area: chooses another area of the parent: `equalToSuperview { $0.safeArea }`.
    ///   - file: the file of the statement.
    ///   - line: the line of the statement.
    /// - Returns: modifiers for the statement.
    @discardableResult
    public func callAsFunction(
        _ area: ((LayoutArea.Type) -> LayoutArea)? = nil,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        start.relate(relation, to: .parent(area: area?(LayoutArea.self) ?? self.area), file, line)
    }
}

extension ConstraintStart {
    /// Makes each attribute equal to the right side of the call: an item, an anchor, a number or another operand.
    public var equalTo: ConstraintRelation<Kind> { ConstraintRelation(start: self, relation: .equal) }
    /// Makes each attribute at most the right side of the call.
    public var lessThanOrEqualTo: ConstraintRelation<Kind> {
        ConstraintRelation(start: self, relation: .lessThanOrEqual)
    }
    /// Makes each attribute at least the right side of the call.
    public var greaterThanOrEqualTo: ConstraintRelation<Kind> {
        ConstraintRelation(start: self, relation: .greaterThanOrEqual)
    }

    /// Makes each attribute equal to the same attribute of the parent, or of an area of it: `{ $0.safeArea }`.
    public var equalToSuperview: ParentRelation<Kind> { parent(.equal, .frame) }
    /// Makes each attribute at most the same attribute of the parent, or of an area of it.
    public var lessThanOrEqualToSuperview: ParentRelation<Kind> { parent(.lessThanOrEqual, .frame) }
    /// Makes each attribute at least the same attribute of the parent, or of an area of it.
    public var greaterThanOrEqualToSuperview: ParentRelation<Kind> { parent(.greaterThanOrEqual, .frame) }

    /// Makes each attribute equal to the same attribute of the safe area of the parent.
    public var equalToSafeArea: ParentRelation<Kind> { parent(.equal, .safeArea) }
    /// Makes each attribute at most the same attribute of the safe area of the parent.
    public var lessThanOrEqualToSafeArea: ParentRelation<Kind> { parent(.lessThanOrEqual, .safeArea) }
    /// Makes each attribute at least the same attribute of the safe area of the parent.
    public var greaterThanOrEqualToSafeArea: ParentRelation<Kind> { parent(.greaterThanOrEqual, .safeArea) }

    /// Makes each attribute equal to the same attribute of the margins of the parent.
    public var equalToMargins: ParentRelation<Kind> { parent(.equal, .margins) }
    /// Makes each attribute at most the same attribute of the margins of the parent.
    public var lessThanOrEqualToMargins: ParentRelation<Kind> { parent(.lessThanOrEqual, .margins) }
    /// Makes each attribute at least the same attribute of the margins of the parent.
    public var greaterThanOrEqualToMargins: ParentRelation<Kind> { parent(.greaterThanOrEqual, .margins) }

    private func parent(_ relation: LayoutRelation, _ area: LayoutArea) -> ParentRelation<Kind> {
        ParentRelation(start: self, relation: relation, area: area)
    }
}
