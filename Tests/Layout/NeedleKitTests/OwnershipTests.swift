import NeedleKit
import Testing

/// Items that belong to another engine or move to another parent, and items that are released without having been removed.
@MainActor
@Suite("Ownership")
struct OwnershipTests {
    @Test("A second engine on one root reports it, and takes over once the first is released")
    func secondEngine() {
        let (root, child) = (Box("root"), Box("child"))
        root.add(child)
        child.ndl.makeConstraints { $0.edges.equalToSuperview().inset(1) }
        var first: LayoutEngine? = LayoutEngine(root: root)
        let second = LayoutEngine(root: root)
        first?.setSize(width: 20, height: 10)
        second.setSize(width: 30, height: 10)
        #expect(first?.layout().count == 2)
        #expect(second.layout().isEmpty)
        #expect(first?.diagnostics == [])
        #expect(second.diagnostics == [.rootInUse(item: "root")])
        #expect(
            second.diagnostics.map(\.description) == [
                "root is the root of another layout engine, so this engine does not lay it out; "
                    + "use that engine, or release it first"
            ]
        )
        first = nil
        #expect(second.layout().map(\.frame) == [LayoutRect(0, 0, 30, 10), LayoutRect(1, 1, 28, 8)])
        #expect(second.diagnostics.isEmpty)
    }

    @Test("An item that is the root of another engine is reported until it is removed or that engine is released")
    func rootAsChild() {
        let (inner, outer) = (Stage(width: 5, height: 5), Stage(width: 20, height: 10))
        inner.layout()
        outer.root.add(inner.root)
        outer.engine.itemAdded(inner.root)
        #expect(outer.layout().count == 1)
        #expect(outer.engine.diagnostics == [.rootInUse(item: "root")])
        outer.root.remove(inner.root)
        outer.engine.itemRemoved(inner.root)
        #expect(outer.engine.diagnostics.isEmpty)
        #expect(outer.layout().isEmpty)
    }

    @Test("Released items are removed once, also if an item between them still exists")
    func releasedTwice() {
        let stage = Stage(width: 20, height: 10)
        var outer: Box? = Box("outer")
        let middle = Box("middle")
        var inner: Box? = Box("inner")
        if let outer, let inner {
            stage.root.add(outer)
            outer.add(middle)
            middle.add(inner)
            stage.engine.itemAdded(outer)
            for box in [outer, middle, inner] { box.ndl.makeConstraints { $0.edges.equalToSuperview() } }
        }
        #expect(stage.layout().count == 4)
        if let outer, let inner {
            stage.root.remove(outer)
            outer.remove(middle)
            middle.remove(inner)
        }
        outer = nil
        inner = nil
        #expect(stage.layout().isEmpty)
        // Records of removed items are reused: two new items must not share one.
        let boxes = (0..<4).map { Box("new \($0)") }
        for (index, box) in boxes.enumerated() {
            stage.add(box)
            box.ndl.makeConstraints { make in
                make.left.top.equalToSuperview()
                make.size.equalTo(LayoutSize(width: Double(index + 1), height: 1))
            }
        }
        stage.layout()
        #expect(boxes.map(\.laidOut.width) == [1, 2, 3, 4])
        #expect(stage.engine.diagnostics.isEmpty)
    }

    @Test("An item that is added to another parent moves, alone or with that parent", arguments: [true, false])
    func moves(_ isAlone: Bool) {
        let (old, new, item) = (Box("old"), Box("new"), Box("item"))
        old.add(item)
        let stage = Stage(width: 20, height: 20, old)
        item.ndl.makeConstraints { $0.edges.equalToSuperview() }
        for (box, size) in [(old, 3), (new, 7)] {
            box.ndl.makeConstraints { make in
                make.left.top.equalToSuperview()
                make.size.equalTo(size)
            }
        }
        if isAlone { stage.add(new) }
        #expect(stage.frame(of: item) == LayoutRect(0, 0, 3, 3))
        old.remove(item)
        new.add(item)
        if isAlone { stage.engine.itemAdded(item) } else { stage.add(new) }
        stage.root.remove(old)
        stage.engine.itemRemoved(old)
        #expect(stage.frame(of: item) == LayoutRect(0, 0, 7, 7))
        #expect(stage.engine.frame(of: item) == item.laidOut && stage.engine.diagnostics.isEmpty)
        // An item that has its parent already stays as it is.
        stage.engine.itemAdded(item)
        #expect(!stage.engine.needsLayout)
    }
}
