/// The constraints and the values as they stand, read in place: a copy of a record counts references, which costs more than
/// what is looked up.
struct ConstraintReading {
    private let records: UnsafeBufferPointer<Solver.ConstraintRecord>
    private let variables: UnsafeBufferPointer<Solver.VariableRecord>
    private let symbols: UnsafeMutablePointer<Symbol>
    private let rows: UnsafeMutablePointer<Row>

    init(
        _ records: UnsafeBufferPointer<Solver.ConstraintRecord>,
        _ variables: UnsafeBufferPointer<Solver.VariableRecord>,
        _ symbols: UnsafeMutablePointer<Symbol>,
        _ rows: UnsafeMutablePointer<Row>
    ) {
        self.records = records
        self.variables = variables
        self.symbols = symbols
        self.rows = rows
    }

    /// The value of a symbol; a variable's as last evaluated.
    @inline(__always)
    private func value(_ symbol: Int32) -> Double {
        let record = symbols + Int(symbol)
        if record.pointee.kind == .variable { return record.pointee.value }
        return record.pointee.row < 0 ? 0 : rows[Int(record.pointee.row)].constant
    }

    /// The left side of a constraint.
    @inline(__always)
    func leftSide(_ index: Int) -> Double {
        records[index].constraint.terms.withUnsafeBufferPointer { terms in
            var sum = 0.0
            for place in 0..<terms.count {
                let symbol = variables[Int(terms[place].variable.index)].symbol
                sum += terms[place].coefficient * symbols[Int(symbol)].value
            }
            return sum
        }
    }

    /// The difference between a constraint and what the tableau holds of it, its slack and error included.
    @inline(__always)
    func residual(_ index: Int) -> Double {
        let leader = Int(records[index].leader)
        let markers = records[leader < 0 ? index : leader].markers
        guard markers.marker >= 0 else { return 0 }
        let other = markers.other >= 0 ? value(markers.other) : 0
        return records[index].scale * (leftSide(index) - records[index].constraint.constant)
            + markers.sign * (value(markers.marker) - other)
    }

    /// Computes the residual of each constraint in force.
    ///
    /// - Parameter residuals: receives them; room for one of each constraint, in force or not.
    /// - Returns: the largest magnitude.
    func gather(_ residuals: UnsafeMutablePointer<Double>) -> Double {
        var largest = 0.0
        for index in 0..<records.count where records[index].isInForce {
            let residual = residual(index)
            largest = max(largest, abs(residual))
            // A follower has no symbols to correct; its leader's correction is its own.
            residuals[index] = records[index].leader >= 0 ? 0 : residual
        }
        return largest
    }

    /// The largest residual, and by how much slacks and errors are below zero where that is more.
    func worst() -> Double {
        var largest = 0.0
        for index in 0..<records.count where records[index].isInForce {
            largest = max(largest, abs(residual(index)))
            let markers = records[index].markers
            guard markers.marker >= 0 else { continue }
            let other = markers.other >= 0 ? value(markers.other) : 0
            largest = max(largest, -value(markers.marker), -other)
        }
        return largest
    }
}

extension Solver {
    /// Reads constraints and values in place.
    func reading<Result>(_ body: (ConstraintReading) -> Result) -> Result {
        let symbols = tableau.symbols.base
        let rows = tableau.rows.base
        return constraints.withUnsafeBufferPointer { records in
            variables.withUnsafeBufferPointer { variables in
                body(ConstraintReading(records, variables, symbols, rows))
            }
        }
    }
}
