import NeedleKit

/// The order of statement: a list whose constraints are stated in different orders.
extension LayoutBenchmark {
    /// The time to build a list whose constraints are stated in different orders: the slowest order over the fastest, and
    /// the growth from 2,000 to 10,000 rows.
    func orderRows(_ peer: KiwiPeer) throws -> [BenchmarkRow] {
        var times: [(order: LayoutProgram.Order, small: Double, large: Double)] = []
        for order in LayoutProgram.Order.allCases {
            let small = LayoutProgram.rows(2000, labels: 1, order: order)
            let large = LayoutProgram.rows(10_000, labels: 1, order: order)
            times.append(
                (
                    order,
                    median(try (0..<5).map { _ in try small.run().times[0] }),
                    median(try (0..<3).map { _ in try large.run().times[0] })
                )
            )
        }
        let figures = times.map { "\($0.order.rawValue) \($0.large.brief) us" }.joined(separator: ", ")
        let large = times.map(\.large)
        return [
            .atMost(
                2,
                area: area,
                name: "rows of 10,000, slowest order of statement over the fastest",
                value: (large.max() ?? 0) / (large.min() ?? 1),
                unit: "x",
                against: figures
            ),
            .atMost(
                2,
                area: area,
                name: "rows of 10,000 over five times the rows of 2,000, slowest order",
                value: times.map { $0.large / $0.small / 5 }.max() ?? 0,
                unit: "x",
                against: "linear growth is 1"
            ),
        ] + (try peerOrderRows(peer))
    }

    /// The numbers of rows whose instructions are compared.
    static let orderSizes = [2000, 10_000]

    static func name(_ order: LayoutProgram.Order, _ size: Int) -> String {
        "layout.rows of \(size).\(order.rawValue)"
    }

    /// The number of rows that the peer lays out in seconds, in every order; 1,000 rows take it up to 47 s.
    private static let peerSize = 300

    /// The same list on both sides: for each order the peer's time over ours.
    private func peerOrderRows(_ peer: KiwiPeer) throws -> [BenchmarkRow] {
        try LayoutProgram.Order.allCases.map { order in
            let program = LayoutProgram.rows(LayoutBenchmark.peerSize, labels: 1, order: order)
            let own = median(try (0..<5).map { _ in try program.run().times[0] })
            let other = try peer.run(program)?.times[0]
            return .ratio(
                area: area,
                name: "rows of \(LayoutBenchmark.peerSize), \(order.rawValue)",
                target: nil,
                value: other.map { $0 / own },
                unit: "x faster",
                against: other.map { "kiwi \($0.brief) us, ours \(own.brief) us" }
                    ?? "ours \(own.brief) us; kiwi is missing: \(peer.reason)"
            )
        }
    }

    /// The same in instructions: the work itself, without the latency of memory, which is higher for constraints that are
    /// stated in random order.
    func orderInstructions() throws -> [BenchmarkRow] {
        var counts: [(order: LayoutProgram.Order, small: Double, large: Double)] = []
        for order in LayoutProgram.Order.allCases {
            func count(_ size: Int) throws -> Double? {
                try InstructionCounter().instructions(
                    ofOneRun: LayoutBenchmark.name(order, size),
                    inside: "*countedLayoutPhase*"
                )
            }
            if let small = try count(2000), let large = try count(10_000) { counts.append((order, small, large)) }
        }
        let large = counts.map(\.large)
        let figures = counts.map { "\($0.order.rawValue) \($0.large.brief)" }.joined(separator: ", ")
        return [
            .atMost(
                2,
                area: area,
                name: "rows of 10,000, slowest order of statement over the fastest, instructions",
                value: counts.isEmpty ? nil : (large.max() ?? 0) / (large.min() ?? 1),
                unit: "x",
                against: counts.isEmpty ? "valgrind is missing" : figures
            ),
            .atMost(
                1.2,
                area: area,
                name: "rows of 10,000 over five times the rows of 2,000, slowest order, instructions",
                value: counts.map { $0.large / $0.small / 5 }.max(),
                unit: "x",
                against: counts.isEmpty ? "valgrind is missing" : "linear growth is 1"
            ),
        ]
    }

    /// The same list as in ``orderRows(_:)``, stated to the engine: the slowest order over the fastest, and the growth from
    /// 2,000 to 10,000 rows.
    @MainActor
    func engineOrderRows() -> [BenchmarkRow] {
        let orders = LayoutProgram.Order.allCases
        var (small, large) = (orders.map { _ in Double.infinity }, orders.map { _ in Double.infinity })
        for _ in 0..<3 {
            for (index, order) in orders.enumerated() {
                small[index] = min(small[index], LayoutBenchmarkOrder(rows: 2000).time(order))
                large[index] = min(large[index], LayoutBenchmarkOrder(rows: 10_000).time(order))
            }
        }
        let figures = zip(orders, large).map { "\($0.rawValue) \($1.brief) us" }.joined(separator: ", ")
        return [
            .atMost(
                2,
                area: area,
                name: "rows of 10,000 through the engine, slowest order of statement over the fastest",
                value: (large.max() ?? 0) / (large.min() ?? 1),
                unit: "x",
                against: figures
            ),
            .atMost(
                2,
                area: area,
                name: "rows of 10,000 over five times the rows of 2,000 through the engine, slowest order",
                value: zip(small, large).map { $1 / $0 / 5 }.max() ?? 0,
                unit: "x",
                against: "linear growth is 1"
            ),
        ]
    }
}

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
