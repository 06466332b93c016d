// The relations of a statement: `make.top.equalTo(title.ndl.bottom)`.
//
// Each relation has an overload for every family of operands, so that the compiler checks that the right side fits the
// attributes: items, areas and numbers fit all of them, other operands fit those of their kind and chained attributes.

// MARK: - Equal

extension ConstraintStart {
    /// Makes each attribute equal to the same attribute of an area, or a number.
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
        _ item: any Constrainable,
        needSafeAreaLayoutGuide: Bool = false,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: .item(item.ndl.item, area: needSafeAreaLayoutGuide ? .safeArea : .frame), file, line)
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

    /// Makes each edge equal to the same edge of the parent, moved inward.
    @discardableResult
    public func equalTo(
        _ insets: some LayoutInsetsConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> where Kind: SideEdges {
        relate(.equal, to: .insets(insets.layoutInsets), file, line)
    }

    /// Makes each chained attribute equal to its counterpart in an anchor, size, offset or insets.
    ///
    /// The counterpart is the anchor's same attribute, or its only one on the same axis. An attribute without one is
    /// rejected with ``LayoutError/wrongAxis(_:)``.
    @discardableResult
    public func equalTo<Operand: ConstraintOperand>(
        _ operand: Operand,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> where Operand.OperandKind: AnchorKind, Kind == Mixed {
        relate(.equal, to: operand.constraintRightSide, file, line)
    }

    /// Makes each attribute equal to the same attribute of the parent.
    @discardableResult
    public func equalToSuperview(file: StaticString = #fileID, line: UInt = #line) -> ConstraintEditor<Kind> {
        relate(.equal, to: .parent(area: .frame), file, line)
    }
}

// MARK: - At most

extension ConstraintStart {
    /// Makes each attribute at most the same attribute of an area, or a number.
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
        _ item: any Constrainable,
        needSafeAreaLayoutGuide: Bool = false,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(
            .lessThanOrEqual,
            to: .item(item.ndl.item, area: needSafeAreaLayoutGuide ? .safeArea : .frame),
            file,
            line
        )
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

    /// Makes each edge at most the same edge of the parent, moved inward.
    @discardableResult
    public func lessThanOrEqualTo(
        _ insets: some LayoutInsetsConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> where Kind: SideEdges {
        relate(.lessThanOrEqual, to: .insets(insets.layoutInsets), file, line)
    }

    /// Makes each chained attribute at most its counterpart in an anchor, size, offset or insets.
    ///
    /// The counterpart is the anchor's same attribute, or its only one on the same axis. An attribute without one is
    /// rejected with ``LayoutError/wrongAxis(_:)``.
    @discardableResult
    public func lessThanOrEqualTo<Operand: ConstraintOperand>(
        _ operand: Operand,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> where Operand.OperandKind: AnchorKind, Kind == Mixed {
        relate(.lessThanOrEqual, to: operand.constraintRightSide, file, line)
    }

    /// Makes each attribute at most the same attribute of the parent.
    @discardableResult
    public func lessThanOrEqualToSuperview(file: StaticString = #fileID, line: UInt = #line) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: .parent(area: .frame), file, line)
    }
}

// MARK: - At least

extension ConstraintStart {
    /// Makes each attribute at least the same attribute of an area, or a number.
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
        _ item: any Constrainable,
        needSafeAreaLayoutGuide: Bool = false,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(
            .greaterThanOrEqual,
            to: .item(item.ndl.item, area: needSafeAreaLayoutGuide ? .safeArea : .frame),
            file,
            line
        )
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

    /// Makes each edge at least the same edge of the parent, moved inward.
    @discardableResult
    public func greaterThanOrEqualTo(
        _ insets: some LayoutInsetsConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> where Kind: SideEdges {
        relate(.greaterThanOrEqual, to: .insets(insets.layoutInsets), file, line)
    }

    /// Makes each chained attribute at least its counterpart in an anchor, size, offset or insets.
    ///
    /// The counterpart is the anchor's same attribute, or its only one on the same axis. An attribute without one is
    /// rejected with ``LayoutError/wrongAxis(_:)``.
    @discardableResult
    public func greaterThanOrEqualTo<Operand: ConstraintOperand>(
        _ operand: Operand,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> where Operand.OperandKind: AnchorKind, Kind == Mixed {
        relate(.greaterThanOrEqual, to: operand.constraintRightSide, file, line)
    }

    /// Makes each attribute at least the same attribute of the parent.
    @discardableResult
    public func greaterThanOrEqualToSuperview(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: .parent(area: .frame), file, line)
    }
}
