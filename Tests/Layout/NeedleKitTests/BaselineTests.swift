import NeedleKit
import Testing

/// Baselines and insets that change while active or dropped constraints refer to them.
@MainActor
@Suite("Changing geometry")
struct BaselineTests {
    private let one = Box("one")
    private let two = Box("two")
    private let stage: Stage

    init() {
        stage = Stage(width: 40, height: 20, one, two)
        one.baselines = (first: 1, last: 0)
        two.baselines = (first: 1, last: 0)
        one.pin(left: 0, top: 5, width: 4, height: 4)
    }

    private func align(_ last: Bool = false) {
        two.ndl.makeConstraints { make in
            make.left.equalTo(one.ndl.right)
            make.size.equalTo(4)
            if last { make.lastBaseline.equalTo(one.ndl.lastBaseline) } else { make.firstBaseline.equalTo(one) }
        }
    }

    private func set(_ box: Box, first: Double? = nil, last: Double = 0) {
        box.baselines = (first: first, last: last)
        box.layoutNode.setNeedsIntrinsicSize()
        stage.layout()
    }

    @Test("A first baseline that moves also moves the items aligned with it, on either side of the constraint")
    func first() {
        align()
        #expect(stage.frame(of: two).y == 5)
        set(one, first: 3)
        #expect(two.laidOut.y == 7)
        set(two, first: 2)
        #expect(two.laidOut.y == 6)
        #expect(stage.engine.diagnostics.isEmpty)
    }

    @Test("A first baseline can change to the bottom edge and back")
    func bottom() {
        align()
        stage.layout()
        set(one)
        #expect(two.laidOut.y == 8)
        one.ndl.updateConstraints { $0.size.equalTo(6) }
        #expect(stage.frame(of: two).y == 10)
        set(one, first: 2)
        #expect(two.laidOut.y == 6)
        set(two)
        #expect(two.laidOut.y == 3)
    }

    @Test("A last baseline that moves also moves the items aligned with it")
    func last() {
        align(true)
        #expect(stage.frame(of: two).y == 5)
        set(one, first: 1, last: 2)
        #expect(two.laidOut.y == 3)
        set(two, first: 1, last: 1)
        #expect(two.laidOut.y == 4)
    }

    @Test("A dropped constraint on a baseline is active again when the baseline permits it")
    func leftOut() {
        align()
        stage.layout()
        two.ndl.makeConstraints { $0.firstBaseline.equalTo(stage.root.ndl.top).offset(8).labeled("eight") }
        #expect(stage.problems().count == 1)
        set(one, first: 3)
        #expect(two.laidOut.y == 7 && stage.engine.diagnostics.isEmpty)
    }

    @Test(
        "A constraint dropped because of the safe area, the margins or the reading direction is active again after a change"
    )
    func insets() {
        let root = stage.root
        two.ndl.makeConstraints { make in
            make.left.equalTo(root.ndl.safeArea)
            make.left.equalTo(5).labeled("five")
            make.top.equalTo(root.ndl.margins)
            make.top.equalTo(3).labeled("three")
            make.width.equalTo(10)
            make.height.equalTo(1)
        }
        #expect(stage.problems().count == 2)
        root.layoutNode.safeAreaInsets.left = 5
        #expect(stage.problems().count == 1)
        root.layoutNode.margins.top = 3
        #expect(stage.problems().isEmpty)
        root.layoutNode.safeAreaInsets.left = 6
        #expect(stage.problems().count == 1 && two.laidOut.x == 6)
    }

    @Test("A conflict that a change of the reading direction resolves is no longer reported")
    func direction() {
        two.ndl.makeConstraints { make in
            make.top.height.equalTo(1)
            make.width.equalTo(10)
            make.left.equalTo(30)
            make.leading.equalTo(0).labeled("leading")
        }
        #expect(stage.problems().count == 1)
        stage.engine.layoutDirection = .rightToLeft
        #expect(stage.problems().isEmpty && two.laidOut.x == 30)
    }
}
