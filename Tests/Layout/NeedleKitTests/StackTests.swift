import NeedleKit
import Testing

@MainActor
@Suite("Stacks, rows and alignment")
struct StackTests {
    private let boxes = ["a", "b", "c", "d"].map { Box($0, content: IntrinsicSize(width: 6, height: 2)) }
    private let stage: Stage

    init() {
        stage = Stage(width: 40, height: 20, boxes[0], boxes[1], boxes[2], boxes[3])
        for box in boxes { box.layoutNode.collapsesWhenHidden = true }
    }

    private func frames(_ location: SourceLocation = #_sourceLocation) -> [LayoutRect] {
        #expect(stage.problems().isEmpty, sourceLocation: location)
        return boxes.map(\.laidOut)
    }

    private func hide(_ hidden: Set<Int>) {
        for (index, box) in boxes.enumerated() { box.layoutNode.isHidden = hidden.contains(index) }
    }

    @Test("A vertical stack fills the width and places items below each other")
    func vertical() {
        stage.root.ndl.stack(
            boxes,
            spacing: 1,
            insets: LayoutInsets(top: 1, left: 2, bottom: 0, right: 3),
            distribution: .start
        )
        #expect(frames() == (0..<4).map { LayoutRect(2, 1 + 3 * $0, 35, 2) })
        // Removing an item's own constraints leaves those of the stack.
        let arranged = boxes[0].ndl.constraints.count
        boxes[0].ndl.makeConstraints { $0.height.equalTo(1) }
        boxes[0].ndl.removeConstraints()
        #expect(boxes[0].ndl.constraints.count == arranged && frames()[0] == LayoutRect(2, 1, 35, 2))
    }

    @Test("A horizontal stack follows the reading direction")
    func horizontal() {
        stage.root.ndl.stack(boxes, axis: .horizontal, spacing: 2, alignment: .start, distribution: .start)
        #expect(frames() == (0..<4).map { LayoutRect(8 * $0, 0, 6, 2) })
        stage.engine.layoutDirection = .rightToLeft
        #expect(frames() == (0..<4).map { LayoutRect(34 - 8 * $0, 0, 6, 2) })
    }

    @Test("The item with the lowest hugging priority fills the remaining space")
    func fill() {
        boxes[2].ndl.setHugging(100, .vertical)
        stage.root.ndl.stack(boxes, spacing: 1)
        #expect(frames().map(\.y) == [0, 3, 6, 18])
        #expect(frames().map(\.height) == [2, 2, 11, 2])
    }

    @Test("Spacing collapses with hidden items, in every combination")
    func hidden() {
        stage.root.ndl.stack(boxes, spacing: 1, insets: LayoutInsets(1), distribution: .start)
        for mask in (0..<16).reversed() {
            let hidden = Set((0..<4).filter { mask & 1 << $0 != 0 })
            hide(hidden)
            let frames = frames()
            var y = 1
            for index in 0..<4 where !hidden.contains(index) {
                #expect(frames[index] == LayoutRect(1, y, 38, 2), "\(hidden)")
                y += 3
            }
            for index in hidden { #expect(frames[index].height == 0, "\(hidden)") }
        }
    }

    @Test("A stack fits its items: its container ends where the last shown item ends")
    func container() {
        let panel = Box("panel")
        let inner = [
            Box("x", content: IntrinsicSize(width: 3, height: 1)),
            Box("y", content: IntrinsicSize(width: 5, height: 4)),
        ]
        panel.add(inner[0], inner[1])
        stage.add(panel)
        panel.ndl.makeConstraints { $0.left.top.equalTo(0) }
        panel.ndl.stack(inner, axis: .horizontal, spacing: 2, insets: LayoutInsets(1), alignment: .center)
        _ = frames()
        #expect(panel.laidOut == LayoutRect(0, 0, 12, 6))
        #expect(inner[0].laidOut == LayoutRect(1, 3, 3, 1))
        inner[1].layoutNode.collapsesWhenHidden = true
        inner[1].layoutNode.isHidden = true
        _ = frames()
        #expect(panel.laidOut.width == 5)
    }

    @Test("A hidden item does not make its container narrow, whether it fits its items or has a preferred width")
    func hiddenAcross() {
        let panel = Box("panel")
        for box in boxes { panel.add(box) }
        stage.add(panel)
        boxes[1].content = IntrinsicSize(width: 9, height: 3)
        panel.ndl.makeConstraints { $0.left.top.equalTo(0) }
        var arrangement = panel.ndl.stack(boxes)
        func size(hiding hidden: Set<Int>) -> [Int] {
            hide(hidden)
            _ = frames()
            return [panel.laidOut.width, panel.laidOut.height]
        }
        #expect(size(hiding: []) == [9, 9])
        #expect(size(hiding: [0, 2]) == [9, 5])
        #expect(size(hiding: [1, 2]) == [6, 4])
        #expect(boxes[0].laidOut == LayoutRect(0, 0, 6, 2))
        #expect(size(hiding: [0, 1, 2, 3]) == [0, 0])
        #expect(size(hiding: [3]) == [9, 7])
        arrangement.remove()
        arrangement = panel.ndl.grid(boxes, columns: 2)
        #expect(size(hiding: []) == [18, 5])
        #expect(size(hiding: [1]) == [12, 4])
        #expect(size(hiding: [0, 1]) == [12, 2])
        #expect(size(hiding: [0, 1, 2, 3]) == [0, 0])
        #expect(size(hiding: [0, 2]) == [18, 5])
        #expect(boxes[1].laidOut == LayoutRect(9, 0, 9, 3))
        arrangement.remove()
        panel.ndl.makeConstraints { $0.width.equalTo(20).priority(700) }
        panel.ndl.stack(boxes)
        #expect(size(hiding: [2]) == [20, 7])
        #expect(boxes[3].laidOut == LayoutRect(0, 5, 20, 2))
    }

    @Test(
        "In a column, items have their first baseline at its start and the last one at its end",
        arguments: [(StackAlignment.start, 0), (.firstBaseline, 0), (.center, 17), (.lastBaseline, 34), (.end, 34)]
    )
    func columnSides(alignment: StackAlignment, x: Int) {
        stage.root.ndl.stack(boxes, axis: .vertical, alignment: alignment)
        #expect(frames().map(\.x) == [x, x, x, x])
    }

    @Test("Shown items have equal sizes, also if the first is hidden")
    func equalSizes() {
        stage.root.ndl.stack(boxes, axis: .horizontal, spacing: 4, distribution: .equalSizes)
        #expect(frames().map(\.width) == [7, 7, 7, 7])
        hide([0])
        #expect(frames().map(\.width) == [0, 11, 10, 11])
        #expect(frames().map(\.x) == [0, 0, 15, 29])
        hide([1, 2])
        #expect(frames().map(\.width) == [18, 0, 0, 18])
        #expect(boxes[0].laidOut.height == 20)
    }

    @Test("Equal gaps stretch between shown items")
    func equalSpacing() throws {
        let stack = stage.root.ndl.stack(
            boxes,
            axis: .horizontal,
            spacing: 1,
            alignment: .end,
            distribution: .equalSpacing
        )
        #expect(frames().map(\.x) == [0, 11, 23, 34])
        #expect(frames().map(\.y) == [18, 18, 18, 18])
        hide([1])
        #expect([0, 2, 3].map { frames()[$0].x } == [0, 17, 34])
        hide([])
        try stack.setSpacing(7)
        stage.engine.setSize(width: 30, height: 20)
        // Not enough space for the minimum gap: the last edge is required, the gap has the priority just below.
        #expect(frames().last?.right == 30)
        stage.engine.setSize(width: 40, height: 20)
        try stack.setSpacing(1)
        hide([0, 3])
        #expect([1, 2].map { frames()[$0].x } == [0, 34])
        // A single item has no gap.
        hide([0, 1, 3])
        #expect(frames()[2] == LayoutRect(0, 18, 6, 2))
    }

    @Test("The centre between unequal insets is mirrored from right to left")
    func centre() {
        let row = Array(boxes[..<2])
        for box in boxes[2...] { box.ndl.makeConstraints { $0.edges.equalToSuperview() } }
        boxes[0].content = IntrinsicSize(width: 30, height: 2)
        stage.root.ndl.stack(row, insets: LayoutInsets(left: 10), alignment: .center, distribution: .start)
        #expect(frames()[..<2].map(\.x) == [10, 22])
        stage.engine.layoutDirection = .rightToLeft
        #expect(frames()[..<2].map(\.x) == [0, 12])
    }

    @Test("distribute places items along one axis only, and a single item at the start")
    func distribute() {
        stage.root.ndl.each(boxes) { make in
            make.width.equalTo(6)
            make.top.equalToSuperview().offset(3)
        }
        let group = stage.root.ndl.distribute(boxes, insets: LayoutInsets(horizontal: 2, vertical: 0))
        #expect(frames().map(\.x) == [2, 12, 22, 32])
        #expect(frames().map(\.y) == [3, 3, 3, 3])
        group.remove()
        stage.root.ndl.distribute([boxes[0]])
        #expect(frames()[0] == LayoutRect(0, 3, 6, 2))
    }

    @Test("Across the axis, items are aligned and stay inside", arguments: StackAlignment.allCases)
    func alignment(_ alignment: StackAlignment) {
        boxes[0].baselines = (first: 1, last: 0)
        boxes[1].baselines = (first: 2, last: 1)
        boxes[1].content.height = 5
        stage.root.ndl.stack([boxes[0], boxes[1]], axis: .horizontal, insets: LayoutInsets(1), alignment: alignment)
        let (first, second) = (frames()[0], frames()[1])
        switch alignment {
        case .fill: #expect(first.y == 1 && first.height == 18 && second.height == 18)
        case .start: #expect(first.y == 1 && second.y == 1 && first.height == 2)
        case .center: #expect(first.y == 9 && second.y == 8)
        case .end: #expect(first.bottom == 19 && second.bottom == 19)
        case .firstBaseline: #expect(first.y + 1 == second.y + 2)
        case .lastBaseline: #expect(first.bottom == second.bottom - 1)
        }
        #expect(first.y >= 1 && second.y >= 1 && first.bottom <= 19 && second.bottom <= 19)
    }

    @Test("align makes edges and extents equal; a hidden item does not affect the others")
    func align() {
        let panel = boxes[3]
        for (index, box) in boxes[..<3].enumerated() {
            box.content = IntrinsicSize(width: Double(4 + 3 * index), height: 1)
            box.ndl.makeConstraints { $0.top.equalTo(2 * index) }
        }
        boxes[1].ndl.makeConstraints { $0.trailing.equalTo(30) }
        boxes[1].ndl.updateConstraints { $0.trailing.equalTo(stage.root.ndl.leading).offset(30) }
        panel.ndl.makeConstraints { $0.edges.equalToSuperview() }
        stage.root.ndl.align(Array(boxes[..<3]), .trailing, .width)
        // Equal widths: the widest content determines them.
        #expect(frames()[..<3].map(\.width) == [10, 10, 10])
        #expect(frames()[..<3].map(\.right) == [30, 30, 30])
        hide([0])
        #expect(frames()[1...2].map(\.right) == [30, 30])
        #expect(stage.root.ndl.align([boxes[0]], .left).constraints.isEmpty)
    }

    @Test("The spacing changes in place; the group can be deactivated, activated and removed")
    func group() throws {
        let stack = stage.root.ndl.stack(boxes, spacing: 1, insets: LayoutInsets(2), distribution: .start)
        #expect(frames().map(\.y) == [2, 5, 8, 11])
        try stack.setSpacing(0)
        #expect(frames().map(\.y) == [2, 4, 6, 8])
        #expect(throws: LayoutError.self) { try stack.setSpacing(.nan) }
        let count = boxes[0].ndl.constraints.count
        boxes[1].ndl.remakeConstraints { $0.height.equalTo(4) }
        boxes[1].ndl.updateConstraints { $0.top.equalTo(0).priority(1) }
        #expect(frames().map(\.y) == [2, 4, 8, 10])
        boxes[1].ndl.removeConstraints()
        #expect(frames().map(\.y) == [2, 4, 6, 8])
        stack.deactivate()
        #expect(!stack.isActive)
        stack.activate()
        #expect(frames().map(\.y) == [2, 4, 6, 8])
        stack.remove()
        #expect(count > 0 && boxes.allSatisfy { $0.ndl.constraints.isEmpty })
        #expect(stack.constraints.isEmpty)
    }

    @Test("An invalid spacing makes no constraints and is reported with label and line")
    func impossible() {
        let line: UInt = #line + 1
        let group = stage.root.ndl.stack(boxes, spacing: Double.nan, distribution: .equalSizes, label: "column")
        #expect(group.constraints.isEmpty)
        #expect(boxes.allSatisfy { $0.ndl.constraints.isEmpty })
        stage.layout()
        let diagnostics = stage.engine.diagnostics
        guard diagnostics.count == 1, case .rejected(.notFinite(let source)) = diagnostics[0] else {
            Issue.record("\(diagnostics)")
            return
        }
        #expect(source.label == "column" && source.line == line && source.file == "NeedleKitTests/StackTests.swift")
    }

    @Test("An arrangement without items makes no constraints")
    func empty() {
        #expect(stage.root.ndl.stack([]).constraints.isEmpty)
        #expect(stage.root.ndl.distribute([]).constraints.isEmpty)
        #expect(stage.root.ndl.grid([], columns: 3).constraints.isEmpty)
    }

    @Test("A grid has columns of equal width and rows that fit their items")
    func grid() {
        boxes[1].content.height = 5
        boxes[3].ndl.setHugging(100, .vertical)
        boxes[2].ndl.setHugging(100, .vertical)
        let insets = LayoutInsets(top: 1, left: 1, bottom: 3, right: 1)
        stage.root.ndl.grid(boxes, columns: 2, columnSpacing: 2, rowSpacing: 1, insets: insets)
        #expect(
            frames() == [
                LayoutRect(1, 1, 18, 5), LayoutRect(21, 1, 18, 5), LayoutRect(1, 7, 18, 10), LayoutRect(21, 7, 18, 10),
            ]
        )
        stage.engine.layoutDirection = .rightToLeft
        #expect(frames().map(\.x) == [21, 1, 21, 1])
    }

    @Test("A grid of equal rows collapses a row of hidden items with its spacing; the spacing can change")
    func gridRows() throws {
        let three = Array(boxes[..<3])
        boxes[3].ndl.makeConstraints { $0.edges.equalToSuperview() }
        let grid = stage.root.ndl.grid(three, columns: 1, rowSpacing: 1, equalRows: true)
        #expect(frames()[..<3].map(\.height) == [6, 6, 6])
        hide([0])
        #expect(frames()[1...2].map(\.y) == [0, 11])
        #expect(frames()[0].height == 0)
        hide([1])
        #expect([frames()[0].y, frames()[2].y] == [0, 11])
        try grid.setSpacing(4)
        #expect([frames()[0].height, frames()[2].height] == [8, 8])
        hide([])
        #expect(frames()[..<3].map(\.height) == [4, 4, 4])
        grid.remove()
        let wide = stage.root.ndl.grid(three, columns: 9)
        #expect(frames()[..<3].map(\.y) == [0, 0, 0] && frames()[..<3].map(\.x) == [0, 13, 27])
        wide.remove()
        stage.root.ndl.grid(three, columns: -1, equalRows: true)
        #expect(Set(frames()[..<3].map(\.x)) == [0])
    }

    @Test("A stack that does not fit is reported as a conflict with its label")
    func conflict() {
        boxes[0].ndl.makeConstraints { $0.height.equalTo(30).labeled("tall") }
        stage.root.ndl.stack([boxes[0]], label: "column")
        stage.layout()
        #expect(stage.engine.conflicts.map { Set($0.members.map(\.label)) } == [["tall", "column"]])
    }
}
