import NeedleKit
import Testing

@MainActor
@Suite("updateConstraints")
struct UpdateTests {
    private let box = Box("box")
    private let one = Box("one")
    private let two = Box("two")
    private let stage: Stage

    init() {
        stage = Stage(width: 100, height: 40, box, one, two)
        for (index, other) in [one, two].enumerated() {
            other.ndl.makeConstraints { make in
                make.top.equalTo(0)
                make.left.equalTo(10 + 10 * index)
                make.size.equalTo(5)
            }
        }
    }

    private func frame() -> LayoutRect {
        #expect(stage.problems().isEmpty)
        return box.laidOut
    }

    @Test("A statement with another target changes the only constraint with its attribute and relation")
    func retargets() {
        let made = box.ndl.makeConstraints { make in
            make.left.equalTo(one.ndl.right)
            make.top.equalTo(3)
            make.size.equalTo(2)
        }
        #expect(frame() == LayoutRect(15, 3, 2, 2))
        let updated = box.ndl.updateConstraints { $0.left.equalTo(two.ndl.right).offset(1) }
        #expect(updated[0] === made[0])
        #expect(updated[0].targetItem === two)
        #expect(box.ndl.constraints.count == 4)
        #expect(frame() == LayoutRect(26, 3, 2, 2))
        // A number is replaced by an item, and an item by a number.
        box.ndl.updateConstraints { make in
            make.top.equalTo(one.ndl.bottom)
            make.width.equalTo(one).multipliedBy(2)
            make.left.equalTo(7)
        }
        #expect(box.ndl.constraints.count == 4)
        #expect(frame() == LayoutRect(7, 5, 10, 2))
    }

    @Test("Exact matches are found first, in any order; only remaining constraints get another target")
    func exactFirst() {
        let made = box.ndl.makeConstraints { make in
            make.left.equalTo(one.ndl.right)
            make.left.equalTo(two.ndl.right).priority(500)
            make.top.equalTo(0)
            make.size.equalTo(1)
        }
        let updated = box.ndl.updateConstraints { make in
            make.left.equalToSuperview().offset(3).priority(500)
            make.left.equalTo(one.ndl.right).offset(4)
        }
        #expect(updated[0] === made[1])
        #expect(updated[1] === made[0])
        #expect(frame().x == 19)
        // The only candidate of the first statement is an exact match of the second.
        let single = box.ndl.remakeConstraints { $0.left.equalTo(one.ndl.right) }
        let pair = box.ndl.updateConstraints { make in
            make.left.equalTo(two.ndl.right).priority(500)
            make.left.equalTo(one.ndl.right).offset(4)
        }
        #expect(pair[0] !== single[0] && pair[1] === single[0])
    }

    @Test("The superview is the same target, whether a statement names it or not", arguments: [true, false])
    func superview(_ isNamed: Bool) {
        let made = box.ndl.makeConstraints { make in
            if isNamed { make.left.equalTo(stage.root) } else { make.left.equalToSuperview() }
            make.left.equalTo(one.ndl.right).priority(500)
            make.left.equalTo(stage.root.ndl.right).priority(400)
            make.top.equalTo(0)
            make.size.equalTo(1)
        }
        let updated = box.ndl.updateConstraints { make in
            if isNamed { make.left.equalToSuperview().offset(3) } else { make.left.equalTo(stage.root).offset(3) }
        }
        #expect(updated[0] === made[0] && box.ndl.constraints.count == made.count)
        #expect(frame() == LayoutRect(3, 0, 1, 1))
    }

    @Test("If two constraints could match and neither has the target, a third is made")
    func ambiguous() {
        box.ndl.makeConstraints { make in
            make.width.equalTo(one).priority(700)
            make.width.equalTo(two).priority(600)
        }
        box.ndl.updateConstraints { $0.width.equalTo(9).priority(800) }
        #expect(box.ndl.constraints.count == 3)
        box.pin(left: 0, top: 0, height: 1)
        #expect(frame().width == 9)
    }

    @Test("A label identifies a constraint with any target; a constraint with another label never matches")
    func labels() {
        let made = box.ndl.makeConstraints { make in
            make.width.equalTo(5).labeled("narrow")
            make.width.lessThanOrEqualTo(50).labeled("limit")
            make.left.top.height.equalTo(1)
        }
        #expect(box.ndl.updateConstraints { $0.width.equalTo(two).labeled("narrow") }[0] === made[0])
        #expect(box.ndl.constraints.count == 5)
        let inserted = box.ndl.updateConstraints { $0.width.equalTo(8).priority(10) }
        #expect(inserted[0] !== made[0])
        #expect(box.ndl.constraints.count == 6)
        #expect(frame().width == 5)
    }

    @Test("Statements without a match make constraints, also outside any tree")
    func inserts() {
        let loose = Box("loose")
        let made = loose.ndl.updateConstraints { make in
            make.left.top.equalTo(4)
            make.size.equalTo(2)
        }
        #expect(made.count == 4)
        #expect(made.allSatisfy { $0.isActive })
        stage.add(loose)
        #expect(stage.frame(of: loose) == LayoutRect(4, 4, 2, 2))
    }

    @Test("An inactive constraint is activated with the priority, constant and multiplier of the statement")
    func reactivates() {
        let made = box.ndl.makeConstraints { make in
            make.left.top.height.equalTo(1)
            make.width.equalTo(one).multipliedBy(3).offset(1)
        }
        made[3].deactivate()
        box.ndl.updateConstraints { $0.width.equalTo(one).dividedBy(5).offset(2).priority(900) }
        #expect(made[3].isActive && made[3].priority == 900 && made[3].multiplier == 0.2 && made[3].constant == 2)
        #expect(frame().width == 3)
    }

    @Test("An invalid number changes nothing and is reported")
    func refuses() {
        box.pin(left: 1, top: 1, width: 6, height: 1)
        #expect(frame().width == 6)
        #expect(box.ndl.updateConstraints { $0.width.equalTo(Double.nan).labeled("new width") }.isEmpty)
        #expect(stage.frame(of: box).width == 6)
        #expect(stage.engine.diagnostics.count == 1)
        #expect(box.ndl.constraints.count == 4)
    }

    @Test("The result of a statement changes the target of all its attributes at once")
    func redirected() {
        var edges: ConstraintEditor<AllEdges>?
        box.ndl.makeConstraints { edges = $0.edges.equalTo(one) }
        #expect(frame() == LayoutRect(10, 0, 5, 5))
        edges?.setTarget(two.ndl.edges)
        #expect(frame() == LayoutRect(20, 0, 5, 5))
    }

    @Test("A modifier on an active statement takes effect")
    func lateChange() {
        var editor: ConstraintEditor<Extent>?
        box.ndl.makeConstraints { make in
            make.left.top.height.equalTo(1)
            editor = make.width.equalTo(6)
        }
        #expect(frame().width == 6)
        editor?.offset(3)
        #expect(frame().width == 9)
    }

    @Test("Of two constraints with the target, the active one is changed, and its label is retained")
    func activeFirst() throws {
        let inactive = try #require(box.ndl.makeConstraints { $0.width.equalTo(one).offset(1) }.first)
        inactive.isActive = false
        let active = try #require(box.ndl.makeConstraints { $0.width.equalTo(one).offset(2).labeled("width") }.first)
        box.ndl.makeConstraints { $0.left.top.height.equalTo(1) }
        let updated = box.ndl.updateConstraints { $0.width.equalTo(one).offset(3) }
        #expect(updated.count == 1 && updated[0] === active)
        #expect(active.label == "width" && active.constant == 3)
        #expect(!inactive.isActive && inactive.constant == 1)
        #expect(frame().width == 8)
    }
}
