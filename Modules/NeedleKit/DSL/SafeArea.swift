/// The part of an item that nothing covers: its frame less ``LayoutNode/safeAreaInsets``. It has all anchors.
@MainActor
public struct SafeArea: AnchorSource {
    /// The item whose safe area it is.
    public let item: any LayoutItem
    /// The safe area.
    public var area: LayoutArea { .safeArea }
}
