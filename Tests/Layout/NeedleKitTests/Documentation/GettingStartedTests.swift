import NeedleKit
import Testing

@MainActor
final class Card: LayoutItem {
    let layoutNode = LayoutNode()
    weak var parent: Card?
    var children: [Card] = []
    var text = ""
    var frame = LayoutRect.zero

    var layoutParent: (any LayoutItem)? { parent }
    var layoutChildren: [any LayoutItem] { children }
    var intrinsicLayoutSize: IntrinsicSize {
        text.isEmpty ? .none : IntrinsicSize(width: Double(text.count), height: 1)
    }
}

@MainActor
@Suite("Getting started")
struct GettingStartedTests {
    @Test(
        "The article's layout produces the stated frames at every step, with and without text",
        arguments: ["", "Dogs"]
    )
    func article(_ content: String) {
        let (root, title, text, button) = (Card(), Card(), Card(), Card())
        root.children = [title, text, button]
        for card in root.children { card.parent = root }
        title.text = "Terriers"
        text.text = content
        button.text = "Close"

        title.ndl.makeConstraints { make in
            make.top.horizontal.equalToSuperview().inset(1)
        }
        text.ndl.makeConstraints { make in
            make.top.equalTo(title.ndl.bottom).offset(1)
            make.horizontal.equalTo(title)
            make.bottom.equalTo(button.ndl.top).offset(-1)
        }
        text.ndl.setHugging(.low - 1, .vertical)
        button.ndl.makeConstraints { make in
            make.trailing.bottom.equalToSuperview().inset(1)
        }

        let engine = LayoutEngine(root: root)
        engine.setSize(width: 40, height: 12)
        for change in engine.layout() { (change.item as? Card)?.frame = change.frame }
        #expect(title.frame == LayoutRect(1, 1, 38, 1))
        #expect(text.frame == LayoutRect(1, 3, 38, 6))
        #expect(button.frame == LayoutRect(34, 10, 5, 1))
        #expect(engine.ambiguities.isEmpty)

        button.text = "Close it"
        engine.invalidateIntrinsicSize(of: button)
        let changes = engine.layout()
        #expect(changes.map(\.frame) == [LayoutRect(31, 10, 8, 1)])
        for change in changes { (change.item as? Card)?.frame = change.frame }

        title.ndl.updateConstraints { make in
            make.top.equalToSuperview().inset(3)
        }
        #expect(engine.layout().map(\.frame.y) == [3, 5])

        let (first, second) = (Card(), Card())
        let column = text
        for row in [first, second] {
            row.parent = column
            column.children.append(row)
            engine.itemAdded(row)
        }
        first.text = "Airedale"
        second.text = "Norwich"
        column.ndl.stack([first, second], spacing: 1, distribution: .start)
        first.layoutNode.collapsesWhenHidden = true
        for change in engine.layout() { (change.item as? Card)?.frame = change.frame }
        #expect([first.frame, second.frame] == [LayoutRect(0, 0, 38, 1), LayoutRect(0, 2, 38, 1)])
        first.layoutNode.isHidden = true
        for change in engine.layout() { (change.item as? Card)?.frame = change.frame }
        #expect(second.frame == LayoutRect(0, 0, 38, 1))
        #expect(engine.diagnostics.isEmpty)
    }
    @Test("Unnamed items are numbered in ambiguities, in the order of the tree")
    func unnamed() {
        let (root, first, second) = (Card(), Card(), Card())
        root.children = [first, second]
        for card in root.children {
            card.parent = root
            card.ndl.makeConstraints { $0.horizontal.top.equalToSuperview() }
        }
        let engine = LayoutEngine(root: root)
        engine.setSize(width: 40, height: 12)
        _ = engine.layout()
        #expect(engine.ambiguities.map(\.item) == ["Card #2", "Card #3"])
        #expect(engine.ambiguities[1].remedies == ["Card #3.height", "Card #3.bottom"])
        first.layoutNode.name = "title"
        #expect(engine.ambiguities.map(\.item) == ["title", "Card #2"])
    }
}
