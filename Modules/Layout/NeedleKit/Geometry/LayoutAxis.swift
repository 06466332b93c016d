/// One of the two axes of a layout.
public enum LayoutAxis: Sendable, Hashable, CaseIterable {
    /// Left to right: x grows to the right.
    case horizontal
    /// Top to bottom: y grows downwards.
    case vertical

    var other: LayoutAxis { self == .horizontal ? .vertical : .horizontal }
}

/// The reading direction, which decides whether leading means left or right.
public enum LayoutDirection: Sendable, Hashable {
    /// Leading is left.
    case leftToRight
    /// Leading is right; offsets from leading and trailing anchors count leftwards.
    case rightToLeft
}

/// A rectangle of an item that constraints can refer to.
public enum LayoutArea: Sendable, Hashable, CaseIterable {
    /// The item's frame.
    case frame
    /// The frame less ``LayoutNode/safeAreaInsets``: the part that nothing covers.
    case safeArea
    /// The safe area less ``LayoutNode/margins``.
    case margins

    /// The area's name in descriptions, appended to the item's name.
    var suffix: String {
        switch self {
        case .frame: ""
        case .safeArea: ".safeArea"
        case .margins: ".margins"
        }
    }
}
