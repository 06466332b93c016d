/// What can be measured in one area of the project.
///
/// A benchmark measures both sides in one run, since two runs on a shared machine cannot be compared. Where the other
/// side is missing (a peer that is not installed) it still gives the row, with ``BenchmarkRow/holds`` left nil and the
/// missing peer named in ``BenchmarkRow/against``.
protocol Benchmark: Sendable {
    /// The word that selects it on the command line; several benchmarks may share an area.
    var area: String { get }
    /// What is measured, in one line, for `--list`.
    var summary: String { get }
    /// The loops whose instructions ``InstructionCounter`` counts in a process of their own.
    var workloads: [Workload] { get }
    /// Measures, and gives one row for each figure.
    func run() async throws -> [BenchmarkRow]
}

extension Benchmark {
    var workloads: [Workload] { [] }
}

/// A loop that can be run by name in a fresh process.
struct Workload: Sendable {
    /// Unique among all benchmarks, "area.what".
    let name: String
    /// Runs the loop so many times.
    let run: @Sendable (_ iterations: Int) -> Void
}
