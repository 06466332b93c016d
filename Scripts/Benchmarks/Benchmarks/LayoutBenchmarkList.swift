import NeedleKit

/// A list of rows laid out by the engine: each a picture, a title and a button.
@MainActor
final class LayoutBenchmarkList {
    final class Item: LayoutItem {
        let layoutNode = LayoutNode()
        private weak var parent: Item?
        private var children: [Item] = []
        private let content: IntrinsicSize

        init(in parent: Item?, _ content: IntrinsicSize = .none) {
            self.parent = parent
            self.content = content
            parent?.children.append(self)
        }

        var layoutParent: (any LayoutItem)? { parent }
        var layoutChildren: [any LayoutItem] { children }
        var intrinsicLayoutSize: IntrinsicSize { content }
    }

    private let root: Item
    private let engine: LayoutEngine
    private var widths: [Constraint] = []

    init(rows: Int) {
        let root = Item(in: nil)
        var above: Item?
        for _ in 0..<rows {
            let row = Item(in: root)
            let picture = Item(in: row, IntrinsicSize(width: 4, height: 2))
            let title = Item(in: row, IntrinsicSize(width: 30, height: 1))
            let button = Item(in: row, IntrinsicSize(width: 8, height: 1))
            row.ndl.makeConstraints { make in
                make.horizontal.equalToSuperview()
                make.height.equalTo(3)
                if let above { make.top.equalTo(above.ndl.bottom) } else { make.top.equalToSuperview() }
            }
            widths += picture.ndl.makeConstraints { make in
                make.width.equalTo(4).priority(900)
                make.left.centerY.equalToSuperview()
            }.prefix(1)
            title.ndl.makeConstraints { make in
                make.left.equalTo(picture.ndl.right).offset(1)
                make.right.lessThanOrEqualTo(button.ndl.left).offset(-1)
                make.top.equalToSuperview()
            }
            button.ndl.makeConstraints { make in
                make.right.equalToSuperview().offset(-1)
                make.centerY.equalToSuperview()
            }
            above = row
        }
        self.root = root
        engine = LayoutEngine(root: root)
        engine.setSize(width: 80, height: 1500)
        blackHole(engine.layout().count)
    }

    /// Changes the width of one row's picture and lays out.
    func change(_ index: Int) {
        let width = widths[(index * 7) % widths.count]
        try? width.setConstant(width.constant == 4 ? 5 : 4)
        blackHole(engine.layout().count)
    }

    /// Makes the window another size and lays out.
    func resize(_ index: Int) {
        engine.setSize(width: Double([80, 72, 90, 64][index % 4]), height: 1500)
        blackHole(engine.layout().count)
    }
}
