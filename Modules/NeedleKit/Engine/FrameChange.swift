/// An item whose frame is another after a layout.
@MainActor
public struct FrameChange {
    /// The item.
    public let item: any LayoutItem
    /// Its frame, relative to its parent, on the whole-number grid.
    public let frame: LayoutRect
}
