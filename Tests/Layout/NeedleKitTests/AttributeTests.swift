import NeedleKit
import Testing

/// Every attribute of R11, checked by the resulting frame.
@MainActor
@Suite("Attributes")
struct AttributeTests {
    private func frame(_ closure: (ConstraintMaker) -> Void) -> LayoutRect {
        let box = Box("box")
        let stage = Stage(width: 100, height: 40, box)
        box.ndl.makeConstraints(closure)
        #expect(stage.problems().isEmpty)
        return box.laidOut
    }

    @Test("Edges, middles and extents place an item, those at the bottom and right from the parent's edges there")
    func places() {
        let topLeft = frame { make in
            make.top.equalTo(3)
            make.left.equalTo(5)
            make.width.equalTo(20)
            make.height.equalTo(7)
        }
        #expect(topLeft == LayoutRect(5, 3, 20, 7))
        let bottomRight = frame { make in
            make.bottom.equalToSuperview().offset(-2)
            make.right.equalToSuperview().offset(-10)
            make.width.equalTo(20)
            make.height.equalTo(7)
        }
        #expect(bottomRight == LayoutRect(70, 31, 20, 7))
        let middle = frame { make in
            make.centerX.equalToSuperview()
            make.centerY.equalToSuperview().offset(1)
            make.width.equalTo(20)
            make.height.equalTo(10)
        }
        #expect(middle == LayoutRect(40, 16, 20, 10))
    }

    @Test("firstBaseline and lastBaseline align lines of text")
    func baselines() {
        let big = Box("big")
        big.baselines = (first: 3, last: 1)
        let small = Box("small")
        small.baselines = (first: 1, last: 0)
        let last = Box("last")
        let stage = Stage(width: 100, height: 40, big, small, last)
        big.pin(left: 4, top: 4, width: 8, height: 8)
        small.ndl.makeConstraints { make in
            make.firstBaseline.equalTo(big.ndl.firstBaseline)
            make.left.equalTo(big.ndl.right)
            make.width.height.equalTo(2)
        }
        last.ndl.makeConstraints { make in
            make.lastBaseline.equalTo(big.ndl.lastBaseline)
            make.left.equalTo(small.ndl.right)
            make.width.height.equalTo(2)
        }
        #expect(stage.frame(of: small) == LayoutRect(12, 6, 2, 2))
        #expect(last.laidOut == LayoutRect(14, 9, 2, 2))
    }

    @Test("leading and trailing and their offsets follow the reading direction")
    func directional() {
        let box = Box("box")
        let stage = Stage(width: 100, height: 40, box)
        box.ndl.makeConstraints { make in
            make.leading.equalToSuperview().offset(10)
            make.trailing.lessThanOrEqualToSuperview().offset(-3)
            make.width.equalTo(20)
            make.top.equalTo(0)
            make.height.equalTo(1)
        }
        #expect(stage.frame(of: box) == LayoutRect(10, 0, 20, 1))
        stage.engine.layoutDirection = .rightToLeft
        #expect(stage.frame(of: box) == LayoutRect(70, 0, 20, 1))
        #expect(stage.engine.diagnostics.isEmpty)
    }

    @Test("A side that follows a directional side of another item moves when the direction changes")
    func directionalTarget() {
        let (box, mark) = (Box("box"), Box("mark"))
        let stage = Stage(width: 100, height: 40, box, mark)
        box.pin(left: 10, top: 0, width: 20, height: 1)
        mark.ndl.makeConstraints { make in
            make.centerX.equalTo(box.ndl.leading)
            make.width.equalTo(4)
            make.top.equalTo(1)
            make.height.equalTo(1)
        }
        #expect(stage.frame(of: mark) == LayoutRect(8, 1, 4, 1))
        stage.engine.layoutDirection = .rightToLeft
        #expect(stage.frame(of: box) == LayoutRect(10, 0, 20, 1))
        #expect(mark.laidOut == LayoutRect(28, 1, 4, 1))
    }

    @Test(
        "A content size that is negative, not finite or too large counts as none",
        arguments: [-5, -0.5, .nan, .infinity, 1e300]
    )
    func invalidContent(_ extent: Double) {
        let (plain, other) = (Box("plain"), Box("other"))
        let stage = Stage(width: 60, height: 40, plain, other)
        for box in [plain, other] {
            box.pin(left: 10, top: 0)
        }
        other.content = IntrinsicSize(width: extent, height: extent)
        #expect(stage.frame(of: other) == plain.laidOut)
        #expect(other.laidOut.width >= 0 && other.laidOut.height >= 0)
    }

    @Test("edges, horizontal and vertical constrain several sides at once")
    func composites() {
        let (all, wide, high) = (Box("all"), Box("wide"), Box("high"))
        let stage = Stage(width: 100, height: 40, all, wide, high)
        all.ndl.makeConstraints { make in make.edges.equalToSuperview().inset(2) }
        wide.ndl.makeConstraints { make in
            make.horizontal.equalTo(all).inset(3)
            make.top.equalTo(all)
            make.height.equalTo(1)
        }
        high.ndl.makeConstraints { make in
            make.vertical.equalToSuperview()
            make.left.equalTo(0)
            make.width.equalTo(2)
        }
        #expect(stage.frame(of: all) == LayoutRect(2, 2, 96, 36))
        #expect(wide.laidOut == LayoutRect(5, 2, 90, 1))
        #expect(high.laidOut == LayoutRect(0, 0, 2, 40))
    }

    @Test("size, center and directionalEdges constrain several attributes at once")
    func moreComposites() {
        let (box, leaf, page) = (Box("box"), Box("leaf"), Box("page"))
        let stage = Stage(width: 100, height: 40, box, page)
        stage.add(leaf, to: box)
        box.ndl.makeConstraints { make in
            make.size.equalTo(LayoutSize(width: 30, height: 10))
            make.center.equalToSuperview()
        }
        leaf.ndl.makeConstraints { make in
            make.size.equalTo(box).dividedBy(2)
            make.center.equalTo(box).offset(LayoutOffset(x: 1, y: 2))
        }
        page.ndl.makeConstraints { make in
            make.directionalEdges.equalTo(DirectionalInsets(top: 1, leading: 2, bottom: 3, trailing: 4))
        }
        #expect(stage.frame(of: box) == LayoutRect(35, 15, 30, 10))
        #expect(leaf.laidOut == LayoutRect(9, 5, 15, 5))
        #expect(page.laidOut == LayoutRect(2, 1, 94, 36))
        stage.engine.layoutDirection = .rightToLeft
        #expect(stage.frame(of: page) == LayoutRect(4, 1, 94, 36))
    }

    @Test("Margins lie inside the safe area, in every spelling, and can change")
    func margins() {
        let boxes = (0..<4).map { Box("box \($0)") }
        let stage = Stage(width: 100, height: 40, boxes[0], boxes[1], boxes[2], boxes[3])
        stage.root.layoutNode.safeAreaInsets = LayoutInsets(1)
        stage.root.layoutNode.margins = LayoutInsets(top: 2, left: 3, bottom: 4, right: 5)
        boxes[0].ndl.makeConstraints { $0.edges.equalTo(stage.root.ndl.margins.edges) }
        boxes[1].ndl.makeConstraints { $0.edges.equalTo(stage.root.ndl.margins) }
        boxes[2].ndl.makeConstraints { make in
            make.top.equalTo(stage.root.ndl.margins.top)
            make.left.greaterThanOrEqualTo(stage.root.ndl.margins)
            make.right.lessThanOrEqualTo(stage.root.ndl.margins)
            make.bottom.equalTo(stage.root.ndl.margins.bottom)
            make.width.equalTo(200).priority(.low)
        }
        boxes[3].ndl.makeConstraints { make in
            make.size.equalTo(stage.root.ndl.margins)
            make.center.equalTo(stage.root.ndl.margins)
        }
        stage.layout()
        for box in boxes { #expect(box.laidOut == LayoutRect(4, 3, 90, 32)) }
        stage.root.layoutNode.margins = .zero
        stage.layout()
        for box in boxes { #expect(box.laidOut == LayoutRect(1, 1, 98, 38)) }
        #expect(stage.engine.description.contains("box 0.left == root.margins.left"))
        #expect(stage.engine.diagnostics.isEmpty)
    }

    @Test("A multiplied position is measured from the nearest common ancestor")
    func multipliedPositions() {
        let (panel, inner, mark) = (Box("panel"), Box("inner"), Box("mark"))
        panel.add(inner, mark)
        let stage = Stage(width: 100, height: 40, panel)
        panel.pin(left: 20, top: 10, width: 60, height: 20)
        inner.ndl.makeConstraints { make in
            make.centerX.equalToSuperview().multipliedBy(0.5)
            make.bottom.equalToSuperview().multipliedBy(0.25)
            make.size.equalTo(4)
        }
        mark.ndl.makeConstraints { make in
            make.leading.equalTo(inner.ndl.trailing).multipliedBy(2).offset(1)
            make.top.equalTo(inner).multipliedBy(3)
            make.size.equalTo(2)
        }
        #expect(stage.frame(of: inner) == LayoutRect(13, 1, 4, 4))
        #expect(mark.laidOut == LayoutRect(35, 3, 2, 2))
        stage.engine.layoutDirection = .rightToLeft
        stage.layout()
        // Measured from the right: the trailing edge of the inner item is 47 away from it.
        #expect(inner.laidOut == LayoutRect(13, 1, 4, 4))
        #expect(mark.laidOut.right == 60 - 2 * 47 - 1)
        #expect(stage.engine.diagnostics.isEmpty)
    }
}
