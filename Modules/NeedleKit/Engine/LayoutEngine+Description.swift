internal import ConstraintSolver

extension LayoutEngine: @MainActor CustomStringConvertible {
    /// The tree as text: one item a line, indented, with its frame and the constraints made on it.
    public var description: String {
        guard let rootRecord else { return "empty layout" }
        var lines: [String] = []
        describe(rootRecord, &lines)
        return lines.joined(separator: "\n")
    }

    private func describe(_ record: ItemRecord, _ lines: inout [String]) {
        let indent = String(repeating: "  ", count: record.depth)
        let frame = record.frame.map { "\($0)" } ?? "not laid out"
        lines.append("\(indent)\(record.displayName) \(frame)")
        for constraint in record.node?.constraints ?? [] {
            lines.append("\(indent)  | \(constraint.source)\(note(constraint))")
        }
        for child in record.children { describe(child, &lines) }
    }

    private func note(_ constraint: Constraint) -> String {
        guard constraint.isActive else { return ", inactive" }
        guard constraint.backend === self, constraint.place >= 0, let record = constraintRecords[constraint.place]
        else { return ", not entered" }
        switch record.state {
        case .inForce:
            guard let id = record.id, let violation = try? solver.violation(of: id), violation > 1e-6 else { return "" }
            return ", violated by \(Constraint.text(Double(Int(min(violation, 1e12) * 1000 + 0.5)) / 1000))"
        case .waiting: return ", waiting"
        case .dropped: return ", left out: conflict"
        case .refused: return ", left out: refused"
        case .resting: return ", resting: collapsed"
        case .removed: return ""
        }
    }
}
