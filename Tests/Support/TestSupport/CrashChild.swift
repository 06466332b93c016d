import Foundation

/// The `crash-writer` process, which tests kill while it writes.
public final class CrashChild: Sendable {
    private let process: Process

    /// Starts the process with what it writes, the folder, and the number of writes after which it exits (0 for none).
    public init(_ mode: String, _ folder: String, _ count: Int = 0) throws {
        process = Process()
        process.executableURL = ChildProcess.productsDirectory.appendingPathComponent("crash-writer")
        process.arguments = [mode, folder, "\(count)"]
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Kills the process at once, by `kill -9`.
    public func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The number of the last write that the store reported as durable; 0 before the first.
    public static func acknowledged(_ folder: String) -> Int {
        guard let data = FileManager.default.contents(atPath: folder + "/acknowledged"), data.count == 8 else {
            return 0
        }
        return data.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Runs processes that write and kills each at a random moment.
    ///
    /// - Parameters:
    ///   - mode: the kind of writes.
    ///   - folder: the folder of the store.
    ///   - times: the number of processes.
    ///   - writes: the range of the number of writes after which a process is killed.
    ///   - check: receives the number of the last write that was reported as durable.
    /// - Throws: the error of `check`, or an error if a process could not be started or wrote nothing.
    public static func killRepeatedly(
        _ mode: String,
        _ folder: String,
        times: Int,
        writes: ClosedRange<Int>,
        check: (Int) async throws -> Void
    ) async throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<times {
            let enough = acknowledged(folder) + Int.random(in: writes, using: &generator)
            let pause = UInt32.random(in: 0...900, using: &generator)
            try await killOnce(mode, folder, after: enough, pause: pause)
            try await check(acknowledged(folder))
        }
    }

    /// Runs one process on its own thread: other tests occupy the cooperative threads, and a process that waits for one of them
    /// to kill it would write for seconds.
    private static func killOnce(_ mode: String, _ folder: String, after enough: Int, pause: UInt32) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let thread = Thread {
                continuation.resume(
                    with: Result {
                        let child = try CrashChild(mode, folder)
                        defer { child.kill() }
                        let end = Date(timeIntervalSinceNow: 60)
                        while acknowledged(folder) < enough {
                            guard Date() < end else { throw NeverHappened(limit: .seconds(60)) }
                            usleep(300)
                        }
                        // A moment more: the kill comes anywhere within the cycle of its writes.
                        usleep(pause)
                    }
                )
            }
            thread.start()
        }
    }
}
