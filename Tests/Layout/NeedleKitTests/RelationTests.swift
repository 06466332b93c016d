import NeedleKit
import Testing

/// Each relation with each operand.
@MainActor
@Suite("Relations")
struct RelationTests {
    nonisolated static let relations = LayoutRelation.allCases

    private let box = Box("box")
    private let other = Box("other")
    private let stage: Stage
    private let guide: LayoutGuide

    init() {
        stage = Stage(width: 100, height: 40, box, other)
        stage.root.layoutNode.safeAreaInsets = LayoutInsets(3)
        stage.root.layoutNode.margins = LayoutInsets(2)
        guide = LayoutGuide(in: stage.root, name: "guide")
        for (item, x, width) in [(other as any LayoutItem, 30, 20), (guide, 60, 12)] {
            item.ndl.makeConstraints { make in
                make.left.equalTo(x)
                make.top.equalTo(x / 3)
                make.width.equalTo(width)
                make.height.equalTo(width / 2)
            }
        }
    }

    /// States a constraint on left or width and an optional one that pushes against it, and returns the resulting value.
    private func bound(_ relation: LayoutRelation, _ state: (ConstraintMaker) -> Void, _ isExtent: Bool = false) -> Int
    {
        box.ndl.remakeConstraints { make in
            state(make)
            let press =
                relation == .lessThanOrEqual ? 1000 : relation == .greaterThanOrEqual ? (isExtent ? 0 : -1000) : 77
            if isExtent { make.width.equalTo(press).priority(5) } else { make.left.equalTo(press).priority(5) }
            make.left.equalTo(1).priority(1)
            make.width.equalTo(9).priority(1)
            make.top.equalTo(0).priority(1)
            make.height.equalTo(1).priority(1)
        }
        #expect(stage.problems().isEmpty)
        return isExtent ? box.laidOut.width : box.laidOut.x
    }

    private func relate<Kind>(_ start: ConstraintStart<Kind>, _ relation: LayoutRelation, _ item: any LayoutItem) {
        switch relation {
        case .equal: start.equalTo(item)
        case .lessThanOrEqual: start.lessThanOrEqualTo(item)
        case .greaterThanOrEqual: start.greaterThanOrEqualTo(item)
        }
    }

    private func relate<Kind>(_ start: ConstraintStart<Kind>, _ relation: LayoutRelation, _ anchor: Anchor<Kind>) {
        switch relation {
        case .equal: start.equalTo(anchor)
        case .lessThanOrEqual: start.lessThanOrEqualTo(anchor)
        case .greaterThanOrEqual: start.greaterThanOrEqualTo(anchor)
        }
    }

    private func relate<Kind>(_ start: ConstraintStart<Kind>, _ relation: LayoutRelation, _ area: some AnchorSource) {
        switch relation {
        case .equal: start.equalTo(area)
        case .lessThanOrEqual: start.lessThanOrEqualTo(area)
        case .greaterThanOrEqual: start.greaterThanOrEqualTo(area)
        }
    }

    @Test("Items, anchors, guides and areas bound a position and an extent", arguments: relations)
    func items(_ relation: LayoutRelation) {
        #expect(bound(relation) { relate($0.left, relation, other) } == 30)
        #expect(bound(relation) { relate($0.left, relation, guide) } == 60)
        #expect(bound(relation) { relate($0.left, relation, other.ndl.right) } == 50)
        #expect(bound(relation) { relate($0.left, relation, guide.ndl.centerX) } == 66)
        #expect(bound(relation) { relate($0.left, relation, stage.root.ndl.safeArea) } == 3)
        #expect(bound(relation) { relate($0.left, relation, stage.root.ndl.margins) } == 5)
        #expect(bound(relation, { relate($0.width, relation, other) }, true) == 20)
        #expect(bound(relation, { relate($0.width, relation, guide) }, true) == 12)
        #expect(bound(relation, { relate($0.width, relation, other.ndl.height) }, true) == 10)
        #expect(bound(relation, { relate($0.width, relation, stage.root.ndl.margins.width) }, true) == 90)
    }

    @Test("The superview, its safe area and its margins bound a position and an extent", arguments: relations)
    func shortcuts(_ relation: LayoutRelation) {
        let root = stage.root
        let right = { (state: (ConstraintStart<XPosition>) -> Void) -> Int in
            self.bound(relation) { make in
                state(make.right)
                make.width.equalTo(0)
            }
        }
        switch relation {
        case .equal: #expect(right { $0.equalToSuperview() } == 100)
        case .lessThanOrEqual: #expect(right { $0.lessThanOrEqualToSuperview() } == 100)
        case .greaterThanOrEqual: #expect(right { $0.greaterThanOrEqualToSuperview() } == 100)
        }
        #expect(right { relate($0, relation, root.ndl.safeArea.right) } == 97)
        #expect(right { relate($0, relation, root.ndl.margins.right) } == 95)
    }

    @Test("Numbers of every type, sizes and insets bound positions and extents", arguments: relations)
    func numbers(_ relation: LayoutRelation) {
        switch relation {
        case .equal:
            #expect(bound(relation) { $0.left.equalTo(7) } == 7)
            #expect(bound(relation) { $0.left.equalTo(7.0) } == 7)
            #expect(bound(relation) { $0.left.equalTo(Float(7)) } == 7)
            #expect(bound(relation, { $0.size.equalTo(LayoutSize(width: 8, height: 2)) }, true) == 8)
            #expect(bound(relation, { $0.edges.equalTo(LayoutInsets(4)) }, true) == 92)
            #expect(bound(relation, { $0.horizontal.equalTo(LayoutInsets(6)) }, true) == 88)
            #expect(bound(relation, { $0.directionalEdges.equalTo(DirectionalInsets(leading: 4)) }, true) == 96)
        case .lessThanOrEqual:
            #expect(bound(relation) { $0.left.lessThanOrEqualTo(7) } == 7)
            #expect(bound(relation, { $0.size.lessThanOrEqualTo(LayoutSize(width: 8, height: 2)) }, true) == 8)
            #expect(bound(relation) { $0.edges.lessThanOrEqualTo(LayoutInsets(4)) } == 4)
            #expect(bound(relation) { $0.directionalEdges.lessThanOrEqualTo(DirectionalInsets(leading: 4)) } == 4)
        case .greaterThanOrEqual:
            #expect(bound(relation) { $0.left.greaterThanOrEqualTo(7) } == 7)
            #expect(bound(relation, { $0.size.greaterThanOrEqualTo(LayoutSize(width: 8, height: 2)) }, true) == 8)
            #expect(bound(relation) { $0.edges.greaterThanOrEqualTo(LayoutInsets(4)) } == 4)
            #expect(bound(relation) { $0.directionalEdges.greaterThanOrEqualTo(DirectionalInsets(leading: 4)) } == 4)
        }
    }

    @Test("inset moves every attribute inward, offset along its axis")
    func signs() {
        // The box in a frame of 100 x 40: each attribute alone, with inset 5 and with offset 5.
        let expected: [LayoutAttribute: (inset: Double, offset: Double)] = [
            .top: (5, 5), .left: (5, 5), .leading: (5, 5), .firstBaseline: (5, 5), .bottom: (-5, 5), .right: (-5, 5),
            .trailing: (-5, 5), .lastBaseline: (-5, 5), .width: (-10, 5), .height: (-10, 5), .centerX: (0, 5),
            .centerY: (0, 5),
        ]
        let made = box.ndl.prepareConstraints { make in
            let all = make.top.left.leading.firstBaseline.bottom.right.trailing.lastBaseline.width.height.centerX
                .centerY
            all.equalToSuperview().inset(5)
            all.equalToSuperview().offset(5)
        }
        #expect(made.count == 24)
        for (index, constraint) in made.enumerated() {
            let wanted = expected[constraint.attribute]
            #expect(constraint.constant == (index < 12 ? wanted?.inset : wanted?.offset), "\(constraint.attribute)")
        }
    }

    @Test("Different insets move a center by half their difference and each baseline inward")
    func unequalInsets() {
        let insets = LayoutInsets(top: 2, left: 10, bottom: 6, right: 4)
        box.ndl.remakeConstraints { make in
            make.center.equalToSuperview().inset(insets)
            make.size.equalTo(LayoutSize(width: 10, height: 4))
        }
        #expect(stage.frame(of: box) == LayoutRect(48, 16, 10, 4))
        box.ndl.remakeConstraints { make in
            make.centerX.equalToSuperview()
            make.lastBaseline.equalToSuperview().inset(insets)
            make.size.equalTo(LayoutSize(width: 10, height: 4))
        }
        #expect(stage.frame(of: box).bottom == 34)
    }
}
