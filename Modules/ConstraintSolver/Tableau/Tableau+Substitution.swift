extension Tableau {
    /// Replaces a symbol that became basic by its row in the objective.
    mutating func substituteInObjective(_ symbol: Int32, row: Int32) {
        let start = Int(symbol) &* stride
        var low = 0
        var high = ranks.count
        while low < high, costs[start &+ low] == 0 { low &+= 1 }
        while high > low, costs[start &+ high &- 1] == 0 { high &-= 1 }
        guard low < high else { return }
        if isRecording {
            saveCosts(symbol)
            for index in 0..<Int(rows[row].count) where symbols[rows[row].entries[index].symbol].kind != .dummy {
                saveCosts(rows[row].entries[index].symbol)
            }
        }
        if low &+ 1 == high {
            substituteInLevel(low, symbol, row)
        } else {
            substituteInLevels(low, high, symbol, row)
        }
    }

    /// The same for a symbol that has a reduced cost in one level only.
    private mutating func substituteInLevel(_ level: Int, _ symbol: Int32, _ row: Int32) {
        let stride = stride
        let costs = costs.base + level
        let all = symbols.base
        let first = costs[Int(symbol) &* stride]
        var entry = rows[row].entries
        let end = entry + Int(rows[row].count)
        while entry < end {
            let other = Int(entry.pointee.symbol)
            let amount = entry.pointee.value * first
            entry += 1
            if all[other].kind == .dummy { continue }
            let target = costs + other &* stride
            let cost = Tableau.sum(target.pointee, amount)
            target.pointee = cost
            // What did not fall, or is above zero still, is no candidate unless it was one already.
            if amount < 0, cost <= Tolerance.cost { noteCandidate(Int32(truncatingIfNeeded: other)) }
        }
        costs[Int(symbol) &* stride] = 0
    }

    private mutating func substituteInLevels(_ low: Int, _ high: Int, _ symbol: Int32, _ row: Int32) {
        let stride = stride
        let costs = costs.base
        let all = symbols.base
        let levels = ranks.count
        let own = costs + Int(symbol) &* stride
        var entry = rows[row].entries
        let end = entry + Int(rows[row].count)
        while entry < end {
            let other = Int(entry.pointee.symbol)
            let factor = entry.pointee.value
            entry += 1
            if all[other].kind == .dummy { continue }
            let target = costs + other &* stride
            var place = low
            while place < high {
                target[place] = Tableau.sum(target[place], factor * own[place])
                place &+= 1
            }
            guard Tableau.isNegative(target, levels), !all[other].isCandidate else { continue }
            all[other].isCandidate = true
            candidates.append(Int32(truncatingIfNeeded: other))
        }
        var place = low
        while place < high {
            own[place] = 0
            place &+= 1
        }
    }
}
