import Foundation
import TestSupport
import Testing

@testable import TodoCore

@Suite("Todos and kill -9")
struct TodoCrashTests {
    @Test("Of a process killed while it adds todos, none that was reported as saved is missing")
    func killed() async throws {
        let folder = try TemporaryDirectory("crash")
        let acknowledged = folder.file("acknowledged")
        func count() -> Int {
            guard let data = try? Data(contentsOf: acknowledged), data.count == 8 else { return 0 }
            return data.reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<(isLongRun ? 100 : 25) {
            let before = count()
            let process = Process()
            process.executableURL = ChildProcess.productsDirectory.appendingPathComponent("crash-writer")
            process.arguments = ["todos", folder.path]
            try process.run()
            let enough = before + Int.random(in: 1...4, using: &generator)
            do {
                try await eventually { count() >= enough }
            } catch {
                process.terminate()
                throw error
            }
            usleep(UInt32.random(in: 0...900, using: &generator))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            let titles = try await TodoStore(directory: folder.url).todos().compactMap { Int($0.title) }.sorted()
            // Of the one that was being added when the kill came, nobody was told: it may be there or not.
            #expect(titles == Array(1...titles.count))
            #expect(titles.count == count() || titles.count == count() + 1)
        }
    }
}
