/// Which rectangle of an item is meant.
public enum LayoutArea: Sendable, Hashable, CaseIterable {
    /// The item's frame.
    case frame
    /// The frame less ``LayoutNode/safeAreaInsets``: what nothing covers.
    case safeArea
    /// The safe area less ``LayoutNode/margins``.
    case margins

    /// How the area is named in descriptions, after the item's name.
    var suffix: String {
        switch self {
        case .frame: ""
        case .safeArea: ".safeArea"
        case .margins: ".margins"
        }
    }
}
