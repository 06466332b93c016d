import TestSupport
import Testing

@testable import TodoCore

/// A store in a folder of its own, into which files are imported and from which they are exported.
struct TodoFormatFixture {
    let folder: TemporaryDirectory
    let store: TodoStore
    let clock: TodoClock

    init() throws {
        folder = try TemporaryDirectory("formats")
        let zone = try #require(Zone(named: "Europe/Berlin"))
        let now = Date(timeIntervalSince1970: 1_795_000_000)
        clock = TodoClock(zone: zone, now: { now })
        store = TodoStore(directory: folder.url, zone: zone, now: { now })
    }

    func take(_ text: String, _ format: TodoFileFormat, _ mode: TodoImportMode = .update) async throws
        -> TodoReceipt
    {
        let file = format.parse(Array(text.utf8), clock: clock)
        #expect(file.problems.isEmpty, "\(file.problems)")
        return try await store.perform(.importing(file.records, mode))
    }

    func export(_ format: TodoFileFormat) async throws -> String {
        let todos = try await store.todos().matching(TodoFilter(status: .all, includesArchived: true))
            .sorted { ($0.created, $0.title) < ($1.created, $1.title) }
        return String(decoding: format.bytes(todos, all: todos, clock: clock), as: UTF8.self)
    }
}

/// Returns a calendar with one task of these lines.
func calendar(_ lines: String) -> String {
    "BEGIN:VCALENDAR\nBEGIN:VTODO\nUID:1\nSUMMARY:a\n\(lines)\nEND:VTODO\nEND:VCALENDAR"
}
