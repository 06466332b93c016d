import Foundation
import SystemCalls
import TestSupport
import Testing

@Suite("Killed while writing")
struct CrashTests {
    /// With `PAWKIT_LONG` a hundred times.
    private static let rounds = isLongRun ? 100 : 25

    @Test("kill -9 during writes, many times: no todo that was reported as saved is missing")
    func killed() async throws {
        let app = try AppFixture()
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededGenerator(seed: seed)
        let log = app.folder.file("reported")
        // A shell adds one todo after the other and notes each that was reported as saved, then all are killed at once.
        let script = """
            n=0
            while kill -0 "$PPID" 2>/dev/null; do
              n=$((n + 1))
              "$0" todo add "round $1 todo $n" && echo "round $1 todo $n" >> "$2"
            done
            """
        func reported() -> [String] {
            ((try? String(contentsOf: log, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
        }
        for round in 0..<Self.rounds {
            let child = try ProcessGroup(
                "/bin/sh",
                ["-c", script, app.executable.path, "\(round)", log.path],
                app.environment
            )
            defer { child.kill() }
            // One or two reports on, so that a slow machine reaches the same state as a fast one, and then at any moment.
            let enough = reported().count + Int.random(in: 1...2, using: &random)
            try await eventually(within: .seconds(60)) { reported().count >= enough }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...30, using: &random)))
        }
        #expect(reported().count > 20, "too few writes to be a test")
        let listed = Set(try await app.todos("todo", "list").compactMap { $0["title"] as? String })
        let missing = reported().filter { !listed.contains($0) }
        #expect(missing.isEmpty, "seed \(seed): missing \(missing)")
    }
}

/// A program that leads a process group, so that it can be killed with all that it started.
struct ProcessGroup {
    let process: pid_t

    init(_ path: String, _ arguments: [String], _ environment: [String: String?]) throws {
        var variables = ProcessInfo.processInfo.environment
        for (name, value) in environment { variables[name] = value }
        process = try ChildProcess.spawn(
            path,
            arguments,
            environment: variables,
            files: [1: "/dev/null"],
            leading: .processGroup
        )
    }

    /// Kills the group by SIGKILL and waits for its leader's end.
    func kill() {
        _ = systemKill(-process, SIGKILL)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }
}

private let systemKill = kill as @Sendable (pid_t, Int32) -> Int32
