extension Tableau {
    /// Starts to record what pivots and shifts change, so that ``undo()`` can take it back.
    mutating func record() {
        journal.removeAll()
        journal.touchedCount = touched.count
        isRecording = true
    }

    /// Ends the recording and keeps what was done.
    mutating func keep() {
        journal.removeAll()
        isRecording = false
    }

    /// Takes back what was done since recording began: every row, reduced cost and value has the bits it had.
    mutating func undo() {
        isRecording = false
        changeStructure()
        while touched.count > journal.touchedCount, let symbol = touched.popLast() { symbols[symbol].isTouched = false }
        while let saved = journal.rows.popLast() {
            rows[saved.row].constant = saved.constant
            guard saved.count >= 0 else { continue }
            let former = rows[saved.row].basic
            if former != saved.basic {
                symbols[former].row = -1
                symbols[saved.basic].row = saved.row
                rows[saved.row].basic = saved.basic
            }
            rows[saved.row].count = 0
            rows[saved.row].reserve(Int(saved.count), from: &entryPool)
            let start = journal.entries.count - Int(saved.count)
            for index in start..<journal.entries.count {
                let entry = journal.entries[index]
                rows[saved.row].append(entry.symbol, entry.value)
                noteColumn(entry.symbol, saved.row)
            }
            journal.entries.truncate(to: start)
        }
        while let symbol = journal.symbols.popLast() {
            let start = journal.costs.count - stride
            for place in 0..<stride { costs[Int(symbol) * stride + place] = journal.costs[start + place] }
            journal.costs.truncate(to: start)
        }
        journal.removeAll()
        infeasible.removeAll()
    }

    /// Saves a restricted row before it changes.
    mutating func save(_ row: Int32) {
        let present = rows[row]
        journal.rows.append(
            SavedRow(row: row, basic: present.basic, count: present.count, constant: present.constant)
        )
        for index in 0..<Int(present.count) { journal.entries.append(present.entries[index]) }
    }

    /// Saves a row's constant before it changes.
    mutating func saveConstant(_ row: Int32) {
        journal.rows.append(SavedRow(row: row, basic: rows[row].basic, count: -1, constant: rows[row].constant))
    }

    /// Saves a symbol's reduced costs before they change.
    mutating func saveCosts(_ symbol: Int32) {
        journal.symbols.append(symbol)
        let start = Int(symbol) * stride
        for place in 0..<stride { journal.costs.append(costs[start + place]) }
    }
}
