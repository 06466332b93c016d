import Foundation

/// The `crash-writer` process, to be killed while it writes.
public final class CrashChild: Sendable {
    private let process: Process

    /// Starts it: what it writes, the folder in which it does, and after how many writes it ends, 0 for never.
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

    /// The number of the last write that the process was told is kept; 0 before the first.
    public static func acknowledged(_ folder: String) -> Int {
        guard let data = FileManager.default.contents(atPath: folder + "/acknowledged"), data.count == 8 else {
            return 0
        }
        return data.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Lets processes write and be killed, each somewhere in its work.
    ///
    /// - Parameters:
    ///   - mode: what they write.
    ///   - folder: where.
    ///   - times: how many.
    ///   - writes: of how many writes a process is sure before it is killed, at random.
    ///   - check: is given the number of the last write that was reported as kept.
    /// - Throws: what `check` throws, and where a process could not be started or wrote nothing.
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

    /// Runs one process to its end, on a thread of its own: the tests beside keep Swift's threads busy, and a process that
    /// waits for one of them to be killed would write for seconds.
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
