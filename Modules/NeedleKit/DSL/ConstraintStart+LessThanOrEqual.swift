extension ConstraintStart {
    /// Makes each attribute at most that of another item, or of its safe area.
    ///
    /// - Parameters:
    ///   - item: the other item, or a guide.
    ///   - needSafeAreaLayoutGuide: whether the item's safe area is meant.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func lessThanOrEqualTo(
        _ item: any LayoutItem,
        needSafeAreaLayoutGuide: Bool = false,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: item, needSafeAreaLayoutGuide ? .safeArea : .frame, file, line)
    }

    /// Makes each attribute at most that of another item's safe area or margins.
    ///
    /// - Parameters:
    ///   - area: `item.ndl.safeArea` or `item.ndl.margins`.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func lessThanOrEqualTo(
        _ area: some AnchorSource,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: area.item, area.area, file, line)
    }

    /// Makes the attribute at most an anchor of the same kind.
    ///
    /// - Parameters:
    ///   - anchor: the anchor.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func lessThanOrEqualTo(
        _ anchor: Anchor<Kind>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: anchor, file, line)
    }

    /// Makes an extent at most a number, a position at most the parent's same attribute plus the number.
    ///
    /// - Parameters:
    ///   - number: the number, along the axis.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func lessThanOrEqualTo(
        _ number: some LayoutNumber,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: number, file, line)
    }

    /// Makes each attribute at most that of the item's parent.
    ///
    /// - Parameters:
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func lessThanOrEqualToSuperview(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, toParent: .frame, file, line)
    }

    /// Makes each attribute at most that of the safe area of the item's parent.
    ///
    /// - Parameters:
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func lessThanOrEqualToSafeArea(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, toParent: .safeArea, file, line)
    }

    /// Makes each attribute at most that of the margins of the item's parent.
    ///
    /// - Parameters:
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func lessThanOrEqualToMargins(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, toParent: .margins, file, line)
    }
}

extension ConstraintStart where Kind == Extents {
    /// Makes width and height at most those of a size.
    ///
    /// - Parameters:
    ///   - size: the size.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func lessThanOrEqualTo(
        _ size: some LayoutSizeConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: size.layoutSize, file, line)
    }
}

extension ConstraintStart where Kind: SideEdges {
    /// Makes each edge at most the parent's, moved inward.
    ///
    /// - Parameters:
    ///   - insets: the distances inward.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func lessThanOrEqualTo(
        _ insets: some LayoutInsetsConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: insets.layoutInsets, file, line)
    }
}

extension ConstraintStart where Kind == AllDirectionalEdges {
    /// Makes each edge at most the parent's, moved inward.
    ///
    /// - Parameters:
    ///   - insets: the distances inward.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func lessThanOrEqualTo(
        _ insets: some DirectionalInsetsConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.lessThanOrEqual, to: insets.directionalInsets, file, line)
    }
}
