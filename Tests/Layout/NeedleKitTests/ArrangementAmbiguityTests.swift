import NeedleKit
import Testing

/// Arrangements create guides, whose frames no statement of the client determines.
@MainActor
@Suite("Arrangements are unambiguous")
struct ArrangementAmbiguityTests {
    nonisolated static let names = [
        "column", "row", "equal", "gaps", "baselines", "aligned", "sized", "grid", "equal rows",
    ]

    private func arrange(_ name: String, _ root: Box, _ items: [Box]) -> ConstraintGroup {
        let place = root.ndl
        switch name {
        case "column": return place.stack(items, spacing: 1, distribution: .start)
        case "row": return place.stack(items, axis: .horizontal, alignment: .center, distribution: .start)
        case "equal": return place.stack(items, axis: .horizontal, alignment: .end, distribution: .equalSizes)
        case "gaps":
            let group = place.each(items) { $0.top.equalTo(0) }
            group.append(place.stack(items, axis: .horizontal, alignment: .start, distribution: .equalSpacing))
            return group
        case "baselines":
            let group = place.stack(items, axis: .horizontal, alignment: .firstBaseline, distribution: .start)
            group.append(items[0].ndl.makeConstraints { $0.top.equalTo(2) })
            return group
        case "aligned":
            let group = place.align(items, .leading, .top)
            group.append(items[1].ndl.makeConstraints { $0.left.top.equalTo(2) })
            return group
        case "sized":
            let group = place.align(items, .width, .height)
            group.append(place.each(items) { $0.left.top.equalTo(2) })
            group.append(items[1].ndl.makeConstraints { $0.size.equalTo(5) })
            return group
        case "grid": return place.grid(Array(items.dropLast()), columns: 2, equalRows: true)
        default: return place.grid(items, columns: 2, columnSpacing: 1, rowSpacing: 1, equalRows: true)
        }
    }

    @Test(
        "An arrangement has no ambiguity, whichever items are hidden, and is removed with its group",
        arguments: names
    )
    func settled(_ name: String) {
        let items = ["a", "b", "c", "d"].map { Box($0, content: IntrinsicSize(width: 4, height: 2)) }
        let stage = Stage(width: 40, height: 20, items[0], items[1], items[2], items[3])
        let before = stage.engine.description
        let group = arrange(name, stage.root, items)
        if name == "grid" { items[3].ndl.makeConstraints { $0.left.top.equalTo(0) } }
        for item in items { item.layoutNode.collapsesWhenHidden = true }
        for mask in 0..<16 {
            for (index, item) in items.enumerated() { item.layoutNode.isHidden = mask & 1 << index != 0 }
            #expect(stage.problems().isEmpty, "hidden \(mask)")
            // Which of several hidden items fills the container is not visible.
            if mask == 15 { continue }
            #expect(stage.engine.ambiguities.map(\.description) == [], "hidden \(mask)")
        }
        group.remove()
        if name == "grid" { items[3].ndl.removeConstraints() }
        #expect(stage.root.layoutNode.guides.isEmpty)
        #expect(items.allSatisfy { $0.ndl.constraints.isEmpty })
        #expect(stage.engine.description.split(separator: "\n").count == before.split(separator: "\n").count)
    }
}
