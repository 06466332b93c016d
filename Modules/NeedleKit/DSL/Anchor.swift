/// A part of an item to constrain others to: `title.ndl.bottom`.
///
/// Its kind is part of its type, so that an X position never meets a Y position or an extent: such code does not
/// compile.
@MainActor
public struct Anchor<Kind: AnchorKind> {
    let item: any LayoutItem
    let attributes: [LayoutAttribute]
    let area: LayoutArea

    init(_ item: any LayoutItem, _ attributes: [LayoutAttribute], area: LayoutArea) {
        self.item = item
        self.attributes = attributes
        self.area = area
    }
}
