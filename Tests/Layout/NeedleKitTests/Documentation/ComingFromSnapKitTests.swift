import NeedleKit
import Testing

/// The statements and the differences in the article.
@MainActor
@Suite("Coming from SnapKit")
struct ComingFromSnapKitTests {
    @Test("The article's statements produce the expected frames")
    func statements() {
        let (title, icon, body) = (Box("title"), Box("icon"), Box("body"))
        let stage = Stage(width: 40, height: 20, title, icon, body)
        let root = stage.root
        root.layoutNode.safeAreaInsets = LayoutInsets(1)

        title.ndl.makeConstraints { make in
            make.top.horizontal.equalToSuperview().inset(2)
            make.height.equalTo(1)
        }
        icon.ndl.makeConstraints { make in
            make.top.equalTo(title.ndl.bottom).offset(1)
            make.left.equalTo(title)
            make.width.height.equalTo(title.ndl.height).multipliedBy(3)
        }
        body.ndl.makeConstraints { make in
            make.left.equalTo(icon.ndl.right).offset(1).priority(.high)
            make.edges.equalTo(root.ndl.safeArea).inset(LayoutInsets(top: 4)).priority(.low)
        }
        #expect(stage.frame(of: title) == LayoutRect(2, 2, 36, 1))
        #expect(icon.laidOut == LayoutRect(2, 4, 3, 3))
        #expect(body.laidOut == LayoutRect(6, 5, 33, 14))
        #expect(stage.engine.diagnostics.isEmpty)
    }

    @Test("A stored constraint changes its inset and its activation in place")
    func stored() throws {
        let bar = Box("bar", content: IntrinsicSize(width: 3, height: 1))
        let stage = Stage(width: 40, height: 20, bar)

        let width = bar.ndl.makeConstraints { $0.width.equalTo(8) }[0]
        var side: Constraint?
        bar.ndl.makeConstraints { make in
            side = make.left.equalToSuperview().inset(3).constraint
            make.top.height.equalTo(1)
        }
        #expect(stage.frame(of: bar) == LayoutRect(3, 1, 8, 1))
        try side?.setInset(5)
        width.isActive = false
        #expect(stage.frame(of: bar) == LayoutRect(5, 1, 3, 1))
        width.isActive = true
        width.isActive = true
        #expect(stage.frame(of: bar).width == 8)
        #expect(stage.engine.diagnostics.isEmpty)
    }

    @Test("Distances add up, factors multiply, and a center is measured from the parent's center")
    func arithmetic() {
        let (box, other) = (Box("box"), Box("other"))
        let stage = Stage(width: 41, height: 21, box, other)
        other.ndl.makeConstraints { make in
            make.left.equalTo(3).offset(2).offset(3).inset(1)
            make.top.equalTo(0)
            make.size.equalTo(LayoutSize(width: 5, height: 2))
        }
        box.ndl.makeConstraints { make in
            make.center.equalTo(LayoutOffset(x: 2, y: -1))
            make.width.equalTo(other).multipliedBy(2).multipliedBy(3).dividedBy(2).constant(-2)
            make.height.equalTo(3)
        }
        #expect(stage.frame(of: other) == LayoutRect(9, 0, 5, 2))
        #expect(box.laidOut == LayoutRect(16, 8, 13, 3))
    }

    @Test("Insets do not swap from right to left, directional insets and offsets follow the direction")
    func rightToLeft() {
        let (sides, directional, offset) = (Box("sides"), Box("directional"), Box("offset"))
        let stage = Stage(width: 40, height: 10, sides, directional, offset)
        for box in [sides, directional, offset] { box.ndl.makeConstraints { $0.vertical.equalToSuperview() } }
        sides.ndl.makeConstraints { make in
            make.left.right.equalToSuperview().inset(LayoutInsets(left: 3, right: 5))
        }
        directional.ndl.makeConstraints { make in
            make.leading.trailing.equalTo(DirectionalInsets(leading: 3, trailing: 5))
        }
        offset.ndl.makeConstraints { make in
            make.leading.equalToSuperview().offset(3)
            make.right.equalToSuperview().offset(-5).priority(.low)
            make.width.equalTo(4)
        }
        stage.engine.layoutDirection = .rightToLeft
        #expect(stage.frame(of: sides) == LayoutRect(3, 0, 32, 10))
        #expect(directional.laidOut == LayoutRect(5, 0, 32, 10))
        #expect(offset.laidOut == LayoutRect(33, 0, 4, 10))
    }
}
