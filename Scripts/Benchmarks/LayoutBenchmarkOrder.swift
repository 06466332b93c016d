import NeedleKit

/// A list of rows whose heights follow from their labels, stated to the engine in different orders.
@MainActor
struct LayoutBenchmarkOrder {
    private let count: Int

    init(rows count: Int) {
        self.count = count
    }

    /// Measures the statements of all constraints, in an order, and the layout that follows.
    ///
    /// - Returns: the microseconds.
    func time(_ order: LayoutProgram.Order) -> Double {
        let root = LayoutBenchmarkList.Item(in: nil)
        let rows = (0..<count).map { _ in LayoutBenchmarkList.Item(in: root) }
        let labels = rows.indices.map { index in
            let content = IntrinsicSize(width: Double(40 + index * 13 % 60), height: Double(16 + index * 7 % 12))
            return LayoutBenchmarkList.Item(in: rows[index], content)
        }
        let engine = LayoutEngine(root: root)
        engine.setSize(width: 390, height: 800)
        blackHole(engine.layout().count)
        let list: [() -> Void] = rows.indices.flatMap { index in
            [
                { rows[index].ndl.makeConstraints { $0.horizontal.equalToSuperview() } },
                {
                    rows[index].ndl.makeConstraints { make in
                        if index == 0 {
                            make.top.equalToSuperview()
                        } else {
                            make.top.equalTo(rows[index - 1].ndl.bottom)
                        }
                    }
                },
            ]
        }
        let cells: [[() -> Void]] = labels.map { label in
            [
                { label.ndl.makeConstraints { $0.top.equalToSuperview() } },
                { label.ndl.makeConstraints { $0.bottom.equalToSuperview() } },
                { label.ndl.makeConstraints { $0.left.equalToSuperview() } },
            ]
        }
        let statements = order.arranged(list: list, cells: cells)
        let start = ContinuousClock.now
        for statement in statements { statement() }
        blackHole(engine.layout().count)
        return (ContinuousClock.now - start).seconds * 1e6
    }
}
