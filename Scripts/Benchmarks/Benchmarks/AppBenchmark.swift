import Foundation
import LocalProvider
import SystemCalls
import TestSupport
import TodoCore

/// Starts the app as a script does, and counts the processor time of the whole process.
struct AppBenchmark: Benchmark {
    let area = "app"
    let summary = "processor time of Dog: start, first frame, and todo list of 1,000 todos"

    func run() async throws -> [BenchmarkRow] {
        guard let program = DogProgram.path else {
            return [row("todo list of 1,000 todos", nil, "ms CPU", atMost: 50, against: DogProgram.reason)]
        }
        let folder = try TemporaryDirectory("pawkit-bench")
        let store = TodoStore(directory: folder.file("dog"))
        let changes = try (0..<1_000).map {
            try TodoChange(title: "todo number \($0) 우유", priority: Priority("B"), projects: ["home"])
        }
        _ = try await store.add(changes)
        let start = try milliseconds(program, ["--version"])
        let frame = try await firstFrame(program, folder.path)
        let list = try milliseconds(program, ["todo", "list", "--data-dir", folder.path])
        let onTerminal = "all threads, on a pseudo-terminal; needs /proc"
        return [
            row("start: --version", start, "ms CPU", atMost: 5, against: "the whole process"),
            row("start to the first frame", frame, "ms CPU", atMost: 10, against: onTerminal),
            row("todo list of 1,000 todos", list, "ms CPU", atMost: 50, against: "the whole process"),
        ]
    }

    /// Returns the median processor time from the start of the full screen to the end of its first frame; `nil` without `/proc`.
    private func firstFrame(_ program: String, _ folder: String) async throws -> Double? {
        var times: [Double] = []
        for _ in 0..<15 {
            let terminal = try PseudoTerminal(
                URL(fileURLWithPath: program),
                ["--data-dir", folder, "--image-api", "http://127.0.0.1:1"],
                columns: 100,
                rows: 30,
                environment: ["LC_ALL": "C.UTF-8", "NO_COLOR": nil, "PAWKIT_BACKEND": nil]
            )
            defer { terminal.end() }
            // A frame is one synchronized update, which ends with this sequence.
            let end = ContinuousClock.now + .seconds(10)
            while !terminal.text.contains("\u{1B}[?2026l"), ContinuousClock.now < end { usleep(200) }
            guard let time = Self.processorTime(of: terminal.process) else { return nil }
            times.append(time)
        }
        return times.sorted()[times.count / 2]
    }

    /// Returns the processor time of all threads of a process in milliseconds.
    static func processorTime(of process: pid_t) -> Double? {
        let folder = "/proc/\(process)/task"
        guard let threads = try? FileManager.default.contentsOfDirectory(atPath: folder), !threads.isEmpty else {
            return nil
        }
        let nanoseconds = threads.compactMap { thread -> Double? in
            let text = try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8)
            return text?.split(separator: " ").first.flatMap { Double($0) }
        }
        return nanoseconds.isEmpty ? nil : nanoseconds.reduce(0, +) / 1_000_000
    }

    private func milliseconds(_ program: String, _ arguments: [String]) throws -> Double {
        try ProcessTime.median(program, arguments, runs: 15).milliseconds
    }
}
