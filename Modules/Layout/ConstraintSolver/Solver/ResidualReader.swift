/// A view of the constraints and their values without copies: a copy of a record counts references, which costs more than
/// the lookup.
struct ResidualReader {
    private let records: UnsafeBufferPointer<ConstraintTable.Record>
    private let variables: UnsafeBufferPointer<VariableTable.Record>
    private let symbols: UnsafeMutablePointer<Symbol>
    private let rows: UnsafeMutablePointer<Row>

    /// Calls a closure with a reader that is valid until it returns.
    static func read<Result>(
        _ constraints: ConstraintTable,
        _ variables: VariableTable,
        _ store: borrowing RowStore,
        _ body: (ResidualReader) -> Result
    ) -> Result {
        let symbols = store.symbols.base
        let rows = store.rows.base
        return constraints.records.withUnsafeBufferPointer { records in
            variables.records.withUnsafeBufferPointer { variables in
                body(ResidualReader(records: records, variables: variables, symbols: symbols, rows: rows))
            }
        }
    }

    /// Returns the value of a marker, which is no variable.
    @inline(__always) private func value(_ marker: Int32) -> Double {
        let row = symbols[Int(marker)].row
        return row < 0 ? 0 : rows[Int(row)].constant
    }

    /// Returns the value of a constraint's left side.
    @inline(__always) func leftSide(_ index: Int) -> Double {
        records[index].constraint.terms.withUnsafeBufferPointer { terms in
            var sum = 0.0
            for place in 0..<terms.count {
                let symbol = variables[Int(terms[place].variable.index)].symbol
                sum += terms[place].coefficient * symbols[Int(symbol)].value
            }
            return sum
        }
    }

    /// Returns the difference between a constraint and its form in the tableau, including slack and errors.
    @inline(__always) private func residual(_ index: Int) -> Double {
        let leader = Int(records[index].leader)
        let markers = records[leader < 0 ? index : leader].markers
        guard markers.marker >= 0 else { return 0 }
        let other = markers.other >= 0 ? value(markers.other) : 0
        return records[index].scale * (leftSide(index) - records[index].constraint.constant)
            + markers.sign * (value(markers.marker) - other)
    }

    /// Computes the residual of each active constraint, by its index. Returns the largest magnitude.
    func collect(_ residuals: UnsafeMutablePointer<Double>) -> Double {
        var largest = 0.0
        for index in 0..<records.count where records[index].isActive {
            let residual = residual(index)
            largest = max(largest, abs(residual))
            // A follower has no symbols to correct; the correction of its leader applies to it.
            residuals[index] = records[index].leader >= 0 ? 0 : residual
        }
        return largest
    }

    /// Returns the largest residual, or the largest amount by which a slack or error is below zero if that is more.
    func worst() -> Double {
        var largest = 0.0
        for index in 0..<records.count where records[index].isActive {
            largest = max(largest, abs(residual(index)))
            let markers = records[index].markers
            guard markers.marker >= 0 else { continue }
            let other = markers.other >= 0 ? value(markers.other) : 0
            largest = max(largest, -value(markers.marker), -other)
        }
        return largest
    }
}
