// The three relations with the same operands. The compiler checks that an operand fits the attributes: items, areas and
// numbers fit all of them, the other operands those of their kind and chained attributes.

// MARK: - Equal

extension ConstraintStart {
    /// Makes each attribute equal to an operand: the same attribute of an item or area, or a number.
    ///
    /// A number for a position counts from the parent's same attribute.
    @discardableResult
    public func equalTo(
        _ operand: some ConstraintOperand<Any>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: operand.constraintRightSide, file, line)
    }

    /// Makes each attribute equal to the same attribute of an item or of its safe area.
    @discardableResult
    public func equalTo(
        _ item: any LayoutItem,
        needSafeAreaLayoutGuide: Bool,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: .item(item, area: needSafeAreaLayoutGuide ? .safeArea : .frame), file, line)
    }

    /// Makes each attribute equal to an operand of the same kind: an anchor, a size, an offset or insets.
    @discardableResult
    public func equalTo(
        _ operand: some ConstraintOperand<Kind>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: operand.constraintRightSide, file, line)
    }

    /// Reports an anchor of another kind at compile time.
    @discardableResult
    @available(*, unavailable, message: "refer to an anchor on the same axis")
    public func equalTo<Other>(
        _ anchor: Anchor<Other>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: anchor.constraintRightSide, file, line)
    }

    /// Makes each attribute equal to the same attribute of the parent, or of an area of it: `{ $0.safeArea }`.
    @discardableResult
    public func equalToSuperview(
        _ area: (LayoutArea.Type) -> LayoutArea = { $0.frame },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: .parent(area: area(LayoutArea.self)), file, line)
    }

    /// Makes each attribute equal to the same attribute of the safe area of the parent.
    @discardableResult
    public func equalToSafeArea(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: .parent(area: .safeArea), file, line)
    }

    /// Makes each attribute equal to the same attribute of the margins of the parent.
    @discardableResult
    public func equalToMargins(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: .parent(area: .margins), file, line)
    }
}

extension ConstraintStart where Kind: SideEdges {
    /// Makes each attribute equal to the same edge of the parent, moved inward.
    @discardableResult
    public func equalTo(
        _ insets: some LayoutInsetsConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: .insets(insets.layoutInsets), file, line)
    }
}

extension ConstraintStart where Kind == Mixed {
    /// Makes each attribute equal to its counterpart in an anchor, size, offset or insets.
    ///
    /// The counterpart is the anchor's same attribute, or its only one on the same axis. An attribute without one is
    /// rejected with ``LayoutError/wrongAxis(_:)``.
    @discardableResult
    public func equalTo<Operand: ConstraintOperand>(
        _ operand: Operand,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> where Operand.OperandKind: AnchorKind {
        relate(.equal, to: operand.constraintRightSide, file, line)
    }
}

// MARK: - At most

extension ConstraintStart {
    /// Makes each attribute at most an operand: the same attribute of an item or area, or a number.
    ///
    /// A number for a position counts from the parent's same attribute.
    @discardableResult
    public func lessThanOrEqualTo(
        _ operand: some ConstraintOperand<Any>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: operand.constraintRightSide, file, line)
    }

    /// Makes each attribute at most the same attribute of an item or of its safe area.
    @discardableResult
    public func lessThanOrEqualTo(
        _ item: any LayoutItem,
        needSafeAreaLayoutGuide: Bool,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: .item(item, area: needSafeAreaLayoutGuide ? .safeArea : .frame), file, line)
    }

    /// Makes each attribute at most an operand of the same kind: an anchor, a size, an offset or insets.
    @discardableResult
    public func lessThanOrEqualTo(
        _ operand: some ConstraintOperand<Kind>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: operand.constraintRightSide, file, line)
    }

    /// Reports an anchor of another kind at compile time.
    @discardableResult
    @available(*, unavailable, message: "refer to an anchor on the same axis")
    public func lessThanOrEqualTo<Other>(
        _ anchor: Anchor<Other>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: anchor.constraintRightSide, file, line)
    }

    /// Makes each attribute at most the same attribute of the parent, or of an area of it: `{ $0.safeArea }`.
    @discardableResult
    public func lessThanOrEqualToSuperview(
        _ area: (LayoutArea.Type) -> LayoutArea = { $0.frame },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: .parent(area: area(LayoutArea.self)), file, line)
    }

    /// Makes each attribute at most the same attribute of the safe area of the parent.
    @discardableResult
    public func lessThanOrEqualToSafeArea(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: .parent(area: .safeArea), file, line)
    }

    /// Makes each attribute at most the same attribute of the margins of the parent.
    @discardableResult
    public func lessThanOrEqualToMargins(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: .parent(area: .margins), file, line)
    }
}

extension ConstraintStart where Kind: SideEdges {
    /// Makes each attribute at most the same edge of the parent, moved inward.
    @discardableResult
    public func lessThanOrEqualTo(
        _ insets: some LayoutInsetsConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: .insets(insets.layoutInsets), file, line)
    }
}

extension ConstraintStart where Kind == Mixed {
    /// Makes each attribute at most its counterpart in an anchor, size, offset or insets.
    ///
    /// The counterpart is the anchor's same attribute, or its only one on the same axis. An attribute without one is
    /// rejected with ``LayoutError/wrongAxis(_:)``.
    @discardableResult
    public func lessThanOrEqualTo<Operand: ConstraintOperand>(
        _ operand: Operand,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> where Operand.OperandKind: AnchorKind {
        relate(.lessThanOrEqual, to: operand.constraintRightSide, file, line)
    }
}

// MARK: - At least

extension ConstraintStart {
    /// Makes each attribute at least an operand: the same attribute of an item or area, or a number.
    ///
    /// A number for a position counts from the parent's same attribute.
    @discardableResult
    public func greaterThanOrEqualTo(
        _ operand: some ConstraintOperand<Any>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: operand.constraintRightSide, file, line)
    }

    /// Makes each attribute at least the same attribute of an item or of its safe area.
    @discardableResult
    public func greaterThanOrEqualTo(
        _ item: any LayoutItem,
        needSafeAreaLayoutGuide: Bool,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: .item(item, area: needSafeAreaLayoutGuide ? .safeArea : .frame), file, line)
    }

    /// Makes each attribute at least an operand of the same kind: an anchor, a size, an offset or insets.
    @discardableResult
    public func greaterThanOrEqualTo(
        _ operand: some ConstraintOperand<Kind>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: operand.constraintRightSide, file, line)
    }

    /// Reports an anchor of another kind at compile time.
    @discardableResult
    @available(*, unavailable, message: "refer to an anchor on the same axis")
    public func greaterThanOrEqualTo<Other>(
        _ anchor: Anchor<Other>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: anchor.constraintRightSide, file, line)
    }

    /// Makes each attribute at least the same attribute of the parent, or of an area of it: `{ $0.safeArea }`.
    @discardableResult
    public func greaterThanOrEqualToSuperview(
        _ area: (LayoutArea.Type) -> LayoutArea = { $0.frame },
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: .parent(area: area(LayoutArea.self)), file, line)
    }

    /// Makes each attribute at least the same attribute of the safe area of the parent.
    @discardableResult
    public func greaterThanOrEqualToSafeArea(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: .parent(area: .safeArea), file, line)
    }

    /// Makes each attribute at least the same attribute of the margins of the parent.
    @discardableResult
    public func greaterThanOrEqualToMargins(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: .parent(area: .margins), file, line)
    }
}

extension ConstraintStart where Kind: SideEdges {
    /// Makes each attribute at least the same edge of the parent, moved inward.
    @discardableResult
    public func greaterThanOrEqualTo(
        _ insets: some LayoutInsetsConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: .insets(insets.layoutInsets), file, line)
    }
}

extension ConstraintStart where Kind == Mixed {
    /// Makes each attribute at least its counterpart in an anchor, size, offset or insets.
    ///
    /// The counterpart is the anchor's same attribute, or its only one on the same axis. An attribute without one is
    /// rejected with ``LayoutError/wrongAxis(_:)``.
    @discardableResult
    public func greaterThanOrEqualTo<Operand: ConstraintOperand>(
        _ operand: Operand,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> where Operand.OperandKind: AnchorKind {
        relate(.greaterThanOrEqual, to: operand.constraintRightSide, file, line)
    }
}
