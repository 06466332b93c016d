extension Tableau {
    /// Finds a preference of the same priority that says the same as the expression that was built: the same row but for
    /// dummies, which are zero. Many views that share a width and each wish for the same one are such.
    ///
    /// On success the owners of the dummies in which both differ stand in `differences`: as long as those constraints stay in
    /// force as they are, both stay the same.
    ///
    /// - Parameters:
    ///   - relation: how the expression relates to zero.
    ///   - rest: its constant.
    ///   - rank: the priority.
    ///   - owner: the constraint it belongs to, which is not its own likeness.
    /// - Returns: a symbol of the preference; -1 when there is none, or none among the first rows looked at.
    mutating func parallelPreference(_ relation: Relation, _ rest: Double, rank: Int32, owner: Int32) -> Int32 {
        var rarest: Int32 = -1
        var restricted = 0
        for index in 0..<gathered.count where symbols[gathered[index]].kind != .dummy {
            restricted += 1
            if rarest < 0 || columns[gathered[index]].count < columns[rarest].count { rarest = gathered[index] }
        }
        guard rarest >= 0 else { return -1 }
        let partner = symbols[rarest].partner
        if restricted == 2, rest == 0, partner >= 0, isAlike(rarest, relation, rank, owner),
            isGathered(rarest, symbols[rarest].share), isGathered(partner, symbols[partner].share)
        {
            listDifferences(row: -1, factor: 1)
            return rarest
        }
        let column = columns[rarest]
        for place in 0..<min(Int(column.count), Tableau.parallelRows) {
            let row = column.rows[place]
            guard isRestricted(row), isAlike(rows[row].basic, relation, rank, owner) else { continue }
            let factor = symbols[rows[row].basic].share
            guard abs(rows[row].constant - factor * rest) <= feasibility, agrees(row, factor, restricted) else {
                continue
            }
            listDifferences(row: row, factor: factor)
            return rows[row].basic
        }
        return -1
    }

    /// How many rows are compared at most, so that a search costs little where there is nothing to find.
    private static var parallelRows: Int { 64 }

    /// Changes how much a preference weighs: by the weight of one that says the same and shares its symbols.
    mutating func addWeight(_ symbol: Int32, _ weight: Double) {
        for side in [symbol, symbols[symbol].partner] where symbols[side].costRank > 0 {
            let slot = Int(slots[symbols[side].costRank])
            rankUses[slot] += weight > 0 ? 1 : -1
            symbols[side].costWeight += weight
            applyCost(side, slot: slot, weight)
        }
    }

    /// Whether a symbol belongs to another preference of the same relation and priority.
    private func isAlike(_ symbol: Int32, _ relation: Relation, _ rank: Int32, _ owner: Int32) -> Bool {
        let partner = symbols[symbol].partner
        guard partner >= 0, symbols[symbol].owner != owner,
            max(symbols[symbol].costRank, symbols[partner].costRank) == rank
        else { return false }
        let slack = symbols[symbol].kind == .slack ? symbol : symbols[partner].kind == .slack ? partner : -1
        switch relation {
        case .equal: return slack < 0
        case .lessThanOrEqual: return slack >= 0 && symbols[slack].share < 0
        case .greaterThanOrEqual: return slack >= 0 && symbols[slack].share > 0
        }
    }

    private func isGathered(_ symbol: Int32, _ value: Double) -> Bool {
        gathered.contains(symbol) && accumulator[symbol] == value
    }

    /// Whether a row, its basic symbol's partner apart, is the gathered expression times a factor, dummies apart.
    private mutating func agrees(_ row: Int32, _ factor: Double, _ restricted: Int) -> Bool {
        let partner = symbols[rows[row].basic].partner
        let present = markGathered()
        var found = 0
        for index in 0..<Int(rows[row].count) {
            let entry = rows[row].entries[index]
            guard entry.symbol != partner, symbols[entry.symbol].kind != .dummy else { continue }
            guard symbols[entry.symbol].stamp == present else { return false }
            let difference = abs(entry.value - factor * accumulator[entry.symbol])
            guard difference <= Tolerance.parallel * abs(entry.value) else { return false }
            found += 1
        }
        return found == restricted
    }

    /// Lists in `differences` the owners of the dummies whose coefficients differ; a row of -1 holds none.
    private mutating func listDifferences(row: Int32, factor: Double) {
        let present = markGathered()
        differences.removeAll()
        if row >= 0 {
            for index in 0..<Int(rows[row].count) {
                let entry = rows[row].entries[index]
                guard symbols[entry.symbol].kind == .dummy else { continue }
                let isMet = symbols[entry.symbol].stamp == present
                if !isMet || abs(entry.value - factor * accumulator[entry.symbol]) > 0 {
                    differences.append(symbols[entry.symbol].owner)
                }
                if isMet { symbols[entry.symbol].stamp = 0 }
            }
        }
        for index in 0..<gathered.count {
            let symbol = gathered[index]
            if symbols[symbol].kind == .dummy, symbols[symbol].stamp == present {
                differences.append(symbols[symbol].owner)
            }
        }
    }

    private mutating func markGathered() -> Int32 {
        let present = nextStamp()
        for index in 0..<gathered.count { symbols[gathered[index]].stamp = present }
        return present
    }
}
