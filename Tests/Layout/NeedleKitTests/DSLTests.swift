import NeedleKit
import TestSupport
import Testing

@MainActor
@Suite("DSL")
struct DSLTests {
    private func place(_ box: Box, _ closure: (ConstraintMaker) -> Void) -> LayoutRect {
        let stage = Stage(width: 100, height: 40, box)
        box.ndl.makeConstraints(closure)
        stage.layout()
        return box.laidOut
    }

    @Test("constants, offsets and insets add up")
    func constants() {
        let frame = place(Box("box")) { make in
            make.left.equalToSuperview().constant(1).constant(2)
            make.top.equalTo(1).offset(2).inset(3).constant(4)
            make.right.equalToSuperview().offset(-1).inset(2)
            make.height.equalTo(10).inset(2).constant(1)
        }
        #expect(frame == LayoutRect(3, 10, 94, 7))
    }

    @Test("inset moves every edge inward, also by a different distance for each")
    func insets() {
        let frame = place(Box("box")) { make in
            make.edges.equalToSuperview().inset(LayoutInsets(top: 1, left: 2, bottom: 3, right: 4))
        }
        #expect(frame == LayoutRect(2, 1, 94, 36))
        #expect(place(Box("box")) { $0.edges.equalTo(LayoutInsets(5)) } == LayoutRect(5, 5, 90, 30))
        let smaller = place(Box("box")) { make in
            make.size.equalToSuperview().inset(LayoutInsets(horizontal: 10, vertical: 5))
            make.center.equalToSuperview().inset(7)
        }
        #expect(smaller == LayoutRect(10, 5, 80, 30))
    }

    @Test("equalTo accepts an item's safe area in every spelling")
    func safeArea() {
        let boxes = (0..<4).map { Box("box \($0)") }
        let stage = Stage(width: 100, height: 40, boxes[0], boxes[1], boxes[2], boxes[3])
        stage.root.layoutNode.safeAreaInsets = LayoutInsets(top: 2, left: 3, bottom: 4, right: 5)
        boxes[0].ndl.makeConstraints { $0.edges.equalTo(stage.root, needSafeAreaLayoutGuide: true) }
        boxes[1].ndl.makeConstraints { $0.edges.equalTo(stage.root.ndl.safeArea) }
        boxes[2].ndl.makeConstraints { $0.edges.equalTo(stage.root.ndl.safeArea.edges) }
        boxes[3].ndl.makeConstraints { make in
            make.top.equalTo(stage.root.ndl.safeArea.top)
            make.bottom.equalTo(stage.root.ndl.safeArea.bottom)
            make.width.equalTo(stage.root.ndl.safeArea.width)
            make.centerX.equalTo(stage.root.ndl.safeArea.centerX)
        }
        stage.layout()
        for box in boxes { #expect(box.laidOut == LayoutRect(3, 2, 92, 34)) }
        stage.root.layoutNode.safeAreaInsets = LayoutInsets(1)
        stage.layout()
        for box in boxes { #expect(box.laidOut == LayoutRect(1, 1, 98, 38)) }
    }

    @Test("Relations, multipliers, divisors and an aspect ratio position items")
    func relations() {
        let (box, half, wide) = (Box("box"), Box("half"), Box("wide"))
        let stage = Stage(width: 100, height: 40, box, half, wide)
        box.ndl.makeConstraints { make in
            make.left.top.equalTo(0)
            make.width.lessThanOrEqualTo(30)
            make.width.equalTo(60).priority(.high)
            make.height.greaterThanOrEqualTo(8)
            make.height.equalTo(2).priority(10)
        }
        half.ndl.makeConstraints { make in
            make.left.top.equalTo(0)
            make.width.equalTo(box).dividedBy(2)
            make.height.equalTo(box.ndl.width).multipliedBy(0.5).offset(1)
        }
        wide.ndl.makeConstraints { make in
            make.left.top.equalTo(0)
            make.height.equalTo(9)
            make.aspectRatio(16.0 / 9)
        }
        #expect(stage.frame(of: box) == LayoutRect(0, 0, 30, 8))
        #expect(half.laidOut == LayoutRect(0, 0, 15, 16))
        #expect(wide.laidOut == LayoutRect(0, 0, 16, 9))
    }

    @Test("No number of lower priorities outweighs a higher one")
    func strictPriorities() {
        let frame = place(Box("box")) { make in
            make.left.top.equalTo(0)
            make.height.equalTo(1)
            make.width.equalTo(10).priority(501)
            for _ in 0..<50 { make.width.equalTo(90).priority(500) }
        }
        #expect(frame.width == 10)
    }

    @Test("updateConstraints changes matching constraints in place and makes the others")
    func update() {
        let (box, other) = (Box("box"), Box("other"))
        let stage = Stage(width: 100, height: 40, box, other)
        let made = box.ndl.makeConstraints { make in
            make.left.top.equalTo(0)
            make.width.equalTo(10)
            make.height.equalTo(1).labeled("height")
        }
        other.pin(left: 0, top: 0, width: 5, height: 5)
        stage.layout()
        let updated = box.ndl.updateConstraints { make in
            make.width.equalTo(20)
            make.height.equalTo(other).multipliedBy(2).labeled("height")
            make.right.lessThanOrEqualToSuperview()
        }
        #expect(updated[0] === made[2])
        #expect(updated[1] === made[3])
        #expect(box.ndl.constraints.count == 5)
        #expect(stage.frame(of: box) == LayoutRect(0, 0, 20, 10))
    }

    @Test("remakeConstraints replaces all constraints, removeConstraints removes them, also outside any tree")
    func remake() {
        let box = Box("box")
        box.ndl.makeConstraints { $0.edges.equalToSuperview() }
        box.ndl.remakeConstraints { make in
            make.left.top.equalTo(1)
            make.size.equalTo(2)
        }
        let stage = Stage(width: 100, height: 40, box)
        #expect(stage.frame(of: box) == LayoutRect(1, 1, 2, 2))
        box.ndl.removeConstraints()
        stage.layout()
        #expect(box.ndl.constraints.isEmpty)
        #expect(stage.engine.diagnostics.isEmpty)
    }

    @Test("the deprecated ndl_makeConstraints makes the same constraints")
    @available(*, deprecated)
    func deprecatedEntry() {
        let box = Box("box")
        let stage = Stage(width: 100, height: 40, box)
        box.ndl_makeConstraints { $0.edges.equalToSuperview() }
        #expect(stage.frame(of: box) == LayoutRect(0, 0, 100, 40))
    }

    @Test("A stored constraint changes its constant, multiplier, target and priority, also from and to required")
    func handles() throws {
        let (box, other) = (Box("box"), Box("other"))
        let stage = Stage(width: 100, height: 40, box, other)
        other.pin(left: 0, top: 0, width: 40, height: 8)
        let made = box.ndl.makeConstraints { make in
            make.left.top.height.equalTo(1)
            make.width.equalTo(other).multipliedBy(0.5).labeled("width")
            make.width.equalTo(7).priority(900)
        }
        let width = made[3]
        #expect(stage.frame(of: box).width == 20)
        try width.setConstant(3)
        #expect(stage.frame(of: box).width == 23)
        try width.setMultiplier(1)
        #expect(stage.frame(of: box).width == 43)
        try width.setTarget(other.ndl.height)
        #expect(stage.frame(of: box).width == 11)
        width.setPriority(500)
        #expect(stage.frame(of: box).width == 7)
        width.setPriority(.required)
        #expect(stage.frame(of: box).width == 11)
        width.deactivate()
        #expect(stage.frame(of: box).width == 7)
        width.activate()
        #expect(stage.frame(of: box).width == 11)
        #expect(throws: LayoutError.wrongAxis(width.source)) { try width.setTarget(other.ndl.top) }
    }

    @Test("A group activates, deactivates and changes the constraints of a statement together")
    func groups() throws {
        let box = Box("box")
        let stage = Stage(width: 100, height: 40, box)
        var edges = ConstraintGroup()
        let compact = ConstraintGroup(
            box.ndl.prepareConstraints { make in
                make.left.top.equalTo(0)
                make.size.equalTo(3)
            }
        )
        box.ndl.makeConstraints { make in edges = make.edges.equalToSuperview().inset(1).group }
        #expect(stage.frame(of: box) == LayoutRect(1, 1, 98, 38))
        try edges.setInset(5)
        #expect(stage.frame(of: box) == LayoutRect(5, 5, 90, 30))
        edges.deactivate()
        compact.activate()
        #expect(stage.frame(of: box) == LayoutRect(0, 0, 3, 3))
    }

    @Test("Guides are laid out like items until they are removed")
    func guides() {
        let box = Box("box")
        let stage = Stage(width: 100, height: 40, box)
        let gutter = LayoutGuide(in: stage.root, name: "gutter")
        gutter.ndl.makeConstraints { make in
            make.left.vertical.equalToSuperview()
            make.width.equalTo(6)
        }
        box.ndl.makeConstraints { make in
            make.left.equalTo(gutter.ndl.right)
            make.vertical.right.equalToSuperview()
        }
        stage.layout()
        #expect(gutter.layoutNode.frame == LayoutRect(0, 0, 6, 40))
        #expect(box.laidOut == LayoutRect(6, 0, 94, 40))
        gutter.remove()
        #expect(stage.problems().count == 1)
    }

    @Test("The description contains items, frames, constraints and their state")
    func description() {
        let box = Box("box")
        let stage = Stage(width: 100, height: 40, box)
        box.ndl.makeConstraints { make in
            make.edges.equalToSuperview()
            make.width.equalTo(90).priority(10).labeled("wide")
        }
        stage.layout()
        let text = stage.engine.description
        #expect(
            text.hasPrefix(
                "root (0, 0, 100x40)\n  box (0, 0, 100x40)\n    | box.top == parent.top (NeedleKitTests/DSLTests"
            )
        )
        #expect(text.contains("| “wide” box.width == 90 @10 (NeedleKitTests/DSLTests.swift:"))
        #expect(text.hasSuffix("violated by 10"))
    }
}
