extension ConstraintStart {
    /// Makes each attribute the same as that of another item, or of its safe area.
    ///
    /// - Parameters:
    ///   - item: the other item, or a guide.
    ///   - needSafeAreaLayoutGuide: whether the item's safe area is meant.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func equalTo(
        _ item: any LayoutItem,
        needSafeAreaLayoutGuide: Bool = false,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: item, needSafeAreaLayoutGuide ? .safeArea : .frame, file, line)
    }

    /// Makes each attribute the same as that of another item's safe area or margins.
    ///
    /// - Parameters:
    ///   - area: `item.ndl.safeArea` or `item.ndl.margins`.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func equalTo(
        _ area: some AnchorSource,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: area.item, area.area, file, line)
    }

    /// Makes the attribute the same as an anchor of the same kind.
    ///
    /// - Parameters:
    ///   - anchor: the anchor.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func equalTo(
        _ anchor: Anchor<Kind>,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: anchor, file, line)
    }

    /// Makes an extent the same as a number, a position the same as the parent's same attribute plus the number.
    ///
    /// - Parameters:
    ///   - number: the number, along the axis.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func equalTo(
        _ number: some LayoutNumber,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: number, file, line)
    }

    /// Makes each attribute the same as that of the item's parent.
    ///
    /// - Parameters:
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func equalToSuperview(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, toParent: .frame, file, line)
    }

    /// Makes each attribute the same as that of the safe area of the item's parent.
    ///
    /// - Parameters:
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func equalToSafeArea(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, toParent: .safeArea, file, line)
    }

    /// Makes each attribute the same as that of the margins of the item's parent.
    ///
    /// - Parameters:
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func equalToMargins(
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, toParent: .margins, file, line)
    }
}

extension ConstraintStart where Kind == Extents {
    /// Makes width and height the same as those of a size.
    ///
    /// - Parameters:
    ///   - size: the size.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func equalTo(
        _ size: some LayoutSizeConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: size.layoutSize, file, line)
    }
}

extension ConstraintStart where Kind: SideEdges {
    /// Makes each edge the same as the parent's, moved inward.
    ///
    /// - Parameters:
    ///   - insets: the distances inward.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func equalTo(
        _ insets: some LayoutInsetsConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: insets.layoutInsets, file, line)
    }
}

extension ConstraintStart where Kind == AllDirectionalEdges {
    /// Makes each edge the same as the parent's, moved inward.
    ///
    /// - Parameters:
    ///   - insets: the distances inward.
    ///   - file: the stating file.
    ///   - line: the stating line.
    /// - Returns: what adjusts the statement further.
    @discardableResult
    public func equalTo(
        _ insets: some DirectionalInsetsConvertible,
        file: StaticString = #fileID,
        line: UInt = #line
    ) -> ConstraintEditor<Kind> {
        relate(.equal, to: insets.directionalInsets, file, line)
    }
}
