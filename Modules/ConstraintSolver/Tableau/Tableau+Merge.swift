extension Tableau {
    /// Adds `factor` times the row `source` to the row `target`, without the symbol `eliminated`, which the source
    /// stands for. Both are sorted and merged linearly.
    mutating func merge(into target: Int32, factor: Double, source: Int32, eliminating eliminated: Int32) {
        changeStructure()
        let isDefinition = isDefinition(target)
        if isDefinition { structure += 1 }
        var left = rows[target].entries
        var right = rows[source].entries
        let leftEnd = left + Int(rows[target].count)
        let rightEnd = right + Int(rows[source].count)
        scratch.reserve(Int(rows[target].count &+ rows[source].count), from: &entryPool)
        var result = scratch.entries
        while left < leftEnd, right < rightEnd {
            let symbol = left.pointee.symbol
            if symbol == right.pointee.symbol {
                let value = Tableau.sum(left.pointee.value, factor * right.pointee.value)
                left += 1
                right += 1
                if abs(value) > Tolerance.absoluteDrop {
                    result.pointee = Entry(symbol: symbol, value: value)
                    result += 1
                }
            } else if symbol < right.pointee.symbol {
                if symbol != eliminated {
                    result.pointee = left.pointee
                    result += 1
                }
                left += 1
            } else {
                fill(&result, right.pointee, factor, target, isDefinition)
                right += 1
            }
        }
        while left < leftEnd {
            if left.pointee.symbol != eliminated {
                result.pointee = left.pointee
                result += 1
            }
            left += 1
        }
        while right < rightEnd {
            fill(&result, right.pointee, factor, target, isDefinition)
            right += 1
        }
        let count = result - scratch.entries
        effort &+= count
        scratch.count = Int32(truncatingIfNeeded: count)
        scratch.basic = rows[target].basic
        scratch.stamp = rows[target].stamp
        scratch.constant = rows[target].constant + factor * rows[source].constant
        if abs(scratch.constant) > Tolerance.growth * magnitude { isSuspect = true }
        swap(&rows[target], &scratch)
    }

    /// Appends a multiple of an entry that the target lacked.
    @inline(__always)
    private mutating func fill(
        _ result: inout UnsafeMutablePointer<Entry>,
        _ entry: Entry,
        _ factor: Double,
        _ target: Int32,
        _ isDefinition: Bool
    ) {
        let value = factor * entry.value
        guard abs(value) > Tolerance.absoluteDrop else { return }
        result.pointee = Entry(symbol: entry.symbol, value: value)
        result += 1
        if isDefinition { noteUse(entry.symbol, target) } else { noteColumn(entry.symbol, target) }
    }
}
