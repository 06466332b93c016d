/// How far a variable can go within the face.
extension OptimalFace {
    /// How far what moves in a direction, times a factor, can rise on the face; infinite without bound.
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
                // A variable that nothing determines.
                return .infinity
            }
        }
        guard let gain = climb(&objective, { _, _ in true }) else { return .infinity }
        return height + gain
    }

    /// The primal simplex with Bland's rule: raises a sum of open symbols as far as it goes.
    ///
    /// - Parameters:
    ///   - objective: the sum; kept in terms of the open symbols.
    ///   - body: called after each pivot, and with the symbol of a ray that has no end; stops the climb by `false`.
    /// - Returns: by how much it rose; `nil` when there is no end to it.
    mutating func climb(
        _ objective: inout [Int32: Double],
        _ body: (OptimalFace, _ ray: Int32?) -> Bool
    ) -> Double? {
        var gain = 0.0
        // Bland's rule ends; the bound is against rounding.
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
            for (symbol, value) in rows[place].entries {
                objective[symbol, default: 0] += slope * value
            }
            objective = objective.filter { abs($0.value) > 1e-12 }
            open.remove(entering)
            open.insert(basic)
            guard body(self, nil) else { return gain }
        }
        return gain
    }

    /// Exchanges a row's basic symbol for another of its entries.
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

    /// The symbol of the largest coefficient, the lowest among equals.
    static func largest(_ entries: [Int32: Double]) -> Int32? {
        entries.filter { abs($0.value) > tolerance }
            .min { (-abs($0.value), $0.key) < (-abs($1.value), $1.key) }?.key
    }
}
