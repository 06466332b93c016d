import CalDAV
import Foundation
import ICalendar
import LocalProvider
import LocalProviderTestSupport
import TestSupport

@testable import TodoCore
@testable import TodoSync

/// Times of which each is later than the one before.
final class Ticks: @unchecked Sendable {
    private let lock = NSLock()
    private var seconds = 1_772_000_000.25
    private let step: Double

    init(step: Double = 1.5) { self.step = step }

    func next() -> Date {
        lock.withLock {
            seconds += step
            return Date(timeIntervalSince1970: seconds)
        }
    }
}

/// A machine with todos that are synced.
struct Replica {
    let folder: TemporaryDirectory
    /// The file calls of the program; they synchronise nothing.
    let files: FaultyCalls
    let store: TodoStore
    let records: SyncStore
    let server: any TodoServer
    let clock: TodoClock
    private let ticks: Ticks

    /// Creates a machine without todos that syncs lists of a server.
    init(_ server: SimulatedServer, _ lists: [String] = ["Work"], ticks: Ticks = Ticks()) async throws {
        let all = await server.collections.map(\.calendar)
        try await self.init(server, all.filter { lists.contains($0.name) }, ticks: ticks)
    }

    init(
        _ server: any TodoServer,
        _ calendars: [CalDAVCalendar],
        in home: CalDAVHome = CalDAVHome(principal: nil, collections: []),
        ticks: Ticks = Ticks()
    ) async throws {
        self.init(try TemporaryDirectory("replica"), server, ticks)
        let lists = calendars.map { SyncList(name: $0.name, calendar: $0) }
        try records.setAccount(SyncAccount(address: "http://127.0.0.1", user: "dog", home: home, lists: lists))
        try await store.setSyncedLists(lists.map { ($0.name, TodoList(name: $0.name, isSynced: true)) })
    }

    /// Starts a program over a folder.
    private init(_ folder: TemporaryDirectory, _ server: any TodoServer, _ ticks: Ticks) {
        (self.folder, self.server, self.ticks) = (folder, server, ticks)
        clock = TodoClock(zone: .utc, now: { ticks.next() })
        files = FaultyCalls(.none)
        let (location, system) = (FileStoreLocation(directory: folder.url), FileSystem(files))
        store = TodoStore(storage: TodoStorage(location: location, system: system), clock: clock, process: "replica")
        records = SyncStore(location: location, system: system)
    }

    /// Makes the files of the program unusable after a number of calls, in the middle of a write, as a kill leaves them.
    func kill(after calls: Int) { files.begin(.broken(from: files.count + calls, code: EIO)) }

    /// Returns the machine with a new program, after a kill of the present one.
    func restarted() -> Replica { Replica(folder, server, ticks) }

    @discardableResult
    func sync(allowsDeletions: Bool = false, restoresDeletions: Bool = false) async throws -> SyncReport {
        try await TodoSync(store: store, records: records, server: server, clock: clock)
            .run(allowsDeletions: allowsDeletions, restoresDeletions: restoresDeletions)
    }

    @discardableResult
    func add(_ line: String, in list: String? = "Work", parent: TodoID? = nil) async throws -> Todo {
        var change = try TodoChange(quick: line, today: clock.today)
        change.list = list.map { .set($0) }
        change.parent = parent.map { .set($0) }
        return try await store.add(change)
    }

    @discardableResult
    func edit(_ title: String, _ line: String) async throws -> Todo {
        let todo = try await todo(title)
        return try await store.edit(todo.id, TodoEntry(parsing: line, today: clock.today).change(due: todo.due))
    }

    func todo(_ title: String) async throws -> Todo {
        guard let todo = try await store.todos().first(where: { $0.title == title }) else {
            throw TodoError.notFound(name: title)
        }
        return todo
    }

    func titles() async throws -> [String] { try await store.todos().map(\.title).sorted() }

    /// The synced fields of all todos as text, which is equal on machines with the same todos.
    func snapshot() async throws -> [String] {
        let todos = try await store.todos()
        let uuids = Dictionary(todos.map { ($0.id, $0.uuid) }) { $1 }
        return todos.map { todo in
            // A cycle is cut at different places; the link remains.
            let link = todo.extras["parent"].flatMap { UUID(uuidString: $0) }
            let parent =
                todo.parent.flatMap { uuids[$0] ?? nil } ?? link.flatMap { uuids.values.contains($0) ? $0 : nil }
            return Self.text(todo, parent: parent)
        }.sorted()
    }

    static func text(_ todo: Todo, parent: UUID?) -> String {
        let labels = (todo.projects.map { "+" + $0 } + todo.contexts.map { "@" + $0 } + todo.tags.map { "#" + $0 })
            .sorted()
        let done = todo.completed.map { Int($0.timeIntervalSince1970.rounded(.down)) }
        return [
            todo.uuid?.uuidString ?? "", todo.list ?? "", todo.title, todo.note ?? "", "\(todo.priority, default: "-")",
            labels.joined(separator: " "), "\(todo.due, default: "-")", "\(todo.dueTime, default: "-")",
            "\(todo.threshold, default: "-")", "\(todo.recurrence, default: "-")", "\(done, default: "-")",
            "\(todo.isArchived)", parent?.uuidString ?? "",
        ].joined(separator: "|")
    }
}

/// A suite whose machines sync with one server.
protocol MachinesOfServer {
    var server: SimulatedServer { get }
    var ticks: Ticks { get }
}

extension MachinesOfServer {
    /// Returns a new machine that syncs lists.
    func replica(_ lists: [String] = ["Work"]) async throws -> Replica {
        try await Replica(server, lists, ticks: ticks)
    }
}

/// Returns the value of a property of the task in a text.
func property(_ name: String, _ text: String) -> String? {
    ICalendarDocument(text).root.descendants("VTODO").first?.property(name)?.value
}

/// The text of an object with one task.
func object(_ uid: String, _ lines: String...) -> String {
    (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Other//EN", "BEGIN:VTODO", "UID:\(uid)", "DTSTAMP:20260101T000000Z"]
        + lines + ["END:VTODO", "END:VCALENDAR", ""]).joined(separator: "\r\n")
}
