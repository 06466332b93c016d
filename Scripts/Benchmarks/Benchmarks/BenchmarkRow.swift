import EssentialFoundation

/// A figure of a benchmark.
struct BenchmarkRow: Encodable, Sendable {
    /// The area, as on the command line.
    var area: String
    /// The name of the figure.
    var name: String
    /// The figure, or `nil` if it could not be measured; `against` has the reason.
    var value: Double?
    /// The unit of `value`: "x" for a ratio, "instructions", "ms" and so on.
    var unit: String
    /// The peer and its value, or the missing peer.
    var against: String
    /// The target, such as "<= 1.05", or `nil` if there is none.
    var target: String?
    /// Whether the target is met, or `nil` if nothing could be compared.
    var holds: Bool?

    private enum CodingKeys: String, CodingKey {
        case area, name, value, unit, against, target, holds
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(area, forKey: .area)
        try container.encode(name, forKey: .name)
        // Nulls are written, so that every row has the same members.
        try container.encode(value, forKey: .value)
        try container.encode(unit, forKey: .unit)
        try container.encode(against, forKey: .against)
        try container.encode(target, forKey: .target)
        try container.encode(holds, forKey: .holds)
    }

    /// Creates a row whose target is an upper bound, a lower bound or none.
    init(
        _ area: String,
        _ name: String,
        _ value: Double?,
        _ unit: String,
        atMost upper: Double? = nil,
        atLeast lower: Double? = nil,
        against: String
    ) {
        (self.area, self.name, self.value, self.unit, self.against) = (area, name, value, unit, against)
        target = upper.map { "<= \($0.brief)" } ?? lower.map { ">= \($0.brief)" }
        guard let value, target != nil else { return }
        holds = value <= upper ?? .infinity && value >= lower ?? -.infinity
    }
}

extension Double {
    /// The number with at most four significant digits and no exponent.
    var brief: String {
        guard isFinite else { return "\(self)" }
        if self == rounded(), magnitude < 1e15 { return "\(Int64(self))" }
        var scale = 1.0
        while (magnitude * scale) < 1000, scale < 1e6 { scale *= 10 }
        let value = (self * scale).rounded() / scale
        return value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
    }
}

/// A table of rows as text.
struct BenchmarkTable {
    var rows: [BenchmarkRow]

    /// The table without a final line break.
    var text: String {
        var lines = [["area", "figure", "value", "unit", "target", "holds", "against"]]
        lines += rows.map { row in
            [
                row.area, row.name, row.value?.brief ?? "-", row.unit, row.target ?? "-",
                row.holds.map { $0 ? "yes" : "NO" } ?? (row.value == nil ? "MISSING" : "-"), row.against,
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
