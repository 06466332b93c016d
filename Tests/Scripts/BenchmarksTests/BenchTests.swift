import Foundation
import TestSupport
import Testing

@Suite("Scripts/bench")
struct BenchTests {
    private func run(_ arguments: String...) async throws -> ChildResult {
        // Whatever is built already, the script finds no compiler.
        try await ChildProcess.run(
            Project.root.appending(path: "Scripts/bench"),
            arguments,
            environment: ["BASH_FUNC_swift%%": "() { echo built >&2; exit 9; }"]
        )
    }

    @Test("It knows the areas of all benchmarks without a build")
    func areas() async throws {
        let sources = Project.root.appending(path: "Scripts/Benchmarks/Benchmarks")
        let benchmarks = try FileManager.default.contentsOfDirectory(at: sources, includingPropertiesForKeys: nil)
            .filter { try String(contentsOf: $0, encoding: .utf8).contains(": Benchmark {") }
        let list = try await run("--list")
        let rows = list.output.split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(list.status == 0 && list.errors == "")
        #expect(rows.count == benchmarks.count && rows.allSatisfy { $0.count == 2 }, "\(list.output)")
        let unknown = try await run("grpah")
        #expect(unknown.status == 2 && unknown.errors.contains("did you mean graph?"), "\(unknown.errors)")
    }
}
