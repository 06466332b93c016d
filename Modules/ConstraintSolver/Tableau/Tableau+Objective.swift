extension Tableau {
    // MARK: - Levels

    /// Gives a priority a component of the objective.
    ///
    /// - Returns: the component's place.
    mutating func slot(ofRank rank: Int32) -> Int {
        if slots[rank] >= 0 { return Int(slots[rank]) }
        if ranks.count == stride { dropUnusedRanks() }
        if ranks.count == stride { widen() }
        var place = 0
        while place < ranks.count, ranks[place] > rank { place += 1 }
        ranks.append(0)
        rankUses.append(0)
        var last = ranks.count - 1
        while last > place {
            ranks[last] = ranks[last - 1]
            rankUses[last] = rankUses[last - 1]
            last -= 1
        }
        ranks[place] = rank
        rankUses[place] = 0
        for symbol in 0..<symbols.count {
            let start = symbol * stride
            last = ranks.count - 1
            while last > place {
                costs[start + last] = costs[start + last - 1]
                last -= 1
            }
            costs[start + place] = 0
        }
        for place in 0..<ranks.count { slots[ranks[place]] = Int32(place) }
        return place
    }

    /// Takes back the components of priorities that no constraint has any more.
    private mutating func dropUnusedRanks() {
        var kept = 0
        for place in 0..<ranks.count {
            guard rankUses[place] > 0 else {
                slots[ranks[place]] = -1
                continue
            }
            if kept != place {
                ranks[kept] = ranks[place]
                rankUses[kept] = rankUses[place]
                slots[ranks[kept]] = Int32(kept)
                for symbol in 0..<symbols.count { costs[symbol * stride + kept] = costs[symbol * stride + place] }
            }
            kept += 1
        }
        for place in kept..<max(kept, ranks.count) {
            for symbol in 0..<symbols.count { costs[symbol * stride + place] = 0 }
        }
        ranks.truncate(to: kept)
        rankUses.truncate(to: kept)
    }

    /// Doubles the components reserved for each symbol.
    private mutating func widen() {
        let old = stride
        stride *= 2
        var wider = Buffer<Double>(capacity: symbols.count * stride)
        wider.append(repeating: 0, count: symbols.count * stride)
        for symbol in 0..<symbols.count {
            for place in 0..<old { wider[symbol * stride + place] = costs[symbol * old + place] }
        }
        swap(&wider, &costs)
    }

    // MARK: - Reduced costs

    /// Tells whether a symbol's reduced cost is lexicographically below zero.
    @inline(__always)
    func isNegative(_ symbol: Int32) -> Bool {
        Tableau.isNegative(costs.base + Int(symbol) &* stride, ranks.count)
    }

    /// The same for costs of so many levels.
    @inline(__always)
    static func isNegative(_ costs: UnsafeMutablePointer<Double>, _ levels: Int) -> Bool {
        var place = 0
        while place < levels {
            let cost = costs[place]
            if cost < -Tolerance.cost { return true }
            if cost > Tolerance.cost { return false }
            place &+= 1
        }
        return false
    }

    /// Tells whether the first symbol's reduced cost is lexicographically below the second's, each divided by a
    /// positive number.
    func isLess(_ first: Int32, over firstDivisor: Double, than second: Int32, over secondDivisor: Double) -> Bool {
        let left = costs.base + Int(first) &* stride
        let right = costs.base + Int(second) &* stride
        for place in 0..<ranks.count where left[place] != 0 || right[place] != 0 {
            let difference = left[place] / firstDivisor - right[place] / secondDivisor
            if difference < -Tolerance.cost { return true }
            if difference > Tolerance.cost { return false }
        }
        return false
    }

    /// Adds to one component of a symbol's reduced cost.
    mutating func addCost(_ symbol: Int32, slot: Int, _ amount: Double) {
        let place = Int(symbol) * stride + slot
        costs[place] = Tableau.sum(costs[place], amount)
        noteCandidate(symbol)
    }

    @inline(__always)
    mutating func noteCandidate(_ symbol: Int32) {
        guard !symbols[symbol].isCandidate, isNegative(symbol) else { return }
        symbols[symbol].isCandidate = true
        candidates.append(symbol)
    }

    mutating func clearCost(_ symbol: Int32) {
        let start = Int(symbol) * stride
        for place in 0..<stride { costs[start + place] = 0 }
    }

    /// Adds a multiple of a row to one component of the objective.
    mutating func addRow(_ row: Int32, toSlot slot: Int, times factor: Double) {
        let entries = rows[row].entries
        for place in 0..<Int(rows[row].count) where symbols[entries[place].symbol].kind != .dummy {
            addCost(entries[place].symbol, slot: slot, factor * entries[place].value)
        }
    }

    /// Gives an error symbol its cost, in the row where it is basic or as a nonbasic one.
    mutating func setCost(_ symbol: Int32, rank: Int32, weight: Double) {
        let slot = slot(ofRank: rank)
        rankUses[slot] += 1
        symbols[symbol].costRank = rank
        symbols[symbol].costWeight = weight
        applyCost(symbol, slot: slot, weight)
    }

    /// Takes an error symbol's cost away.
    mutating func dropCost(_ symbol: Int32) {
        let rank = symbols[symbol].costRank
        guard rank > 0 else { return }
        let slot = Int(slots[rank])
        let weight = symbols[symbol].costWeight
        rankUses[slot] -= 1
        symbols[symbol].costRank = 0
        symbols[symbol].costWeight = 0
        applyCost(symbol, slot: slot, -weight)
    }

    mutating func applyCost(_ symbol: Int32, slot: Int, _ weight: Double) {
        let row = symbols[symbol].row
        if row >= 0 {
            addRow(row, toSlot: slot, times: weight)
        } else {
            addCost(symbol, slot: slot, weight)
        }
    }

    /// Computes a nonbasic symbol's reduced cost afresh from the costs of the errors whose rows hold it, so that what
    /// pivots have added up does not decide. The symbol's column must have been gathered.
    mutating func recomputeCost(_ symbol: Int32) {
        clearCost(symbol)
        let start = Int(symbol) &* stride
        if symbols[symbol].costRank > 0 {
            costs[start &+ Int(slots[symbols[symbol].costRank])] = symbols[symbol].costWeight
        }
        for index in 0..<holders.count {
            let basic = rows[holders[index].row].basic
            let rank = symbols[basic].costRank
            guard rank > 0 else { continue }
            let place = start &+ Int(slots[rank])
            costs[place] = Tableau.sum(costs[place], symbols[basic].costWeight * holders[index].value)
        }
    }

    /// Adds two numbers; what is left of a cancellation by rounding alone becomes zero. It is so small only where both are
    /// of the same size, so that one of them is enough to compare with.
    @inline(__always)
    static func sum(_ first: Double, _ second: Double) -> Double {
        let result = first + second
        return abs(result) < Tolerance.relativeDrop * abs(second) ? 0 : result
    }
}
