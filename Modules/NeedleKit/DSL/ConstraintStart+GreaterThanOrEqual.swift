extension ConstraintStart {
    /// Makes each attribute at least that of another item, or of its safe area.
    ///
    /// - Parameters:
    ///   - item: the other item, or a guide.
    ///   - needSafeAreaLayoutGuide: whether the item's safe area is meant.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func greaterThanOrEqualTo(
        _ item: any LayoutItem,
        needSafeAreaLayoutGuide: Bool = false,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: item, needSafeAreaLayoutGuide ? .safeArea : .frame, file, line)
    }

    /// Makes each attribute at least that of another item's safe area or margins.
    ///
    /// - Parameters:
    ///   - area: `item.ndl.safeArea` or `item.ndl.margins`.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func greaterThanOrEqualTo(
        _ area: some AnchorSource,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: area.item, area.area, file, line)
    }

    /// Makes the attribute at least an anchor of the same kind.
    ///
    /// - Parameters:
    ///   - anchor: the anchor.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func greaterThanOrEqualTo(
        _ anchor: Anchor<Kind>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: anchor, file, line)
    }

    /// Makes an extent at least a number, a position at least the parent's same attribute plus the number.
    ///
    /// - Parameters:
    ///   - number: the number, along the axis.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func greaterThanOrEqualTo(
        _ number: some LayoutNumber,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: number, file, line)
    }

    /// Makes each attribute at least that of the item's parent.
    ///
    /// - Parameters:
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func greaterThanOrEqualToSuperview(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, toParent: .frame, file, line)
    }

    /// Makes each attribute at least that of the safe area of the item's parent.
    ///
    /// - Parameters:
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func greaterThanOrEqualToSafeArea(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, toParent: .safeArea, file, line)
    }

    /// Makes each attribute at least that of the margins of the item's parent.
    ///
    /// - Parameters:
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func greaterThanOrEqualToMargins(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, toParent: .margins, file, line)
    }
}

extension ConstraintStart where Kind == Extents {
    /// Makes width and height at least those of a size.
    ///
    /// - Parameters:
    ///   - size: the size.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func greaterThanOrEqualTo(
        _ size: some LayoutSizeConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: size.layoutSize, file, line)
    }
}

extension ConstraintStart where Kind: SideEdges {
    /// Makes each edge at least the parent's, moved inward.
    ///
    /// - Parameters:
    ///   - insets: the distances inward.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func greaterThanOrEqualTo(
        _ insets: some LayoutInsetsConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: insets.layoutInsets, file, line)
    }
}

extension ConstraintStart where Kind == AllDirectionalEdges {
    /// Makes each edge at least the parent's, moved inward.
    ///
    /// - Parameters:
    ///   - insets: the distances inward.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func greaterThanOrEqualTo(
        _ insets: some DirectionalInsetsConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.greaterThanOrEqual, to: insets.directionalInsets, file, line)
    }
}
