extension ItemRecord {
    /// Where the baselines of an item's text are.
    struct Baselines: Equatable {
        /// How far below the top edge the first one is; `nil` puts it at the bottom edge.
        var first: Double?
        /// How far above the bottom edge the last one is.
        var last: Double
    }

    /// What the item tells now; `nil` once it is released.
    var presentBaselines: Baselines? {
        item.map { Baselines(first: $0.firstBaselineFromTop, last: $0.lastBaselineFromBottom) }
    }

    /// What constraints are entered with: asked for at first use, and anew when the content asks for another size.
    func usedBaselines() -> Baselines {
        let used = baselines ?? presentBaselines ?? Baselines(first: nil, last: 0)
        baselines = used
        return used
    }
}

extension ConstraintRecord {
    /// Whether the constraint refers to a baseline of an item, on either side.
    func refersToBaseline(of record: ItemRecord) -> Bool {
        item === record && constraint.attribute.isBaseline
            || target === record && constraint.target.attribute.isBaseline
    }
}

extension LayoutAttribute {
    fileprivate var isBaseline: Bool { self == .firstBaseline || self == .lastBaseline }
}
