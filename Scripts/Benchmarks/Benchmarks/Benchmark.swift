/// A benchmark of one area of the project.
///
/// A benchmark measures both sides in one run, since two runs on a shared machine cannot be compared. If the other side is
/// missing (a peer that is not installed), it returns the row with ``BenchmarkRow/holds`` `nil` and the name of the missing
/// peer in ``BenchmarkRow/against``.
protocol Benchmark: Sendable {
    /// The area on the command line; several benchmarks may have the same one.
    var area: String { get }
    /// A description in one line, for `--list`.
    var summary: String { get }
    /// The programs that it compares with: a run without one of them fails.
    var peers: [Peer] { get }
    /// The loops whose instructions ``InstructionCounter`` counts in separate processes.
    var workloads: [Workload] { get }
    /// Measures and returns one row for each figure.
    func run() async throws -> [BenchmarkRow]
}

extension Benchmark {
    var peers: [Peer] { [] }
    var workloads: [Workload] { [] }

    /// Returns a row of the area.
    func row(
        _ name: String,
        _ value: Double?,
        _ unit: String,
        atMost upper: Double? = nil,
        atLeast lower: Double? = nil,
        against: String
    ) -> BenchmarkRow {
        BenchmarkRow(area, name, value, unit, atMost: upper, atLeast: lower, against: against)
    }
}

/// A loop that can be run by its name in a new process.
struct Workload: Sendable {
    /// The name, unique among all benchmarks: "area.name".
    let name: String
    /// Runs the loop.
    let run: @Sendable (_ iterations: Int) -> Void
}
