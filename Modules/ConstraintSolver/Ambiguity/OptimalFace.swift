/// All solutions that are as good as the present one: a face of the polyhedron of feasible ones.
///
/// By complementary slackness the face is where each nonbasic symbol with a positive reduced cost stays zero; with
/// several priorities, positive means lexicographically. What is left can still move only where it is not held at zero
/// by something else, so symbols that are zero all over the face are found and taken out; the symbols that stay nonbasic
/// then number the face's dimensions, and a variable is settled exactly when its expression holds none of them.
struct OptimalFace {
    /// A symbol that is basic, as a constant plus a sum of open symbols that are not.
    struct Row {
        var basic: Int32
        var constant: Double
        var entries: [Int32: Double]
    }

    static let tolerance = 1e-9
    /// A value above this is positive.
    let positive: Double
    var rows: [Row] = []
    /// The nonbasic symbols that may rise from zero.
    var open: Set<Int32> = []
    var rowOf: [Int32: Int] = [:]

    /// Reads the face off an optimal tableau.
    init(_ tableau: borrowing Tableau) {
        positive = max(1e-7, tableau.feasibility * 10)
        open = OptimalFace.openSymbols(tableau)
        for index in 0..<tableau.rows.count where tableau.isRestricted(Int32(index)) {
            let row = tableau.rows[index]
            var entries: [Int32: Double] = [:]
            for place in 0..<Int(row.count) where open.contains(row.entries[place].symbol) {
                let entry = row.entries[place]
                if abs(entry.value) > Self.tolerance { entries[entry.symbol] = entry.value }
            }
            if !entries.isEmpty { rows.append(Row(basic: row.basic, constant: max(0, row.constant), entries: entries)) }
        }
        guard !open.isEmpty else { return }
        for row in rows.indices where tableau.symbols[rows[row].basic].kind == .dummy { rows[row].constant = 0 }
        let dummies = rows.indices.filter { tableau.symbols[rows[$0].basic].kind == .dummy }
        takeOut(rows: dummies.map { rows[$0].basic })
        let moving = movingSymbols()
        let fixed = open.subtracting(moving)
        open.formIntersection(moving)
        for row in rows.indices { for symbol in fixed { rows[row].entries[symbol] = nil } }
        takeOut(rows: rows.filter { !moving.contains($0.basic) }.map(\.basic))
        rows.removeAll { $0.entries.isEmpty }
        for (place, row) in rows.enumerated() { rowOf[row.basic] = place }
    }

    /// The nonbasic symbols whose reduced cost is zero at every priority; computed afresh, so that it does not depend on
    /// what pivots have added up.
    private static func openSymbols(_ tableau: borrowing Tableau) -> Set<Int32> {
        var costs: [Int32: [Int32: (sum: Double, size: Double)]] = [:]
        func add(_ symbol: Int32, _ rank: Int32, _ amount: Double) {
            costs[symbol, default: [:]][rank, default: (0, 0)].sum += amount
            costs[symbol, default: [:]][rank, default: (0, 0)].size += abs(amount)
        }
        for index in 0..<tableau.rows.count where tableau.isRestricted(Int32(index)) {
            let row = tableau.rows[index]
            let basic = tableau.symbols[row.basic]
            guard basic.costRank > 0 else { continue }
            for place in 0..<Int(row.count) {
                add(row.entries[place].symbol, basic.costRank, basic.costWeight * row.entries[place].value)
            }
        }
        var open: Set<Int32> = []
        for index in 0..<tableau.symbols.count {
            let symbol = tableau.symbols[index]
            guard !symbol.isFree, symbol.row < 0, symbol.kind == .slack || symbol.kind == .error else { continue }
            if symbol.costRank > 0 { add(Int32(index), symbol.costRank, symbol.costWeight) }
            let isClosed = costs[Int32(index)]?.values.contains { abs($0.sum) > max(1e-8, 1e-9 * $0.size) } ?? false
            if !isClosed { open.insert(Int32(index)) }
        }
        return open
    }

    // MARK: - Symbols that are always zero

    /// Makes basic symbols that are always zero nonbasic and forgets them.
    private mutating func takeOut(rows basics: [Int32]) {
        for basic in basics {
            guard let place = rows.firstIndex(where: { $0.basic == basic }) else { continue }
            if let entering = OptimalFace.largest(rows[place].entries) {
                pivot(place, entering)
                open.remove(entering)
                for row in rows.indices { rows[row].entries[basic] = nil }
            } else {
                rows.remove(at: place)
            }
        }
    }

    /// The symbols that are positive somewhere on the face.
    private func movingSymbols() -> Set<Int32> {
        var moving = Set(rows.filter { $0.constant > positive }.map(\.basic))
        for symbol in open.sorted() {
            // A step that no row at zero stops.
            let isBlocked = rows.contains {
                $0.constant <= positive && $0.entries[symbol, default: 0] < -Self.tolerance
            }
            guard !isBlocked else { continue }
            moving.insert(symbol)
            for row in rows where row.entries[symbol, default: 0] > Self.tolerance { moving.insert(row.basic) }
        }
        // The others, if any, need several steps together.
        var trial = self
        while true {
            var objective: [Int32: Double] = [:]
            for symbol in trial.open where !moving.contains(symbol) { objective[symbol, default: 0] += 1 }
            for row in trial.rows where !moving.contains(row.basic) {
                for (symbol, value) in row.entries { objective[symbol, default: 0] += value }
            }
            let before = moving.count
            _ = trial.climb(&objective) { trial, ray in
                if let ray {
                    moving.insert(ray)
                    for row in trial.rows where row.entries[ray, default: 0] > Self.tolerance {
                        moving.insert(row.basic)
                    }
                }
                for row in trial.rows where row.constant > trial.positive { moving.insert(row.basic) }
                return moving.count == before
            }
            if moving.count == before { return moving }
        }
    }

    // MARK: - Moving along the face

    /// How each variable that is not settled moves with the open symbols; each stands for one dimension of the face.
    func directions(_ tableau: borrowing Tableau) -> [Int32: [Int32: Double]] {
        var found: [Int32: [Int32: Double]] = [:]
        var defined: [Int32] = []
        for index in 0..<tableau.symbols.count {
            let symbol = tableau.symbols[index]
            guard !symbol.isFree, symbol.kind == .variable else { continue }
            // Nothing determines a variable without a definition: it moves by itself.
            if symbol.row < 0 { found[Int32(index)] = [Int32(index): 1] } else { defined.append(Int32(index)) }
        }
        defined.sort { (tableau.symbols[$0].order, $0) < (tableau.symbols[$1].order, $1) }
        for variable in defined {
            let definition = tableau.rows[tableau.symbols[variable].row]
            var sum: [Int32: Double] = [:]
            var peaks: [Int32: Double] = [:]
            for place in 0..<Int(definition.count) {
                let entry = definition.entries[place]
                let part: [Int32: Double]? =
                    if tableau.symbols[entry.symbol].kind == .variable {
                        found[entry.symbol]
                    } else if open.contains(entry.symbol) {
                        [entry.symbol: 1]
                    } else {
                        rowOf[entry.symbol].map { rows[$0].entries }
                    }
                for (symbol, value) in part ?? [:] {
                    sum[symbol, default: 0] += entry.value * value
                    peaks[symbol] = max(peaks[symbol, default: 0], abs(entry.value * value))
                }
            }
            let direction = sum.filter { abs($0.value) > max(Self.tolerance, 1e-9 * peaks[$0.key, default: 0]) }
            if !direction.isEmpty { found[variable] = direction }
        }
        return found
    }
}
