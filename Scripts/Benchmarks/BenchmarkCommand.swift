#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `benchmarks [AREA...] [--json] [--list]`
@main
struct BenchmarkCommand {
    static let help = """
        Measures the project against its peers and prints one row for each figure.

        usage: bench [AREA...] [--json] [--list]

          AREA      measure this area only (all when none is given)
          --json    print one array of {"area","name","value","unit","against","target","holds"};
                    "holds" is null where nothing could be compared
          --list    print the areas, and measure nothing

        examples:
          Scripts/bench
          Scripts/bench and --json

        exit codes: 0 every target that could be compared is met, 1 one is not, 2 wrong usage
        """

    static func main() async throws {
        var areas: [String] = []
        var json = false
        var workload: String?
        var iterations = 1
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--help", "-h":
                print(help)
                return
            case "--list":
                for benchmark in allBenchmarks { print("\(benchmark.area)\t\(benchmark.summary)") }
                return
            case "--json": json = true
            case "--workload": workload = arguments.popFirst()
            case "--iterations": iterations = arguments.popFirst().flatMap { Int($0) } ?? 1
            default:
                if argument.hasPrefix("-") { fail("unknown option \(argument); try --help", code: 2) }
                areas.append(argument)
            }
        }
        if let workload { return runWorkload(workload, iterations) }
        let known = Set(allBenchmarks.map(\.area))
        for area in areas where !known.contains(area) {
            fail("unknown area \(area); the areas are: \(known.sorted().joined(separator: ", "))", code: 2)
        }
        try await measure(areas, json: json)
    }

    private static func measure(_ areas: [String], json: Bool) async throws {
        var rows: [BenchmarkRow] = []
        var hasFailed = false
        for benchmark in allBenchmarks where areas.isEmpty || areas.contains(benchmark.area) {
            note("measuring \(benchmark.area): \(benchmark.summary)")
            do {
                rows += try await benchmark.run()
            } catch {
                // The other areas' figures are worth having all the same.
                note("bench: \(benchmark.area) gave no figures: \(error)")
                hasFailed = true
            }
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(rows), as: UTF8.self))
        } else {
            print(BenchmarkTable(rows: rows).text)
        }
        if hasFailed || rows.contains(where: { $0.holds == false }) { exit(1) }
    }

    private static func runWorkload(_ name: String, _ iterations: Int) {
        for benchmark in allBenchmarks {
            for workload in benchmark.workloads where workload.name == name { return workload.run(iterations) }
        }
        fail("unknown workload \(name)", code: 2)
    }

    private static func note(_ message: String) {
        let line = Array("\(message)\n".utf8)
        _ = line.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
    }

    private static func fail(_ message: String, code: Int32) -> Never {
        note("bench: \(message)")
        exit(code)
    }
}
