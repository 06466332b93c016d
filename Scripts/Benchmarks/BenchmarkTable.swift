/// Rows as a table for people.
struct BenchmarkTable {
    var rows: [BenchmarkRow]

    /// The table, without a line break at its end.
    var text: String {
        var lines = [["area", "figure", "value", "unit", "target", "holds", "against"]]
        lines += rows.map { row in
            [
                row.area, row.name, row.value?.brief ?? "-", row.unit, row.target ?? "-",
                row.holds.map { $0 ? "yes" : "NO" } ?? "-", row.against,
            ]
        }
        let widths = lines[0].indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        return lines.map { line in
            zip(line, widths).enumerated().map { index, cell in
                index == line.count - 1
                    ? cell.0 : cell.0 + String(repeating: " ", count: cell.1 - cell.0.count)
            }
            .joined(separator: "  ")
        }
        .joined(separator: "\n")
    }
}
