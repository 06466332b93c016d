/// The part of an item inside its margins: its safe area less ``LayoutNode/margins``. It has all anchors.
@MainActor
public struct Margins: AnchorSource {
    /// The item whose margins they are.
    public let item: any LayoutItem
    /// The margins.
    public var area: LayoutArea { .margins }
}
