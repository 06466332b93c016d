/// The measures of a graph as a table or JSON, which Schemas/metrics.schema.json describes.
struct MetricsReport {
    let metrics: GraphMetrics
    let package: String

    /// A table with the targets that have the most dependents first, and the longest chain.
    var table: String {
        let hasTimes = metrics.totalSeconds != nil
        var rows = [["target", "kind", "fan-in", "fan-out", "instability", "depth"] + (hasTimes ? ["seconds"] : [])]
        let sorted = metrics.entries.enumerated().sorted {
            ($1.element.fanIn, $1.element.fanOut, $0.offset) < ($0.element.fanIn, $0.element.fanOut, $1.offset)
        }
        for (_, entry) in sorted {
            var row = [entry.name, entry.kind, "\(entry.fanIn)", "\(entry.fanOut)", Self.decimal(entry.instability)]
            row.append("\(entry.depth)")
            if hasTimes { row.append(entry.seconds.map(Self.decimal) ?? "-") }
            rows.append(row)
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        var lines = rows.map { row in
            row.enumerated().map { column, text in
                let space = String(repeating: " ", count: widths[column] - text.count)
                return column < 2 ? text + space : space + text
            }.joined(separator: "  ")
        }
        lines.append("")
        let chain = metrics.longestChain
        lines.append("longest chain, \(chain.count) targets: " + chain.joined(separator: " -> "))
        for group in metrics.cyclic { lines.append("cycle: " + group.joined(separator: ", ")) }
        if let path = metrics.criticalPath, let total = metrics.totalSeconds {
            let seconds = "\(Self.decimal(path.seconds)) of \(Self.decimal(total)) s"
            lines.append("build-critical path, \(seconds): " + path.targets.joined(separator: ", "))
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private struct Document: Encodable {
        var package: String
        var targets: [GraphMetrics.Entry]
        var longestChain: [String]
        var cycles: [[String]]
        var criticalPath: GraphMetrics.CriticalPath?
        var totalSeconds: Double?
    }

    func json() throws -> String {
        try JSONDocument.encode(
            Document(
                package: package,
                targets: metrics.entries,
                longestChain: metrics.longestChain,
                cycles: metrics.cyclic,
                criticalPath: metrics.criticalPath,
                totalSeconds: metrics.totalSeconds
            )
        )
    }

    private static func decimal(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        let fraction = "\(hundredths % 100)"
        return "\(hundredths / 100)." + (fraction.count < 2 ? "0" : "") + fraction
    }
}
