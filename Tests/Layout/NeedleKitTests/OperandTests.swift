import NeedleKit
import Testing

/// The operands of composite and chained attributes, and the constraint of a statement.
@MainActor
@Suite("Operands")
struct OperandTests {
    private let box = Box("box")
    private let other = Box("other")
    private let stage: Stage

    init() {
        stage = Stage(width: 60, height: 30, box, other)
        other.pin(left: 10, top: 4, width: 20, height: 8)
    }

    private func frame(_ state: (ConstraintMaker) -> Void) -> LayoutRect {
        box.ndl.remakeConstraints { make in
            state(make)
            make.left.top.equalToSuperview().priority(1)
            make.width.height.equalTo(2).priority(1)
        }
        #expect(stage.problems().isEmpty)
        return box.laidOut
    }

    @Test("Chained attributes are matched with the attributes of an anchor by name, then by axis")
    func chainedAnchors() {
        #expect(frame { $0.width.height.equalTo(other.ndl.size) } == LayoutRect(0, 0, 20, 8))
        #expect(frame { $0.height.width.equalTo(other.ndl.size) } == LayoutRect(0, 0, 20, 8))
        #expect(frame { $0.width.height.equalTo(other.ndl.height) } == LayoutRect(0, 0, 8, 8))
        #expect(frame { $0.top.left.bottom.right.equalTo(other.ndl.edges) } == LayoutRect(10, 4, 20, 8))
        #expect(frame { $0.right.left.equalTo(other.ndl.horizontal) } == LayoutRect(10, 0, 20, 2))
        #expect(frame { $0.left.top.equalTo(other.ndl.center) } == LayoutRect(20, 8, 2, 2))
        #expect(frame { $0.left.right.equalTo(other.ndl.centerX) } == LayoutRect(20, 0, 0, 2))
        #expect(frame { $0.centerX.centerY.equalTo(other.ndl.center) } == LayoutRect(19, 7, 2, 2))
        #expect(frame { $0.leading.trailing.equalTo(other.ndl.directionalEdges) } == LayoutRect(10, 0, 20, 2))
    }

    @Test("Chained attributes accept sizes, insets and offsets in every relation")
    func chainedValues() {
        #expect(frame { $0.width.height.equalTo(LayoutSize(width: 7, height: 3)) } == LayoutRect(0, 0, 7, 3))
        #expect(frame { $0.height.width.greaterThanOrEqualTo(LayoutSize(width: 7, height: 3)) }.width == 7)
        #expect(frame { $0.width.height.lessThanOrEqualTo(LayoutSize(width: 1, height: 9)) } == LayoutRect(0, 0, 1, 2))
        #expect(frame { $0.left.top.equalTo(LayoutInsets(top: 5, left: 3)) } == LayoutRect(3, 5, 2, 2))
        #expect(frame { $0.left.top.greaterThanOrEqualTo(LayoutOffset(x: 3, y: 5)) } == LayoutRect(3, 5, 2, 2))
        #expect(frame { $0.right.bottom.lessThanOrEqualTo(LayoutOffset(x: -59, y: 0)) }.right <= 1)
        #expect(frame { $0.leading.top.equalTo(DirectionalInsets(top: 5, leading: 3)) } == LayoutRect(3, 5, 2, 2))
    }

    @Test("An attribute without a counterpart is rejected with its label and line, and the others are made")
    func mismatches() throws {
        stage.layout()
        var lines: [UInt] = []
        let made = box.ndl.makeConstraints { make in
            make.top.left.equalTo(other.ndl.left).labeled("edge")
            lines.append(#line - 1)
            make.left.width.equalTo(LayoutSize(width: 3, height: 3)).labeled("size")
            lines.append(#line - 1)
            make.height.top.equalTo(LayoutInsets(2)).labeled("insets")
            lines.append(#line - 1)
            make.centerX.centerY.equalTo(other.ndl.edges).labeled("edges")
            lines.append(#line - 1)
        }
        #expect(made.map(\.attribute) == [.left, .width, .top])
        let errors = stage.engine.diagnostics
        #expect(errors.count == 5)
        let sources = errors.compactMap { diagnostic -> ConstraintSource? in
            guard case .rejected(.wrongAxis(let source)) = diagnostic else { return nil }
            return source
        }
        #expect(sources.map(\.label) == ["edge", "size", "insets", "edges", "edges"])
        #expect(sources.map(\.line) == [lines[0], lines[1], lines[2], lines[3], lines[3]])
        #expect(errors.allSatisfy { $0.description.contains("refer to an anchor on the same axis") })
        // A prepared constraint is not checked before it is activated; the engine rejects it.
        let prepared = box.ndl.prepareConstraints { $0.top.left.equalTo(other.ndl.left).labeled("prepared") }
        for constraint in prepared { constraint.isActive = true }
        #expect(stage.problems().contains { $0.description.contains("“prepared” box.top") })
    }

    @Test("The safe area and the margins of the superview bound attributes, in every relation")
    func superviewAreas() {
        stage.root.layoutNode.safeAreaInsets = LayoutInsets(3)
        stage.root.layoutNode.margins = LayoutInsets(2)
        #expect(frame { $0.edges.equalTo(stage.root.ndl.safeArea) } == LayoutRect(3, 3, 54, 24))
        #expect(frame { $0.edges.equalTo(stage.root.ndl.margins) } == LayoutRect(5, 5, 50, 20))
        #expect(frame { $0.edges.equalToSuperview() } == LayoutRect(0, 0, 60, 30))
        #expect(frame { $0.left.top.greaterThanOrEqualTo(stage.root.ndl.margins) } == LayoutRect(5, 5, 2, 2))
        #expect(frame { $0.width.lessThanOrEqualTo(stage.root.ndl.safeArea).offset(-53) }.width == 1)
    }

    @Test("A statement returns its constraint, which changes its inset by number or by edge")
    func constraintOfStatement() throws {
        var statements: [Constraint] = []
        var edges: ConstraintGroup?
        box.ndl.makeConstraints { make in
            statements.append(make.left.equalToSuperview().constraint)
            statements.append(make.right.equalToSuperview().constraint)
            edges = make.top.bottom.equalToSuperview().group
            statements.append(make.top.bottom.equalTo(other).priority(1).constraint)
        }
        #expect(statements.map(\.attribute) == [.left, .right, .top])
        try statements[0].setInset(2)
        try statements[1].setInset(LayoutInsets(left: 9, right: 4))
        try edges?.setInset(LayoutInsets(top: 1, bottom: 6))
        #expect(stage.frame(of: box) == LayoutRect(2, 1, 54, 23))
        #expect(throws: LayoutError.self) { try statements[0].setInset(.infinity) }
        #expect(statements[0].constant == 2)
    }

    @Test("Setting isActive of a constraint or a group activates and deactivates without reports")
    func activation() {
        let group = ConstraintGroup(box.ndl.makeConstraints { $0.edges.equalTo(other) })
        group.constraints[0].isActive = false
        #expect(!group.isActive)
        group.isActive = true
        #expect(group.constraints.map(\.isActive) == [true, true, true, true])
        group.isActive = false
        group.isActive = false
        #expect(group.constraints.map(\.isActive) == [false, false, false, false])
        #expect(stage.problems().isEmpty)
    }
}
