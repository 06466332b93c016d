import Foundation
import TestSupport

/// The `crash-writer` process, to be killed while it writes.
final class CrashChild: Sendable {
    private let process: Process

    init(_ mode: String, _ folder: String, _ count: Int = 0) throws {
        process = Process()
        process.executableURL = ChildProcess.productsDirectory.appendingPathComponent("crash-writer")
        process.arguments = [mode, folder, "\(count)"]
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// Kills the process at once, by `kill -9`.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The number of the last write that the process was told is kept; 0 before the first.
    static func acknowledged(_ folder: String) -> Int {
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
    ///   - check: is given the number of the last write that was reported as kept.
    /// - Throws: what `check` throws, and where a process could not be started or wrote nothing.
    static func killRepeatedly(
        _ mode: String,
        _ folder: String,
        times: Int,
        check: (Int) async throws -> Void
    ) async throws {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<times {
            let before = acknowledged(folder)
            let child = try CrashChild(mode, folder)
            // Once it writes, a moment more: the kill comes anywhere within the cycle of its writes.
            do {
                let enough = before + Int.random(in: 1...20, using: &generator)
                try await eventually { acknowledged(folder) >= enough }
            } catch {
                child.kill()
                throw error
            }
            usleep(UInt32.random(in: 0...900, using: &generator))
            child.kill()
            try await check(acknowledged(folder))
        }
    }
}
