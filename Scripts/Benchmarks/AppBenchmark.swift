import Foundation
import LocalProvider
import TodoCore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

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
            row("start: --version", try milliseconds(program, ["--version"]), "no target of its own", nil),
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

    /// The median over 15 runs of a program's processor time, user and system.
    private func milliseconds(_ program: String, _ arguments: [String]) throws -> Double {
        var times: [Double] = []
        for _ in 0..<15 { times.append(try once(program, arguments)) }
        return times.sorted()[times.count / 2]
    }

    private func once(_ program: String, _ arguments: [String]) throws -> Double {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        let words = ([program] + arguments).map { strdup($0) }
        defer { words.forEach { free($0) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, program, &actions, nil, words + [nil], environ)
        guard failure == 0 else { throw POSIXError(.init(rawValue: failure) ?? .EIO) }
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0 {
            guard errno == EINTR else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        }
        guard status == 0 else { throw ProgramFailed(program: program, status: status) }
        return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
    }

    private func milliseconds(_ time: timeval) -> Double {
        Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
    }
}

/// A measured program that did not end well, so that its time means nothing.
private struct ProgramFailed: Error, CustomStringConvertible {
    let program: String
    let status: Int32

    var description: String { "\(program) ended with status \(status)" }
}
