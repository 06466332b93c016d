import NeedleKit
import TestSupport
import Testing

/// Layouts whose constraints are stated in different orders.
@Suite("Order of statement")
@MainActor
struct OrderTests {
    /// A list of rows, each with a label pinned to its top and bottom, that chooses among several heights.
    @MainActor
    private struct List {
        let stage: Stage
        let rows: [Box]
        let labels: [Box]
        /// The statements, row by row.
        private(set) var statements: [() -> Void] = []

        init(_ count: Int) {
            stage = Stage(width: 300, height: 400)
            rows = (0..<count).map { Box("row \($0)") }
            labels = (0..<count).map {
                Box("label \($0)", content: IntrinsicSize(width: 9, height: Double(1 + $0 % 3)))
            }
            for (row, label) in zip(rows, labels) {
                row.add(label)
                stage.add(row)
            }
            stage.layout()
            for index in rows.indices {
                let (row, label) = (rows[index], labels[index])
                let above = index > 0 ? rows[index - 1] : nil
                statements += [
                    { row.ndl.makeConstraints { $0.left.equalToSuperview() } },
                    { row.ndl.makeConstraints { $0.width.equalTo(10 + index).priority(.low) } },
                    {
                        row.ndl.makeConstraints { make in
                            if let above {
                                make.top.equalTo(above.ndl.bottom)
                                // The preferences of all rows exclude each other, and each is as good as the others.
                                make.width.equalTo(above)
                            } else {
                                make.top.equalToSuperview()
                            }
                        }
                    },
                    { label.ndl.makeConstraints { $0.edges.equalToSuperview() } },
                ]
            }
        }

        /// States all constraints and returns the frames of rows and labels.
        func frames(_ statements: [() -> Void]) -> [LayoutRect] {
            for statement in statements { statement() }
            stage.layout()
            return (rows + labels).map(\.laidOut)
        }
    }

    @Test("The order of statement makes no difference, not even among layouts that are equally good")
    func orders() {
        let forward = List(40)
        let frames = forward.frames(forward.statements)
        #expect(frames[39].y == (0..<39).reduce(0) { $0 + 1 + $1 % 3 })
        #expect(forward.stage.engine.diagnostics.isEmpty)
        let backward = List(40)
        #expect(backward.frames(backward.statements.reversed()) == frames)
        for seed in 1...8 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            let shuffled = List(40)
            #expect(shuffled.frames(shuffled.statements.shuffled(using: &generator)) == frames, "seed \(seed)")
        }
    }

    @Test("Of two constraints that exclude each other, the later one is dropped, whatever the order of their items")
    func conflicts() throws {
        let (first, second) = (Box("first"), Box("second"))
        let stage = Stage(width: 80, height: 24, first, second)
        second.ndl.makeConstraints { $0.left.equalTo(7) }
        first.ndl.makeConstraints { $0.left.equalTo(3).labeled("later") }
        first.ndl.makeConstraints { $0.left.equalTo(second).labeled("latest") }
        #expect(stage.frame(of: first).x == 3)
        #expect(second.laidOut.x == 7)
        #expect(stage.engine.conflicts.map(\.dropped.label) == ["latest"])
    }
}
