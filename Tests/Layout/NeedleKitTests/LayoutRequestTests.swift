import NeedleKit
import Testing

/// A change of the layout requests a layout once, whatever the change is.
@MainActor
@Suite("Layout requests")
struct LayoutRequestTests {
    @MainActor
    final class Counter {
        var count = 0
    }

    private let box = Box("box", content: IntrinsicSize(width: 3, height: 1))
    private let other = Box("other")
    private let stage: Stage
    private let counter = Counter()

    init() {
        stage = Stage(width: 40, height: 10, box, other)
        box.ndl.makeConstraints { make in
            make.left.top.equalToSuperview()
            make.width.equalTo(10).labeled("width")
        }
        let counter = counter
        stage.engine.onLayoutNeeded = { counter.count += 1 }
        stage.layout()
    }

    /// The number of requests that a change makes; the layout is up to date before and after.
    private func requests(_ change: () throws -> Void) rethrows -> Int {
        counter.count = 0
        #expect(!stage.engine.needsLayout)
        try change()
        #expect(stage.engine.needsLayout == (counter.count > 0))
        stage.layout()
        return counter.count
    }

    @Test("A change of constant, priority, multiplier, target or activation requests one layout")
    func constraints() throws {
        let constraint = try #require(box.ndl.constraints.first { $0.label == "width" })
        let relative = try #require(box.ndl.makeConstraints { $0.height.equalTo(other).offset(1) }.first)
        stage.layout()
        #expect(try requests { try constraint.setConstant(12) } == 1)
        #expect(requests { constraint.setPriority(.high) } == 1)
        #expect(try requests { try relative.setMultiplier(2) } == 1)
        #expect(requests { relative.setTarget(stage.root) } == 1)
        #expect(requests { constraint.deactivate() } == 1)
        #expect(requests { constraint.activate() } == 1)
        #expect(requests { constraint.remove() } == 1)
        #expect(requests { box.ndl.makeConstraints { $0.width.equalTo(4) } } == 1)
        #expect(requests { box.ndl.updateConstraints { $0.width.equalTo(5) } } == 1)
        #expect(requests { box.ndl.remakeConstraints { $0.edges.equalToSuperview() } } == 1)
        #expect(requests { box.ndl.removeConstraints() } == 1)
    }

    @Test("Several changes before a layout request it once, and a change without effect does not")
    func once() throws {
        let constraint = try #require(box.ndl.constraints.first { $0.label == "width" })
        #expect(
            try requests {
                try constraint.setConstant(12)
                try constraint.setConstant(13)
                box.ndl.makeConstraints { $0.height.equalTo(2) }
                stage.engine.setSize(width: 50, height: 10)
            } == 1
        )
        #expect(box.laidOut == LayoutRect(0, 0, 13, 2))
        #expect(try requests { try constraint.setConstant(13) } == 0)
        #expect(requests { constraint.setPriority(.required) } == 0)
        #expect(requests { stage.engine.setSize(width: 50, height: 10) } == 0)
    }

    @Test("Items, guides, content, safe area, margins, visibility, size and direction request a layout")
    func geometry() {
        let added = Box("added")
        stage.root.add(added)
        #expect(requests { stage.engine.itemAdded(added) } == 1)
        var guide: LayoutGuide?
        #expect(requests { guide = LayoutGuide(in: stage.root) } == 1)
        #expect(requests { guide?.remove() } == 1)
        #expect(
            requests {
                stage.engine.itemRemoved(added)
                stage.root.remove(added)
            } == 1
        )
        #expect(requests { box.layoutNode.setNeedsIntrinsicSize() } == 1)
        #expect(requests { stage.engine.invalidateIntrinsicSize(of: box) } == 1)
        #expect(requests { box.ndl.setHugging(.high) } == 1)
        #expect(requests { stage.root.layoutNode.safeAreaInsets = LayoutInsets(1) } == 1)
        #expect(requests { stage.root.layoutNode.margins = LayoutInsets(1) } == 1)
        #expect(requests { box.layoutNode.isHidden = true } == 1)
        #expect(requests { stage.engine.setSize(width: 30, height: 10) } == 1)
        #expect(requests { stage.engine.layoutDirection = .rightToLeft } == 1)
    }

    @Test("A change made by an item during a layout is requested when the layout returns")
    func duringLayout() throws {
        let constraint = try #require(box.ndl.constraints.first { $0.label == "width" })
        var constant = 20.0
        other.heightForWidth = { _ in
            try? constraint.setConstant(constant)
            return 1
        }
        other.ndl.makeConstraints { $0.horizontal.top.equalToSuperview() }
        stage.layout()
        #expect(stage.frame(of: box).width == 20)
        #expect(!stage.engine.needsLayout)
        // The content that is measured last changes a constraint: no round of this layout applies it.
        counter.count = 0
        constant = 25
        stage.engine.setSize(width: 41, height: 10)
        #expect(counter.count == 1)
        stage.layout()
        #expect(counter.count == 2 && stage.engine.needsLayout)
        #expect(box.laidOut.width == 20)
        stage.layout()
        #expect(counter.count == 2 && !stage.engine.needsLayout)
        #expect(box.laidOut.width == 25)
        // The root's size is such a change, too.
        let engine = stage.engine
        other.heightForWidth = { _ in
            engine.setSize(width: 60, height: 10)
            return 1
        }
        engine.setSize(width: 43, height: 10)
        stage.layout()
        #expect(engine.needsLayout)
        stage.layout()
        #expect(stage.root.laidOut.width == 60)
    }

    @Test("An item that moves to another engine requests a layout of both")
    func movedItem() {
        let second = Stage(width: 10, height: 10)
        second.layout()
        let secondCounter = Counter()
        second.engine.onLayoutNeeded = { secondCounter.count += 1 }
        #expect(
            requests {
                stage.root.remove(box)
                second.root.add(box)
                second.engine.itemAdded(box)
            } == 1
        )
        #expect(secondCounter.count == 1)
        // An item that was not removed before belongs to the new engine alone.
        let (third, moved) = (Stage(width: 10, height: 10), Box("moved"))
        second.root.add(moved)
        second.engine.itemAdded(moved)
        #expect(second.engine.description.contains("moved"))
        third.root.add(moved)
        third.engine.itemAdded(moved)
        #expect(!second.engine.description.contains("moved"))
    }
}
