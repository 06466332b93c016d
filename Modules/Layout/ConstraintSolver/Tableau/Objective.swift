/// The objective: a vector of reduced costs for each symbol, with a component for each priority in use, compared
/// lexicographically.
///
/// Invariants:
/// - ``levels`` are in descending order, and every priority with a cost has one.
/// - Each symbol has ``stride`` costs, those after the last level being zero; basic symbols have zeros only.
/// - A nonbasic symbol with a negative reduced cost is in ``candidates``, which may also contain others, unless
///   ``isDoubtful``.
///
/// The costs of dummies are not maintained, since a dummy never enters the basis to lower the objective.
struct Objective: ~Copyable {
    /// The ranks of the priorities that have a component, in descending order.
    private(set) var levels = Buffer<Int32>(capacity: 8)
    /// The number of constraints with a cost at each level.
    private var levelUses = Buffer<Int32>(capacity: 8)
    /// For each priority's rank its level, or -1.
    private var levelOfRank = Buffer<Int32>(capacity: Priority.requiredRank + 1)
    /// The components reserved for each symbol.
    private(set) var stride = 4
    /// The reduced costs, ``stride`` for each symbol.
    private(set) var costs = Buffer<Double>(capacity: 256)
    /// Nonbasic symbols whose reduced cost was seen below zero.
    private(set) var candidates = Buffer<Int32>()
    /// Whether a reduced cost was seen that is positive by so little that it may be rounding, and hide a candidate.
    var isDoubtful = false
    /// Whether no symbol is a candidate, or may be one.
    var isSettled: Bool { candidates.isEmpty && !isDoubtful }

    init() { levelOfRank.append(repeating: -1, count: Priority.requiredRank + 1) }

    /// Creates an objective whose later behavior is the same to the bit.
    init(copying other: borrowing Objective) {
        levels = Buffer(copying: other.levels)
        levelUses = Buffer(copying: other.levelUses)
        levelOfRank = Buffer(copying: other.levelOfRank)
        stride = other.stride
        costs = Buffer(copying: other.costs)
        candidates = Buffer(copying: other.candidates)
        isDoubtful = other.isDoubtful
    }

    /// Adds the costs of a new symbol, all zero.
    mutating func addSymbol(_ symbol: Int32) {
        if Int(symbol) * stride == costs.count { costs.append(repeating: 0, count: stride) }
    }

    // MARK: - Levels

    /// Returns the level of a priority's rank, and creates it if necessary.
    @inline(__always) private mutating func level(ofRank rank: Int32) -> Int {
        levelOfRank[rank] >= 0 ? Int(levelOfRank[rank]) : insertLevel(ofRank: rank)
    }

    @inline(never) private mutating func insertLevel(ofRank rank: Int32) -> Int {
        if levels.count == stride { removeUnusedLevels() }
        if levels.count == stride { widen() }
        var place = 0
        while place < levels.count, levels[place] > rank { place += 1 }
        levels.append(0)
        levelUses.append(0)
        var last = levels.count - 1
        while last > place {
            levels[last] = levels[last - 1]
            levelUses[last] = levelUses[last - 1]
            last -= 1
        }
        levels[place] = rank
        levelUses[place] = 0
        for symbol in 0..<costs.count / stride {
            let start = symbol * stride
            last = levels.count - 1
            while last > place {
                costs[start + last] = costs[start + last - 1]
                last -= 1
            }
            costs[start + place] = 0
        }
        for place in 0..<levels.count { levelOfRank[levels[place]] = Int32(place) }
        return place
    }

    /// Removes the levels of priorities that no constraint has any longer.
    private mutating func removeUnusedLevels() {
        var remaining = 0
        for place in 0..<levels.count {
            guard levelUses[place] > 0 else {
                levelOfRank[levels[place]] = -1
                continue
            }
            if remaining != place {
                levels[remaining] = levels[place]
                levelUses[remaining] = levelUses[place]
                levelOfRank[levels[remaining]] = Int32(remaining)
                for start in Swift.stride(from: 0, to: costs.count, by: stride) {
                    costs[start + remaining] = costs[start + place]
                }
            }
            remaining += 1
        }
        for place in remaining..<max(remaining, levels.count) {
            for start in Swift.stride(from: 0, to: costs.count, by: stride) { costs[start + place] = 0 }
        }
        levels.truncate(to: remaining)
        levelUses.truncate(to: remaining)
    }

    /// Doubles the components reserved for each symbol.
    private mutating func widen() {
        let symbolCount = costs.count / stride
        var wider = Buffer<Double>(capacity: symbolCount * stride * 2)
        wider.append(repeating: 0, count: symbolCount * stride * 2)
        for symbol in 0..<symbolCount {
            for place in 0..<stride { wider[symbol * stride * 2 + place] = costs[symbol * stride + place] }
        }
        stride *= 2
        swap(&wider, &costs)
    }

    // MARK: - Comparisons

    /// Whether a symbol's reduced cost is lexicographically below zero.
    @inline(__always) func isNegative(_ symbol: Int32) -> Bool {
        let costs = costs.base + Int(symbol) &* stride
        for place in 0..<levels.count {
            if costs[place] < -Tolerance.cost { return true }
            if costs[place] > Tolerance.cost { return false }
        }
        return false
    }

    /// Whether the first symbol's reduced cost is lexicographically below the second's.
    private func isLess(_ first: Int32, than second: Int32) -> Bool {
        let left = costs.base + Int(first) &* stride
        let right = costs.base + Int(second) &* stride
        for place in 0..<levels.count where left[place] != 0 || right[place] != 0 {
            let difference = left[place] - right[place]
            if difference < -Tolerance.cost { return true }
            if difference > Tolerance.cost { return false }
        }
        return false
    }

    /// Whether a symbol's reduced cost is not zero, so that the objective changes when it enters the basis.
    func hasCost(_ symbol: Int32) -> Bool {
        let start = Int(symbol) &* stride
        for place in 0..<levels.count where abs(costs[start &+ place]) > Tolerance.cost { return true }
        return false
    }

    /// Returns the candidate with the lowest reduced cost, or with the lowest id, and removes from the list what is no
    /// longer a candidate; ties are broken by the lowest id.
    ///
    /// - Returns: the symbol, or -1 if the objective is optimal.
    mutating func chooseCandidate(byLowestID: Bool, _ store: inout RowStore) -> Int32 {
        var best: Int32 = -1
        var index = 0
        var count = candidates.count
        while index < count {
            let symbol = candidates[index]
            if store.symbols[symbol].isFree || store.symbols[symbol].row >= 0
                || store.symbols[symbol].kind == .dummy || !isNegative(symbol)
            {
                store.symbols[symbol].isCandidate = false
                count -= 1
                candidates[index] = candidates[count]
                continue
            }
            if best < 0 {
                best = symbol
            } else if byLowestID {
                best = min(best, symbol)
            } else if isLess(symbol, than: best) {
                best = symbol
            } else if symbol < best, !isLess(best, than: symbol) {
                best = symbol
            }
            index += 1
        }
        candidates.truncate(to: count)
        return best
    }

    // MARK: - Changes of costs

    @inline(__always) private mutating func noteCandidate(_ symbol: Int32, _ store: inout RowStore) {
        guard !store.symbols[symbol].isCandidate else { return }
        var place = Int(symbol) &* stride
        let end = place &+ levels.count
        while place < end {
            let cost = costs[place]
            if cost < -Tolerance.cost {
                store.symbols[symbol].isCandidate = true
                candidates.append(symbol)
                return
            }
            if cost > Tolerance.cost {
                if cost < Tolerance.certainCost { isDoubtful = true }
                return
            }
            place &+= 1
        }
    }

    private mutating func addCost(_ symbol: Int32, level: Int, _ amount: Double, _ store: inout RowStore) {
        let place = Int(symbol) * stride + level
        costs[place] = RowStore.sum(costs[place], amount)
        noteCandidate(symbol, &store)
    }

    mutating func clearCost(_ symbol: Int32) {
        let start = Int(symbol) * stride
        for place in 0..<stride { costs[start + place] = 0 }
    }

    /// Sets a symbol's costs that are closer to zero than a bound to zero.
    mutating func dropCosts(of symbol: Int32, below bound: Double) {
        let start = Int(symbol) * stride
        for place in 0..<levels.count where abs(costs[start + place]) < bound { costs[start + place] = 0 }
    }

    /// Restores the saved costs of a symbol.
    mutating func restore(_ symbol: Int32, _ saved: UnsafeMutablePointer<Double>) {
        for place in 0..<stride { costs[Int(symbol) * stride + place] = saved[place] }
    }

    /// Sets an error symbol's cost, whether it is basic or not.
    mutating func setCost(_ symbol: Int32, rank: Int32, weight: Double, _ store: inout RowStore) {
        let level = level(ofRank: rank)
        levelUses[level] += 1
        store.symbols[symbol].costRank = rank
        store.symbols[symbol].costWeight = weight
        addWeightedCost(symbol, level: level, weight, &store)
    }

    /// Removes an error symbol's cost.
    mutating func removeCost(_ symbol: Int32, _ store: inout RowStore) {
        let rank = store.symbols[symbol].costRank
        guard rank > 0 else { return }
        let level = Int(levelOfRank[rank])
        let weight = store.symbols[symbol].costWeight
        levelUses[level] -= 1
        store.symbols[symbol].costRank = 0
        store.symbols[symbol].costWeight = 0
        addWeightedCost(symbol, level: level, -weight, &store)
    }

    /// Changes the weight of a preference by that of another one which shares its symbols.
    ///
    /// - Parameters:
    ///   - symbol: one of the preference's symbols.
    ///   - weight: the other's weight; negative when it leaves.
    ///   - store: the rows.
    mutating func addWeight(_ symbol: Int32, _ weight: Double, _ store: inout RowStore) {
        for side in [symbol, store.symbols[symbol].partner] where store.symbols[side].costRank > 0 {
            let level = Int(levelOfRank[store.symbols[side].costRank])
            levelUses[level] += weight > 0 ? 1 : -1
            store.symbols[side].costWeight += weight
            addWeightedCost(side, level: level, weight, &store)
        }
    }

    private mutating func addWeightedCost(_ symbol: Int32, level: Int, _ weight: Double, _ store: inout RowStore) {
        let row = store.symbols[symbol].row
        guard row >= 0 else { return addCost(symbol, level: level, weight, &store) }
        let entries = store.rows[row].entries
        for place in 0..<Int(store.rows[row].count) where store.symbols[entries[place].symbol].kind != .dummy {
            addCost(entries[place].symbol, level: level, weight * entries[place].value, &store)
        }
    }

    /// Computes a nonbasic symbol's reduced cost from the costs of the errors whose rows hold it, so that the rounding of
    /// many pivots does not decide. The symbol's column must have been gathered.
    mutating func recomputeCost(_ symbol: Int32, _ store: inout RowStore) {
        clearCost(symbol)
        let start = Int(symbol) &* stride
        if store.symbols[symbol].costRank > 0 {
            costs[start &+ Int(levelOfRank[store.symbols[symbol].costRank])] = store.symbols[symbol].costWeight
        }
        for index in 0..<store.holders.count {
            let basic = store.rows[store.holders[index].row].basic
            let rank = store.symbols[basic].costRank
            guard rank > 0 else { continue }
            let place = start &+ Int(levelOfRank[rank])
            costs[place] = RowStore.sum(costs[place], store.symbols[basic].costWeight * store.holders[index].value)
        }
    }

    /// Computes the reduced costs of all symbols from the rows, without those that may be rounding, so that the rounding of
    /// many pivots does not decide which of them are candidates.
    mutating func recomputeCosts(_ store: inout RowStore) {
        for place in 0..<costs.count { costs[place] = 0 }
        for symbol in 0..<Int32(store.symbols.count) where store.symbols[symbol].costRank > 0 {
            let level = Int(levelOfRank[store.symbols[symbol].costRank])
            addWeightedCost(symbol, level: level, store.symbols[symbol].costWeight, &store)
        }
        for symbol in 0..<Int32(store.symbols.count) where store.symbols[symbol].row < 0 {
            dropCosts(of: symbol, below: Tolerance.certainCost)
            noteCandidate(symbol, &store)
        }
        isDoubtful = false
    }

    /// Substitutes a row for its basic symbol, which has just entered the basis.
    mutating func substitute(_ symbol: Int32, row: Int32, _ store: inout RowStore, _ log: inout UndoLog) {
        let start = Int(symbol) &* stride
        var low = 0
        var high = levels.count
        while low < high, costs[start &+ low] == 0 { low &+= 1 }
        while high > low, costs[start &+ high &- 1] == 0 { high &-= 1 }
        guard low < high else { return }
        if log.isRecording { save(symbol, row: row, &store, &log) }
        if low &+ 1 == high {
            substituteInLevel(low, symbol, row, &store)
        } else {
            substituteInLevels(low, high, symbol, row, &store)
        }
    }

    /// Saves the costs that a substitution changes.
    private mutating func save(_ symbol: Int32, row: Int32, _ store: inout RowStore, _ log: inout UndoLog) {
        log.saveCosts(symbol, costs(of: symbol))
        let entries = store.rows[row].entries
        for index in 0..<Int(store.rows[row].count) where store.symbols[entries[index].symbol].kind != .dummy {
            log.saveCosts(entries[index].symbol, costs(of: entries[index].symbol))
        }
    }

    @inline(__always) private func costs(of symbol: Int32) -> UnsafeBufferPointer<Double> {
        UnsafeBufferPointer(start: costs.base + Int(symbol) &* stride, count: stride)
    }

    /// Substitutes for a symbol that has a reduced cost at one level only.
    private mutating func substituteInLevel(_ level: Int, _ symbol: Int32, _ row: Int32, _ store: inout RowStore) {
        let stride = stride
        let costs = costs.base + level
        let all = store.symbols.base
        let first = costs[Int(symbol) &* stride]
        var entry = store.rows[row].entries
        let end = entry + Int(store.rows[row].count)
        while entry < end {
            let other = Int(entry.pointee.symbol)
            let amount = entry.pointee.value * first
            entry += 1
            if all[other].kind == .dummy { continue }
            let target = costs + other &* stride
            let cost = RowStore.sum(target.pointee, amount)
            target.pointee = cost
            // A cost that is certainly positive makes no new candidate.
            if cost <= Tolerance.certainCost { noteCandidate(Int32(truncatingIfNeeded: other), &store) }
        }
        costs[Int(symbol) &* stride] = 0
    }

    private mutating func substituteInLevels(
        _ low: Int,
        _ high: Int,
        _ symbol: Int32,
        _ row: Int32,
        _ store: inout RowStore
    ) {
        let stride = stride
        let costs = costs.base
        let all = store.symbols.base
        let own = costs + Int(symbol) &* stride
        var entry = store.rows[row].entries
        let end = entry + Int(store.rows[row].count)
        while entry < end {
            let other = Int(entry.pointee.symbol)
            let factor = entry.pointee.value
            entry += 1
            if all[other].kind == .dummy { continue }
            let target = costs + other &* stride
            var place = low
            while place < high {
                target[place] = RowStore.sum(target[place], factor * own[place])
                place &+= 1
            }
            noteCandidate(Int32(truncatingIfNeeded: other), &store)
        }
        var place = low
        while place < high {
            own[place] = 0
            place &+= 1
        }
    }
}
