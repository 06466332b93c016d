import NeedleKit

/// The order of statement: a list whose constraints are stated in different orders.
extension LayoutBenchmark {
    /// The cost of the list of 2,000 and of 10,000 rows in an order.
    private struct OrderCost {
        var order: LayoutProgram.Order
        var small: Double
        var large: Double
    }

    /// The numbers of rows whose instructions are compared.
    static let orderSizes = [2000, 10_000]

    static func name(_ order: LayoutProgram.Order, _ size: Int) -> String {
        "layout.rows of \(size).\(order.rawValue)"
    }

    /// The time of the solver alone, one constraint at a time.
    func orderRows(_ peer: KiwiPeer) throws -> [BenchmarkRow] {
        let times = try LayoutProgram.Order.allCases.map { order in
            func time(_ size: Int, rounds: Int) throws -> Double {
                let program = LayoutProgram.rows(size, labels: 1, order: order)
                return median(try (0..<rounds).map { _ in try program.run().times[0] })
            }
            return OrderCost(order: order, small: try time(2000, rounds: 5), large: try time(10_000, rounds: 3))
        }
        // Without a target for the spread: the time of the random order is mostly that of cache misses, which the solver
        // cannot avoid for constraints that arrive one at a time. The targets are on its instructions, and on the engine,
        // which sorts the constraints of a layout first.
        return rows(times, unit: " us", spread: nil, growth: 2) + (try peerOrderRows(peer))
    }

    /// The instructions of the solver alone.
    func orderInstructions() throws -> [BenchmarkRow] {
        let counts = try LayoutProgram.Order.allCases.compactMap { order -> OrderCost? in
            func count(_ size: Int) throws -> Double? {
                try InstructionCounter().instructions(
                    ofOneRun: LayoutBenchmark.name(order, size),
                    inside: "*countedLayoutPhase*"
                )
            }
            guard let small = try count(2000), let large = try count(10_000) else { return nil }
            return OrderCost(order: order, small: small, large: large)
        }
        return rows(counts, suffix: ", instructions", spread: 1.5, growth: 1.2)
    }

    /// The time of the engine, for which the constraints are stated before a layout.
    @MainActor
    func engineOrderRows() -> [BenchmarkRow] {
        var times = LayoutProgram.Order.allCases.map { OrderCost(order: $0, small: .infinity, large: .infinity) }
        for _ in 0..<3 {
            for (index, cost) in times.enumerated() {
                times[index].small = min(cost.small, LayoutBenchmarkOrder(rows: 2000).time(cost.order))
                times[index].large = min(cost.large, LayoutBenchmarkOrder(rows: 10_000).time(cost.order))
            }
        }
        return rows(times, through: " through the engine", unit: " us", spread: 2, growth: 2)
    }

    /// The slowest order over the fastest, and the growth from 2,000 to 10,000 rows in the slowest order, each at most a
    /// target if there is one.
    private func rows(
        _ costs: [OrderCost],
        through: String = "",
        suffix: String = "",
        unit: String = "",
        spread: Double?,
        growth: Double
    ) -> [BenchmarkRow] {
        let large = costs.map(\.large)
        let name = "rows of 10,000\(through), slowest order of statement over the fastest\(suffix)"
        let value = costs.isEmpty ? nil : (large.max() ?? 0) / (large.min() ?? 1)
        let figures = costs.map { "\($0.order.rawValue) \($0.large.brief)\(unit)" }.joined(separator: ", ")
        let five = "rows of 10,000 over five times the rows of 2,000\(through), slowest order\(suffix)"
        let slowest = costs.map { $0.large / $0.small / 5 }.max()
        let missing = costs.isEmpty ? "valgrind is missing" : nil
        return [
            row(name, value, "x", atMost: spread, against: missing ?? figures),
            row(five, slowest, "x", atMost: growth, against: missing ?? "linear growth is 1"),
        ]
    }

    /// The number of rows that the peer lays out in seconds, in every order; 1,000 rows take it up to 47 s.
    private static let peerSize = 300

    /// The same list on both sides: for each order the peer's time over ours.
    private func peerOrderRows(_ peer: KiwiPeer) throws -> [BenchmarkRow] {
        try LayoutProgram.Order.allCases.map { order in
            let program = LayoutProgram.rows(LayoutBenchmark.peerSize, labels: 1, order: order)
            let own = median(try (0..<5).map { _ in try program.run().times[0] })
            let value = try peer.run(program)?.times[0]
            return peer.ratio(own, value, "rows of \(LayoutBenchmark.peerSize), \(order.rawValue)")
        }
    }
}

/// A list of rows whose heights follow from their labels, stated to the engine in different orders.
@MainActor
struct LayoutBenchmarkOrder {
    private let count: Int

    init(rows count: Int) { self.count = count }

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
