import Testing

@testable import NeedleKit

@MainActor
@Suite("Engine")
struct EngineTests {
    @Test("The first layout returns every item, the next none, a change only the items that move")
    func incremental() throws {
        let (header, body) = (Box("header"), Box("body"))
        let stage = Stage(width: 80, height: 24, header, body)
        header.ndl.makeConstraints { make in
            make.top.horizontal.equalToSuperview()
            make.height.equalTo(1).labeled("header height")
        }
        let group = body.ndl.makeConstraints { make in
            make.top.equalTo(header.ndl.bottom)
            make.horizontal.bottom.equalToSuperview()
        }
        #expect(group.count == 4)
        #expect(stage.layout().count == 3)
        #expect(stage.layout().isEmpty)
        header.ndl.updateConstraints { make in make.height.equalTo(3) }
        #expect(stage.layout().map(\.frame) == [LayoutRect(0, 0, 80, 3), LayoutRect(0, 3, 80, 21)])
        stage.engine.setSize(width: 40, height: 24)
        #expect(stage.layout().count == 3)
        #expect(body.laidOut == LayoutRect(0, 3, 40, 21))
    }

    @Test("Items that share an edge meet at every width from 0 to 200")
    func rounding() {
        let boxes = (0..<7).map { Box("box \($0)") }
        let stage = Stage(width: 0, height: 3)
        for (index, box) in boxes.enumerated() {
            stage.add(box)
            box.ndl.makeConstraints { make in
                make.vertical.equalToSuperview()
                if index == 0 {
                    make.left.equalToSuperview()
                } else {
                    make.left.equalTo(boxes[index - 1].ndl.right)
                    make.width.equalTo(boxes[0])
                }
                if index == 6 { make.right.equalToSuperview() }
            }
        }
        for width in 0...200 {
            stage.engine.setSize(width: Double(width), height: 3)
            stage.layout()
            #expect(boxes[0].laidOut.x == 0)
            #expect(boxes[6].laidOut.right == width)
            for index in 1..<7 { #expect(boxes[index].laidOut.x == boxes[index - 1].laidOut.right) }
            let widths = boxes.map(\.laidOut.width)
            #expect((widths.max() ?? 0) - (widths.min() ?? 0) <= 1)
        }
        #expect(stage.engine.diagnostics.isEmpty)
    }

    @Test("Items that share an edge at one half of a cell meet, however the edge is computed")
    func halves() {
        let boxes = (0..<4).map { Box("box \($0)") }
        let stage = Stage(width: 10, height: 1)
        for (index, box) in boxes.enumerated() {
            stage.add(box)
            box.ndl.makeConstraints { make in
                make.vertical.equalToSuperview()
                make.width.equalToSuperview().dividedBy(4)
                if index > 0 { make.left.equalTo(boxes[index - 1].ndl.right) } else { make.left.equalToSuperview() }
            }
        }
        stage.layout()
        #expect(boxes.map(\.laidOut) == [.init(0, 0, 3, 1), .init(3, 0, 2, 1), .init(5, 0, 3, 1), .init(8, 0, 2, 1)])
        // The same edge of two items, computed with errors in opposite directions.
        let (left, right) = (Box("left"), Box("right"))
        let halves = Stage(width: 11, height: 1, left, right)
        left.ndl.makeConstraints { make in
            make.vertical.left.equalToSuperview()
            make.width.equalTo(5.4999995)
        }
        right.ndl.makeConstraints { make in
            make.vertical.right.equalToSuperview()
            make.left.equalTo(5.5000005)
        }
        halves.layout()
        #expect(left.laidOut == LayoutRect(0, 0, 6, 1) && right.laidOut == LayoutRect(6, 0, 5, 1))
        // Negative edges are rounded upwards too.
        left.ndl.remakeConstraints { make in
            make.vertical.equalToSuperview()
            make.left.equalTo(-2.5)
            make.width.equalTo(1)
        }
        halves.layout()
        #expect(left.laidOut == LayoutRect(-2, 0, 1, 1))
    }

    @Test("When a parent moves, a child related to the root is returned with its new relative frame")
    func movedParent() throws {
        let (parent, child, inner) = (Box("parent"), Box("child"), Box("inner"))
        let stage = Stage(width: 40, height: 10, parent)
        parent.add(child, inner)
        stage.engine.itemAdded(child)
        stage.engine.itemAdded(inner)
        var left: Constraint?
        var (top, width): (Constraint?, Constraint?)
        parent.ndl.makeConstraints { make in
            top = make.top.equalTo(0).constraint
            make.bottom.equalToSuperview()
            left = make.left.equalTo(5).constraint
            width = make.width.equalTo(20).constraint
        }
        child.ndl.makeConstraints { make in
            make.left.equalTo(stage.root).offset(10)
            make.top.equalTo(stage.root).offset(2)
            make.size.equalTo(LayoutSize(width: 3, height: 1))
        }
        inner.ndl.makeConstraints { make in
            make.left.top.equalToSuperview()
            make.size.equalTo(LayoutSize(width: 3, height: 1))
        }
        #expect(stage.frame(of: child) == LayoutRect(5, 2, 3, 1))
        try left?.setConstant(8)
        let changes = stage.layout()
        #expect(changes.map { $0.item.layoutNode.name } == ["parent", "child"])
        #expect(child.laidOut == LayoutRect(2, 2, 3, 1))
        #expect(child.layoutNode.frame == child.laidOut && stage.engine.frame(of: child) == child.laidOut)
        try top?.setConstant(1)
        #expect(stage.layout().map { $0.item.layoutNode.name } == ["parent", "child"])
        #expect(child.laidOut == LayoutRect(2, 1, 3, 1))
        // A parent that only changes its size does not move its children.
        try width?.setConstant(25)
        #expect(stage.layout().map { $0.item.layoutNode.name } == ["parent"])
    }

    @Test("A subtree that is removed and added again has no constraint between siblings that was removed in between")
    func siblingsReturn() {
        let (panel, left, right) = (Box("panel"), Box("left"), Box("right"))
        let stage = Stage(width: 40, height: 10, panel)
        panel.ndl.makeConstraints { $0.edges.equalToSuperview() }
        for box in [left, right] {
            stage.add(box, to: panel)
            box.ndl.makeConstraints { make in
                make.width.equalTo(5)
                make.vertical.equalToSuperview()
            }
        }
        // One constraint in each direction, so that either order of removal finds one.
        left.ndl.makeConstraints { $0.left.equalToSuperview() }
        right.ndl.makeConstraints { $0.left.equalTo(left.ndl.right) }
        left.ndl.makeConstraints { $0.right.lessThanOrEqualTo(right.ndl.left) }
        #expect(stage.frame(of: right).x == 5)

        stage.engine.itemRemoved(panel)
        stage.layout()
        stage.engine.itemAdded(panel)
        right.ndl.remakeConstraints { make in
            make.width.equalTo(5)
            make.vertical.equalToSuperview()
            make.left.equalToSuperview().offset(20)
        }
        #expect(stage.frame(of: right).x == 20)
        #expect(stage.engine.diagnostics.isEmpty)
    }

    @Test("A conflict reports the smallest set with labels and lines, and the latest member is dropped")
    func conflict() throws {
        let box = Box("box")
        let stage = Stage(width: 80, height: 24, box)
        box.ndl.makeConstraints { make in
            make.left.top.equalTo(0)
            make.height.equalTo(1)
            make.width.equalTo(10).labeled("narrow")
            make.width.greaterThanOrEqualTo(20).labeled("wide")
        }
        #expect(stage.frame(of: box) == LayoutRect(0, 0, 10, 1))
        #expect(stage.engine.diagnostics.count == 1)
        let conflict = try #require(stage.engine.conflicts.first)
        #expect(conflict.members.map(\.label) == ["narrow", "wide"])
        #expect(conflict.dropped.label == "wide")
        #expect(conflict.members.allSatisfy { $0.file == "NeedleKitTests/EngineTests.swift" && $0.line ?? 0 > 0 })
        #expect(conflict.members[1].statement == "box.width >= 20")
        box.ndl.updateConstraints { make in make.width.equalTo(30).labeled("narrow") }
        #expect(stage.frame(of: box) == LayoutRect(0, 0, 30, 1))
        #expect(stage.engine.diagnostics.isEmpty)
        box.ndl.makeConstraints { $0.right.equalTo(stage.root).offset(-2) }
        stage.layout()
        #expect(stage.engine.conflicts.first?.dropped.statement == "box.right == root.right - 2")
    }

    @Test(
        "A root that is too small for required constraints retains its size; the dropped ones are active again with enough space"
    )
    func tooSmall() {
        let box = Box("box")
        let stage = Stage(width: 80, height: 24, box)
        box.ndl.makeConstraints { make in
            make.edges.equalToSuperview()
            make.width.greaterThanOrEqualTo(30).labeled("minimum")
        }
        #expect(stage.frame(of: box).width == 80)
        stage.engine.setSize(width: 20, height: 24)
        #expect(stage.frame(of: box).width == 20)
        #expect(stage.engine.diagnostics.count == 1)
        stage.engine.setSize(width: 31, height: 24)
        #expect(stage.frame(of: box).width == 31)
        #expect(stage.engine.diagnostics.isEmpty)
    }

    @Test("Hugging and compression resistance apply by priority")
    func intrinsic() {
        let title = Box("title", content: IntrinsicSize(width: 12, height: 1))
        let detail = Box("detail", content: IntrinsicSize(width: 30, height: 1))
        let stage = Stage(width: 60, height: 5, title, detail)
        title.layoutNode.horizontalCompressionResistance = .high + 1
        detail.layoutNode.horizontalHugging = .low - 1
        title.ndl.makeConstraints { make in make.left.top.equalTo(0) }
        detail.ndl.makeConstraints { make in
            make.left.equalTo(title.ndl.right).offset(1)
            make.top.equalTo(0)
            make.right.equalToSuperview()
        }
        #expect(stage.frame(of: title) == LayoutRect(0, 0, 12, 1))
        #expect(detail.laidOut == LayoutRect(13, 0, 47, 1))
        stage.engine.setSize(width: 30, height: 5)
        #expect(stage.frame(of: title) == LayoutRect(0, 0, 12, 1))
        #expect(detail.laidOut == LayoutRect(13, 0, 17, 1))
        title.content = IntrinsicSize(width: 4, height: 1)
        stage.engine.invalidateIntrinsicSize(of: title)
        #expect(stage.frame(of: title).width == 4)
        #expect(detail.laidOut == LayoutRect(5, 0, 25, 1))
    }

    @Test("No extent becomes negative")
    func nonNegative() {
        let labels = (0..<3).map { Box("label \($0)", content: IntrinsicSize(width: 10, height: 1)) }
        let stage = Stage(width: 5, height: 1, labels[0], labels[1], labels[2])
        for (index, label) in labels.enumerated() {
            label.ndl.makeConstraints { make in
                make.top.equalTo(0)
                if index == 0 { make.left.equalTo(0) } else { make.left.equalTo(labels[index - 1].ndl.right) }
                if index == 2 { make.right.equalToSuperview() }
            }
        }
        stage.layout()
        #expect(labels.map(\.laidOut.width).reduce(0, +) == 5)
        #expect(labels.allSatisfy { $0.laidOut.x >= 0 && $0.laidOut.right <= 5 })
        // Required constraints that leave less than nothing hold: the frame begins at the left edge and has no extent.
        labels[0].ndl.remakeConstraints { make in
            make.left.equalTo(4)
            make.right.equalToSuperview().inset(4)
            make.vertical.equalToSuperview()
        }
        #expect(stage.frame(of: labels[0]) == LayoutRect(4, 0, 0, 1) && stage.engine.diagnostics.isEmpty)
        // However many items there are.
        for count in [20, 100] {
            let rows = (0..<count).map { Box("\($0)", content: IntrinsicSize(width: 4, height: 1)) }
            let stage = Stage(width: 40, height: 5, boxes: rows)
            stage.root.ndl.stack(rows)
            stage.layout()
            let edges = rows.flatMap { [$0.laidOut.y, $0.laidOut.bottom] }
            #expect(edges == edges.sorted() && edges.last == 5, "\(count) rows")
        }
    }

    @Test("Wrapping content has the height for its width in the same layout")
    func wrapping() {
        let text = Box("text")
        text.wrappingText = 100
        let below = Box("below")
        let stage = Stage(width: 50, height: 40, text, below)
        text.ndl.makeConstraints { make in make.top.horizontal.equalToSuperview() }
        below.ndl.makeConstraints { make in
            make.top.equalTo(text.ndl.bottom)
            make.left.equalTo(0)
            make.size.equalTo(1)
        }
        #expect(stage.frame(of: text) == LayoutRect(0, 0, 50, 2))
        stage.engine.setSize(width: 30, height: 40)
        #expect(stage.frame(of: text) == LayoutRect(0, 0, 30, 4))
        #expect(below.laidOut.y == 4)
        // However many items of a row do not fit.
        for count in [3, 12, 16, 40] {
            let texts = (0..<count).map { Box("\($0)", content: IntrinsicSize(width: 30)) }
            for text in texts { text.wrappingText = 30 }
            let stage = Stage(width: 60, height: 40, boxes: texts)
            stage.root.ndl.stack(texts, axis: .horizontal, spacing: 1, alignment: .start)
            stage.layout()
            let heights = texts.map { text in
                text.intrinsicLayoutHeight(forWidth: Double(text.laidOut.width)).map { Int($0) }
            }
            #expect(texts.map(\.laidOut.height) == heights, "\(count) texts")
            #expect(stage.layout().isEmpty)
        }
    }

    @Test("Content whose height never settles has its last height and is not measured again until something changes")
    func neverSettles() {
        let text = Box("text")
        let stage = Stage(width: 50, height: 40, text)
        var answers: [Double] = []
        text.heightForWidth = { width in
            answers.append(width == 10 ? 13 : 10)
            return answers.last ?? 0
        }
        text.ndl.makeConstraints { make in
            make.left.top.equalTo(0)
            make.aspectRatio(1)
        }
        stage.layout()
        #expect(Set(answers) == [10, 13] && answers.count < 20)
        #expect(answers.last.map { text.laidOut == LayoutRect(0, 0, Int($0), Int($0)) } == true)
        #expect(stage.layout().isEmpty)
    }

    @Test("A removed item is released, also by the items it referred to")
    func released() {
        let stage = Stage(width: 20, height: 20)
        weak var stored: Constraint?
        do {
            let row = Box("row")
            stage.add(row)
            stored = row.ndl.makeConstraints { $0.edges.equalTo(stage.root) }.first
            stage.layout()
            #expect(stored != nil)
            stage.root.remove(row)
            stage.engine.itemRemoved(row)
        }
        stage.layout()
        #expect(stored == nil)
        // One that was added and removed since the last layout has no frame, and its place is used again.
        let count = stage.engine.system.tree.records.count
        for _ in 0..<3 {
            let row = Box("row")
            stage.add(row)
            stage.root.remove(row)
            stage.engine.itemRemoved(row)
            #expect(!stage.layout().contains { $0.item === row })
        }
        #expect(stage.engine.system.tree.records.count == count)
    }

    @Test("A hidden item collapses with its gap and expands again")
    func collapse() {
        let (first, middle, last) = (Box("first"), Box("middle"), Box("last"))
        let stage = Stage(width: 20, height: 20, first, middle, last)
        var above: Box?
        for box in [first, middle, last] {
            box.ndl.makeConstraints { make in
                make.horizontal.equalToSuperview()
                make.height.equalTo(3)
                if let above { make.top.equalTo(above.ndl.bottom).offset(1) } else { make.top.equalTo(0) }
            }
            above = box
        }
        middle.layoutNode.collapsesWhenHidden = true
        #expect(stage.frame(of: last).y == 8)
        middle.layoutNode.isHidden = true
        #expect(stage.frame(of: middle).height == 0)
        #expect(last.laidOut.y == 4)
        middle.layoutNode.isHidden = false
        #expect(stage.frame(of: last).y == 8)
    }

    @Test("A collapsed item with padded children takes no space, whatever was shown before")
    func collapsedContainers() {
        for first in 0..<16 {
            let panels = (0..<3).map { Box("panel \($0)") }
            let below = Box("below")
            let stage = Stage(width: 20, height: 30, boxes: panels + [below])
            for (index, panel) in panels.enumerated() {
                let rows = (0...index / 2).map { Box("row \($0)", content: IntrinsicSize(height: 3)) }
                for row in rows { stage.add(row, to: panel) }
                rows[0].layoutNode.collapsesWhenHidden = true
                panel.ndl.stack(rows, spacing: 1, insets: LayoutInsets(1))
                panel.ndl.makeConstraints { make in
                    make.horizontal.equalToSuperview()
                    make.top.equalTo(index == 0 ? stage.root.ndl.top : panels[index - 1].ndl.bottom)
                    if index == 0 { make.height.equalTo(7) }
                }
                panel.layoutNode.collapsesWhenHidden = true
            }
            below.ndl.makeConstraints { make in
                make.top.equalTo(panels[2].ndl.bottom)
                make.horizontal.bottom.equalToSuperview()
            }
            for mask in [first] + Array(0..<16) {
                for (index, panel) in panels.enumerated() { panel.layoutNode.isHidden = mask & 1 << index != 0 }
                panels[1].children[0].layoutNode.isHidden = mask >= 8
                #expect(stage.problems().isEmpty)
                let heights = [7, mask < 8 ? 5 : 2, 9].enumerated().map { mask & 1 << $0.offset != 0 ? 0 : $0.element }
                #expect(panels.map(\.laidOut.height) == heights, "hidden \(mask) after \(first)")
                #expect(below.laidOut.y == heights.reduce(0, +), "hidden \(mask) after \(first)")
                #expect(stage.engine.ambiguities.map(\.description) == [], "hidden \(mask) after \(first)")
            }
        }
    }

    @Test("Items can be added and removed; their constraints apply again when they return")
    func tree() {
        let (panel, label) = (Box("panel"), Box("label"))
        let stage = Stage(width: 20, height: 20, panel)
        panel.ndl.makeConstraints { make in make.edges.equalToSuperview().inset(1) }
        label.ndl.makeConstraints { make in
            make.left.top.equalTo(panel)
            make.width.height.equalTo(4)
        }
        stage.layout()
        stage.add(label, to: panel)
        #expect(stage.frame(of: label) == LayoutRect(0, 0, 4, 4))
        panel.remove(label)
        stage.engine.itemRemoved(label)
        #expect(stage.layout().isEmpty)
        stage.add(label)
        #expect(stage.frame(of: label) == LayoutRect(1, 1, 4, 4))
        // Each constraint to an item that has gone is reported once, one that was dropped before, too.
        label.ndl.makeConstraints { $0.width.equalTo(panel) }
        #expect(stage.problems().count == 1)
        stage.root.remove(panel)
        stage.engine.itemRemoved(panel)
        #expect(stage.problems().count == 3)
    }
}
