import CommandKit
import EssentialFoundation
import SystemCalls
import TextEscaping

/// All benchmarks in the order of the output; `Scripts/bench` runs what is in this list.
let allBenchmarks: [any Benchmark] = [
    AndBenchmark(),
    LayoutBenchmark(),
    NetworkBenchmark(),
    PicturesBenchmark(),
    TerminalBenchmark(),
    LocalBenchmark(),
    LocalCacheBenchmark(),
    LocalProcessesBenchmark(),
    LocalCodecBenchmark(),
    AppBenchmark(),
    BuildBenchmark(),
    GraphBenchmark(),
    TodoBenchmark(),
    TodoFormatBenchmark(),
    SyncBenchmark(),
]

/// `benchmarks [AREA...] [--json]`
@main
enum BenchmarkCommand {
    private static let workload = CommandOption("workload", value: "NAME", help: "run one loop", isHidden: true)
    private static let iterations = CommandOption("iterations", value: "N", help: "its iterations", isHidden: true)

    private static var areas: [String] {
        allBenchmarks.reduce(into: []) { areas, benchmark in
            if !areas.contains(benchmark.area) { areas.append(benchmark.area) }
        }
    }

    private static let table = CommandTable<Int>(
        program: "bench",
        summary: "measures the project against its peers, both sides in the same run",
        commands: [
            Command(
                0,
                operands: .any("AREA", completion: .words(areas)),
                options: [
                    CommandOption("json", help: "print one JSON array instead of a table"), workload, iterations,
                ],
                summary: "measure areas; all of them by default",
                examples: ["", "and --json"]
            )
        ],
        topics: [
            .init(
                "JSON",
                """
                {"area","name","value","unit","against","target","holds"}
                "value" is null if the figure could not be measured: "against" has the reason, and the exit status is 1.
                "holds" is null if there is no target, or if nothing was compared.
                """
            )
        ],
        exitStatuses: [
            .init(0, "all targets that could be compared are met"),
            .init(1, "a target is missed, a peer is missing, or a benchmark failed"),
            .init(2, "invalid arguments"),
        ]
    )

    static func main() async {
        do {
            // Before the table: the arguments after the option are those of another program.
            if CommandLine.arguments.dropFirst().first == ProcessTime.option {
                return try ProcessTime.measure(Array(CommandLine.arguments.dropFirst(2)))
            }
            switch try table.parse(Array(CommandLine.arguments.dropFirst())) {
            case .print(let text): try POSIX.writeAll(text, to: STDOUT_FILENO)
            case .run(let command):
                // Without a suspension before it: valgrind 3.19 crashes when a workload runs on a thread of the pool.
                if try runWorkload(command) { return }
                exit(try await run(command) ? 0 : 1)
            }
        } catch {
            note("bench: \(error)")
            exit(error is UsageError ? 2 : 1)
        }
    }

    /// Runs the workload that the command names; false if it names none.
    private static func runWorkload(_ command: ParsedCommand<Int>) throws -> Bool {
        guard let name = command.value(workload.name) else { return false }
        let count = command.value(iterations.name).flatMap { Int($0) } ?? 1
        guard let loop = allBenchmarks.flatMap(\.workloads).first(where: { $0.name == name }) else {
            throw UsageError.invalidValue(workload, value: name, hint: "it is the name of a workload")
        }
        loop.run(count)
        return true
    }

    /// Runs a command; false if a target is missed or a benchmark failed.
    private static func run(_ command: ParsedCommand<Int>) async throws -> Bool {
        for area in command.operands where !Self.areas.contains(area) {
            let nearest = NearestName.of(area, among: areas).map { "; did you mean \"\($0)\"?" } ?? ""
            note("bench: there is no area \(area.quoted())\(nearest)")
            exit(2)
        }
        return try await measure(command.operands, isJSON: command.has("json"))
    }

    private static func measure(_ areas: [String], isJSON: Bool) async throws -> Bool {
        var rows: [BenchmarkRow] = []
        var hasFailed = false
        for benchmark in allBenchmarks where areas.isEmpty || areas.contains(benchmark.area) {
            note("measuring \(benchmark.area): \(benchmark.summary)")
            for peer in benchmark.peers {
                guard case .failure(let missing) = peer.build() else { continue }
                note("bench: \(missing)")
                hasFailed = true
            }
            do {
                rows += try await benchmark.run()
            } catch {
                // The results of the other areas are useful without this one.
                note("bench: \(benchmark.area) failed: \(error)")
                hasFailed = true
            }
        }
        if isJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(rows), as: UTF8.self))
        } else {
            print(BenchmarkTable(rows: rows).text)
        }
        return !hasFailed && !rows.contains { $0.holds == false || $0.value == nil }
    }

    private static func note(_ message: String) { try? POSIX.writeAll("\(message)\n", to: STDERR_FILENO) }
}
