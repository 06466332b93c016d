/// The solutions that are as good as the current one: a face of the polyhedron of feasible solutions.
///
/// By complementary slackness the face is where each nonbasic symbol with a positive reduced cost stays zero; with
/// several priorities, positive means lexicographically. Other symbols can move only where nothing else holds them at
/// zero, so symbols that are zero on the whole face are found and removed. The remaining nonbasic symbols are the
/// dimensions of the face, and a variable is settled exactly if its expression holds none of them.
struct OptimalFace {
    /// A basic symbol as a constant plus a sum of open nonbasic symbols.
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

    /// Creates the face of an optimal tableau.
    init(_ tableau: borrowing Tableau) {
        positive = max(1e-7, tableau.store.feasibility * 10)
        open = OptimalFace.openSymbols(tableau)
        for index in 0..<tableau.store.rows.count where tableau.store.isRestricted(Int32(index)) {
            let row = tableau.store.rows[index]
            var entries: [Int32: Double] = [:]
            for place in 0..<Int(row.count) where open.contains(row.entries[place].symbol) {
                let entry = row.entries[place]
                if abs(entry.value) > Self.tolerance { entries[entry.symbol] = entry.value }
            }
            if !entries.isEmpty { rows.append(Row(basic: row.basic, constant: max(0, row.constant), entries: entries)) }
        }
        guard !open.isEmpty else { return }
        for row in rows.indices where tableau.store.symbols[rows[row].basic].kind == .dummy { rows[row].constant = 0 }
        let dummies = rows.indices.filter { tableau.store.symbols[rows[$0].basic].kind == .dummy }
        remove(basics: dummies.map { rows[$0].basic })
        let moving = movingSymbols()
        let fixed = open.subtracting(moving)
        open.formIntersection(moving)
        for row in rows.indices { for symbol in fixed { rows[row].entries[symbol] = nil } }
        remove(basics: rows.filter { !moving.contains($0.basic) }.map(\.basic))
        rows.removeAll { $0.entries.isEmpty }
        for (place, row) in rows.enumerated() { rowOf[row.basic] = place }
    }

    /// Returns the nonbasic symbols whose reduced cost is zero at every priority, computed from the rows, so that the
    /// rounding of many pivots does not decide.
    private static func openSymbols(_ tableau: borrowing Tableau) -> Set<Int32> {
        var costs: [Int32: [Int32: (sum: Double, size: Double)]] = [:]
        func add(_ symbol: Int32, _ rank: Int32, _ amount: Double) {
            costs[symbol, default: [:]][rank, default: (0, 0)].sum += amount
            costs[symbol, default: [:]][rank, default: (0, 0)].size += abs(amount)
        }
        for index in 0..<tableau.store.rows.count where tableau.store.isRestricted(Int32(index)) {
            let row = tableau.store.rows[index]
            let basic = tableau.store.symbols[row.basic]
            guard basic.costRank > 0 else { continue }
            for place in 0..<Int(row.count) {
                add(row.entries[place].symbol, basic.costRank, basic.costWeight * row.entries[place].value)
            }
        }
        var open: Set<Int32> = []
        for index in 0..<tableau.store.symbols.count {
            let symbol = tableau.store.symbols[index]
            guard !symbol.isFree, symbol.row < 0, symbol.kind == .slack || symbol.kind == .error else { continue }
            if symbol.costRank > 0 { add(Int32(index), symbol.costRank, symbol.costWeight) }
            let isClosed = costs[Int32(index)]?.values.contains { abs($0.sum) > max(1e-8, 1e-9 * $0.size) } ?? false
            if !isClosed { open.insert(Int32(index)) }
        }
        return open
    }

    // MARK: - Symbols that are always zero

    /// Makes basic symbols that are always zero nonbasic and removes them.
    private mutating func remove(basics: [Int32]) {
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

    /// Returns the symbols that are positive somewhere on the face.
    private func movingSymbols() -> Set<Int32> {
        var moving = Set(rows.filter { $0.constant > positive }.map(\.basic))
        for symbol in open.sorted() {
            // A row at zero can block the step.
            let isBlocked = rows.contains {
                $0.constant <= positive && $0.entries[symbol, default: 0] < -Self.tolerance
            }
            guard !isBlocked else { continue }
            moving.insert(symbol)
            for row in rows where row.entries[symbol, default: 0] > Self.tolerance { moving.insert(row.basic) }
        }
        // Others, if any, need several steps.
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

    /// Returns how each variable that is not settled moves with the open symbols, each of which is one dimension of the face.
    func directions(_ tableau: borrowing Tableau) -> [Int32: [Int32: Double]] {
        var found: [Int32: [Int32: Double]] = [:]
        var defined: [Int32] = []
        for index in 0..<tableau.store.symbols.count {
            let symbol = tableau.store.symbols[index]
            guard !symbol.isFree, symbol.kind == .variable else { continue }
            // A variable without a definition moves freely.
            if symbol.row < 0 { found[Int32(index)] = [Int32(index): 1] } else { defined.append(Int32(index)) }
        }
        defined.sort { (tableau.store.symbols[$0].order, $0) < (tableau.store.symbols[$1].order, $1) }
        for variable in defined {
            let definition = tableau.store.rows[tableau.store.symbols[variable].row]
            var sum: [Int32: Double] = [:]
            var peaks: [Int32: Double] = [:]
            for place in 0..<Int(definition.count) {
                let entry = definition.entries[place]
                let part: [Int32: Double]? =
                    if tableau.store.symbols[entry.symbol].kind == .variable {
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

    // MARK: - Linear programs on the face

    /// Returns how far a movement in a direction, times a factor, can rise on the face; infinite if unbounded.
    mutating func greatest(_ direction: [Int32: Double], factor: Double) -> Double {
        var objective: [Int32: Double] = [:]
        var height = 0.0
        for (symbol, value) in direction.sorted(by: { $0.key < $1.key }) {
            if open.contains(symbol) {
                objective[symbol, default: 0] += factor * value
            } else if let row = rows.first(where: { $0.basic == symbol }) {
                height += factor * value * row.constant
                for (other, share) in row.entries { objective[other, default: 0] += factor * value * share }
            } else {
                // A variable without a definition.
                return .infinity
            }
        }
        guard let gain = climb(&objective, { _, _ in true }) else { return .infinity }
        return height + gain
    }

    /// The primal simplex method with Bland's rule: maximizes a sum of open symbols.
    ///
    /// - Parameters:
    ///   - objective: the sum, which is updated in terms of the open symbols.
    ///   - body: called after each pivot, and with the symbol of an unbounded ray; returns `false` to stop.
    /// - Returns: the increase of the sum; `nil` if it is unbounded.
    mutating func climb(_ objective: inout [Int32: Double], _ body: (OptimalFace, _ ray: Int32?) -> Bool) -> Double? {
        var gain = 0.0
        // Bland's rule terminates; the budget is a guard against rounding.
        var budget = 1000 + 50 * (rows.count + open.count)
        while budget > 0 {
            budget -= 1
            let rising = objective.filter { $0.value > Self.tolerance * 10 }.keys
            guard let entering = rising.min() else { return gain }
            var leaving: Int?
            var shortest = Double.infinity
            for (place, row) in rows.enumerated() {
                let value = row.entries[entering, default: 0]
                guard value < -Self.tolerance else { continue }
                let step = row.constant / -value
                let isTie = abs(step - shortest) <= 1e-12 * max(1, step)
                if isTie ? leaving.map({ row.basic < rows[$0].basic }) ?? true : step < shortest {
                    leaving = place
                    shortest = min(step, shortest)
                }
            }
            guard let place = leaving else {
                _ = body(self, entering)
                return nil
            }
            let slope = objective[entering, default: 0]
            let basic = rows[place].basic
            pivot(place, entering)
            gain += slope * rows[place].constant
            objective[entering] = nil
            for (symbol, value) in rows[place].entries { objective[symbol, default: 0] += slope * value }
            objective = objective.filter { abs($0.value) > 1e-12 }
            open.remove(entering)
            open.insert(basic)
            guard body(self, nil) else { return gain }
        }
        return gain
    }

    /// Exchanges a row's basic symbol with one of its entries.
    mutating func pivot(_ place: Int, _ entering: Int32) {
        let old = rows[place]
        guard let coefficient = old.entries[entering] else { return }
        var new = Row(basic: entering, constant: -old.constant / coefficient, entries: [old.basic: 1 / coefficient])
        if new.constant < 0 { new.constant = 0 }
        for (symbol, value) in old.entries where symbol != entering { new.entries[symbol] = -value / coefficient }
        rows[place] = new
        for index in rows.indices where index != place {
            guard let factor = rows[index].entries.removeValue(forKey: entering) else { continue }
            rows[index].constant = max(0, rows[index].constant + factor * new.constant)
            for (symbol, value) in new.entries {
                let former = rows[index].entries[symbol, default: 0]
                let sum = former + factor * value
                rows[index].entries[symbol] = abs(sum) <= max(1e-12, 1e-11 * abs(former)) ? nil : sum
            }
        }
    }

    /// Returns the symbol of the largest coefficient, the lowest id among equals.
    static func largest(_ entries: [Int32: Double], above tolerance: Double = tolerance) -> Int32? {
        entries.filter { abs($0.value) > tolerance }
            .min { (-abs($0.value), $0.key) < (-abs($1.value), $1.key) }?.key
    }
}
