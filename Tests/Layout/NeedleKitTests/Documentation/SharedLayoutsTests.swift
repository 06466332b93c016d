import NeedleKit
import Testing

@MainActor
@Suite("UIKit and AppKit")
struct SharedLayoutsTests {
    @Test("The article's layout produces the expected frames of the engine's items")
    func engine() {
        let root = Box("root")
        let picture = Box("picture")
        let name = Box("name", content: IntrinsicSize(width: 10, height: 1))
        let about = Box("about")
        root.add(picture, name, about)
        layOutProfile(in: root, picture: picture, name: name, about: about)
        let engine = LayoutEngine(root: root)
        engine.setSize(width: 80, height: 24)
        for change in engine.layout() { (change.item as? Box)?.laidOut = change.frame }
        #expect(picture.laidOut == LayoutRect(2, 2, 12, 6))
        #expect(name.laidOut == LayoutRect(16, 2, 10, 1))
        #expect(about.laidOut == LayoutRect(16, 4, 62, 18))
        engine.layoutDirection = .rightToLeft
        for change in engine.layout() { (change.item as? Box)?.laidOut = change.frame }
        #expect(picture.laidOut == LayoutRect(66, 2, 12, 6))
        #expect(about.laidOut == LayoutRect(2, 4, 62, 18))
        #expect(engine.diagnostics.isEmpty)
    }
}
