/// The search for preferences of the same priority that state the same: the same row except for dummies, which are zero.
/// Many views that share a width and each prefer the same one are an example: without this search, each resize of a thousand
/// such views pivots through all preferences and takes seconds instead of a tenth of a millisecond.
struct ParallelPreferences: ~Copyable {
    /// The owners of the dummies in which the two preferences found last differ: while those constraints stay active and
    /// unchanged, both preferences state the same.
    private(set) var differences = Buffer<Int32>()

    /// The largest number of rows that are compared, so that a search without success costs little.
    private static var mostRows: Int { 64 }

    init() {}

    /// Finds a preference that states the same as an expression, and lists in ``differences`` what that depends on.
    ///
    /// - Parameters:
    ///   - relation: how the expression relates to zero.
    ///   - rest: its constant.
    ///   - rank: the rank of its priority.
    ///   - owner: the constraint it belongs to, which does not count as another one.
    ///   - expression: its symbols.
    ///   - store: the rows to search.
    /// - Returns: a symbol of the preference; -1 if the compared rows contain no such preference.
    mutating func find(
        _ relation: Relation,
        _ rest: Double,
        rank: Int32,
        owner: Int32,
        _ expression: inout ExpressionBuilder,
        _ store: inout RowStore
    ) -> Int32 {
        var rarest: Int32 = -1
        var fewest = Int32.max
        var restricted = 0
        for index in 0..<expression.symbols.count {
            let symbol = expression.symbols[index]
            guard store.symbols[symbol].kind != .dummy else { continue }
            restricted += 1
            let count = store.columns[symbol].count
            guard count < fewest else { continue }
            rarest = symbol
            fewest = count
        }
        guard rarest >= 0 else { return -1 }
        let partner = store.symbols[rarest].partner
        if restricted == 2, rest == 0, partner >= 0, isSimilar(rarest, relation, rank, owner, &store),
            contains(rarest, store.symbols[rarest].share, &expression),
            contains(partner, store.symbols[partner].share, &expression)
        {
            listDifferences(row: -1, factor: 1, &expression, &store)
            return rarest
        }
        let column = store.columns[rarest]
        for place in 0..<min(Int(column.count), ParallelPreferences.mostRows) {
            let row = column.rows[place]
            guard store.isRestricted(row), isSimilar(store.rows[row].basic, relation, rank, owner, &store) else {
                continue
            }
            let factor = store.symbols[store.rows[row].basic].share
            guard abs(store.rows[row].constant - factor * rest) <= store.feasibility,
                isEqual(row, factor, restricted, &expression, &store)
            else { continue }
            listDifferences(row: row, factor: factor, &expression, &store)
            return store.rows[row].basic
        }
        return -1
    }

    /// Whether a symbol belongs to another preference of the same relation and priority.
    private func isSimilar(
        _ symbol: Int32,
        _ relation: Relation,
        _ rank: Int32,
        _ owner: Int32,
        _ store: inout RowStore
    ) -> Bool {
        let own = store.symbols[symbol]
        guard own.partner >= 0, own.owner != owner else { return false }
        let partner = store.symbols[own.partner]
        guard max(own.costRank, partner.costRank) == rank else { return false }
        let slackShare = own.kind == .slack ? own.share : partner.kind == .slack ? partner.share : 0
        switch relation {
        case .equal: return slackShare == 0
        case .lessThanOrEqual: return slackShare < 0
        case .greaterThanOrEqual: return slackShare > 0
        }
    }

    private func contains(_ symbol: Int32, _ value: Double, _ expression: inout ExpressionBuilder) -> Bool {
        expression.symbols.contains(symbol) && expression.coefficient(of: symbol) == value
    }

    /// Whether a row, without its basic symbol's partner, is the expression times a factor, except for dummies.
    private func isEqual(
        _ row: Int32,
        _ factor: Double,
        _ restricted: Int,
        _ expression: inout ExpressionBuilder,
        _ store: inout RowStore
    ) -> Bool {
        let partner = store.symbols[store.rows[row].basic].partner
        let present = mark(&expression, &store)
        var found = 0
        for index in 0..<Int(store.rows[row].count) {
            let entry = store.rows[row].entries[index]
            guard entry.symbol != partner, store.symbols[entry.symbol].kind != .dummy else { continue }
            guard store.symbols[entry.symbol].stamp == present else { return false }
            let difference = abs(entry.value - factor * expression.coefficient(of: entry.symbol))
            guard difference <= Tolerance.parallel * abs(entry.value) else { return false }
            found += 1
        }
        return found == restricted
    }

    /// Lists the owners of the dummies whose coefficients differ; a row of -1 holds none.
    private mutating func listDifferences(
        row: Int32,
        factor: Double,
        _ expression: inout ExpressionBuilder,
        _ store: inout RowStore
    ) {
        let present = mark(&expression, &store)
        differences.removeAll()
        if row >= 0 {
            for index in 0..<Int(store.rows[row].count) {
                let entry = store.rows[row].entries[index]
                guard store.symbols[entry.symbol].kind == .dummy else { continue }
                let isShared = store.symbols[entry.symbol].stamp == present
                if !isShared || abs(entry.value - factor * expression.coefficient(of: entry.symbol)) > 0 {
                    differences.append(store.symbols[entry.symbol].owner)
                }
                if isShared { store.symbols[entry.symbol].stamp = 0 }
            }
        }
        for index in 0..<expression.symbols.count {
            let symbol = expression.symbols[index]
            if store.symbols[symbol].kind == .dummy, store.symbols[symbol].stamp == present {
                differences.append(store.symbols[symbol].owner)
            }
        }
    }

    private func mark(_ expression: inout ExpressionBuilder, _ store: inout RowStore) -> Int32 {
        let present = store.nextStamp()
        for index in 0..<expression.symbols.count { store.symbols[expression.symbols[index]].stamp = present }
        return present
    }
}
