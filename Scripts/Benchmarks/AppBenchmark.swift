import Foundation
import LocalProvider
import TodoCore

/// Starts the app as a script does, and counts the processor time of the whole process.
struct AppBenchmark: Benchmark {
    let area = "app"
    let summary = "processor time of Dog: start, and todo list of 1,000 todos"

    func run() async throws -> [BenchmarkRow] {
        let program = Bundle.main.bundleURL.appendingPathComponent("Dog").path
        guard FileManager.default.isExecutableFile(atPath: program) else {
            return [row("todo list of 1,000 todos", nil, "Dog is not built: swift build -c release --product Dog", 50)]
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pawkit-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = TodoStore(directory: folder.appendingPathComponent("dog"))
        _ = try await store.add(
            (0..<1_000).map { try TodoDraft(title: "todo number \($0) 우유", priority: Priority("B"), project: "home") }
        )
        return [
            row("start: --version", try milliseconds(program, ["--version"]), "no target", nil),
            row(
                "todo list of 1,000 todos",
                try milliseconds(program, ["todo", "list", "--data-dir", folder.path]),
                "the whole process",
                50
            ),
        ]
    }

    private func row(_ name: String, _ value: Double?, _ against: String, _ bound: Double?) -> BenchmarkRow {
        guard let bound else {
            return BenchmarkRow(area: area, name: name, value: value, unit: "ms CPU", against: against)
        }
        return .atMost(bound, area: area, name: name, value: value, unit: "ms CPU", against: against)
    }

    private func milliseconds(_ program: String, _ arguments: [String]) throws -> Double {
        try ProcessTime.median(program, arguments, runs: 15).milliseconds
    }
}
