#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One figure.
struct BenchmarkRow: Encodable, Sendable {
    /// The area, as on the command line.
    var area: String
    /// What was measured.
    var name: String
    /// The figure; nil when it could not be had (then `against` says why).
    var value: Double?
    /// The unit of `value`: "x" for a ratio, "instructions", "ms" and so on.
    var unit: String
    /// What it is compared with, or which peer is missing.
    var against: String
    /// The target in words a person reads, as "<= 1.05"; nil where there is none.
    var target: String?
    /// Whether the target is met; nil where nothing could be compared.
    var holds: Bool?

    private enum CodingKeys: String, CodingKey {
        case area, name, value, unit, against, target, holds
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(area, forKey: .area)
        try container.encode(name, forKey: .name)
        // Nulls are written out, so that every row has the same fields.
        try container.encode(value, forKey: .value)
        try container.encode(unit, forKey: .unit)
        try container.encode(against, forKey: .against)
        try container.encode(target, forKey: .target)
        try container.encode(holds, forKey: .holds)
    }

    /// A row whose target is an upper bound.
    static func atMost(
        _ bound: Double,
        area: String,
        name: String,
        value: Double?,
        unit: String,
        against: String
    ) -> BenchmarkRow {
        BenchmarkRow(
            area: area,
            name: name,
            value: value,
            unit: unit,
            against: against,
            target: "<= \(bound.brief)",
            holds: value.map { $0 <= bound }
        )
    }

    /// A row whose target is a lower bound.
    static func atLeast(
        _ bound: Double,
        area: String,
        name: String,
        value: Double?,
        unit: String,
        against: String
    ) -> BenchmarkRow {
        BenchmarkRow(
            area: area,
            name: name,
            value: value,
            unit: unit,
            against: against,
            target: ">= \(bound.brief)",
            holds: value.map { $0 >= bound }
        )
    }
}

extension Double {
    /// The figure for people: four significant digits at the most, no exponent.
    var brief: String {
        guard isFinite else { return "\(self)" }
        if self == rounded(), magnitude < 1e15 { return "\(Int64(self))" }
        var scale = 1.0
        while (magnitude * scale) < 1000, scale < 1e6 { scale *= 10 }
        let value = (self * scale).rounded() / scale
        return value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
    }
}
