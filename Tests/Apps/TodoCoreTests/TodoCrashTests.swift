import TestSupport
import Testing

@testable import TodoCore

@Suite("Todos and kill -9")
struct TodoCrashTests {
    @Test("No todo that a killed process reported as saved is missing")
    func killed() async throws {
        let folder = try TemporaryDirectory("crash")
        let kills = isLongRun ? 1_000 : 20
        try await CrashChild.killRepeatedly("todos", folder.path, times: kills, writes: 1...4) { acknowledged in
            let titles = try await TodoStore(directory: folder.url).todos().compactMap { Int($0.title) }.sorted()
            // The todo that was being added at the time of the kill was not reported: it may exist or not.
            #expect(titles == Array(1...titles.count))
            #expect(titles.count == acknowledged || titles.count == acknowledged + 1)
        }
    }
}
