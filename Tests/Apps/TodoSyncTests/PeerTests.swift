import CalDAV
import Foundation
import TestSupport
import Testing
import TodoCore

@testable import TodoSync

/// `todoman` over a folder that `vdirsyncer` syncs with a server.
private struct Todoman {
    private let folder: TemporaryDirectory
    private let python: URL
    let list: String

    /// Begins to sync all lists of a server.
    init(_ server: CalDAVServer, list: String) async throws {
        folder = try TemporaryDirectory("todoman")
        python = try #require(CalDAVServerKind.peers)
        self.list = list
        let path = folder.path
        try folder.write(
            """
            [general]
            status_path = "\(path)/status/"
            [pair todos]
            a = "local"
            b = "remote"
            collections = ["from b"]
            [storage local]
            type = "filesystem"
            path = "\(path)/todos/"
            fileext = ".ics"
            [storage remote]
            type = "caldav"
            url = "\(server.url.absoluteString)/"
            username = "dog"
            password = "secret1"
            """,
            to: "vdirsyncer.conf"
        )
        try folder.write(
            """
            path = "\(path)/todos/*"
            date_format = "%Y-%m-%d"
            time_format = "%H:%M"
            cache_path = "\(path)/cache"
            """,
            to: "todoman.py"
        )
        try await vdirsyncer("discover", input: "y\ny\n")
        try await vdirsyncer("sync")
    }

    @discardableResult
    private func run(_ arguments: [String], input: String = "") async throws -> String {
        let result = try await ChildProcess.run(
            python,
            ["-m"] + arguments,
            environment: ["HOME": folder.path, "TZ": "UTC", "LC_ALL": "C.UTF-8"],
            input: Data(input.utf8)
        )
        #expect(result.status == 0, "\(arguments): \(result.output) \(result.errors)")
        return result.output
    }

    func vdirsyncer(_ command: String, input: String = "") async throws {
        try await run(["vdirsyncer", "-c", folder.file("vdirsyncer.conf").path, command], input: input)
    }

    @discardableResult
    func todo(_ arguments: [String]) async throws -> String {
        try await run(["todoman", "--config", folder.file("todoman.py").path] + arguments)
    }

    struct Row: Decodable {
        let id: Int
        let summary: String
        let due: Int?
        let completed: Bool
        let priority: Int
        let categories: [String]
    }

    func rows() async throws -> [Row] {
        let output = try await todo(["--porcelain", "list", "--status", "ANY"])
        return try JSONDecoder().decode([Row].self, from: Data(output.utf8))
    }

    func id(_ summary: String) async throws -> String {
        "\(try #require(try await rows().first { $0.summary == summary && !$0.completed }).id)"
    }
}

@Suite(
    "Sync beside vdirsyncer and todoman",
    .enabled(
        if: CalDAVServerKind.peers != nil && CalDAVServerKind.debianRadicale.isInstalled,
        "needs Debian's package radicale, and vdirsyncer and todoman in .build/caldav-servers; see .ci/run"
    )
)
struct PeerTests {
    /// The todos as both programs have them: without times, since todoman has days as the end of the day.
    private func same(_ replica: Replica, _ todoman: Todoman) async throws {
        let ours = try await replica.store.todos().map { todo in
            let labels = (todo.contexts + todo.projects.map { "+" + $0 }).sorted()
            let number = todo.priority.map { ICalendarFormat.number($0) } ?? 0
            return "\(todo.title)|\(todo.due, default: "-")|\(todo.completed != nil)|\(number)|\(labels)"
        }
        let theirs = try await todoman.rows().map { row in
            let due = row.due.map { Zone.utc.local(Date(timeIntervalSince1970: Double($0))).day }
            // Their high is any number up to 4.
            let number = row.priority == 4 ? 1 : row.priority
            return "\(row.summary)|\(due, default: "-")|\(row.completed)|\(number)|\(row.categories.sorted())"
        }
        #expect(ours.sorted() == theirs.sorted())
    }

    @Test("Added, edited, completed and recurring todos of both are equal on both, and their properties survive")
    func todoman() async throws {
        let server = try await CalDAVServer(.debianRadicale)
        defer { server.stop() }
        let client = server.client()
        let home = try await client.home()
        let calendar = try await client.createCalendar(named: "Work", in: home)
        let replica = try await Replica(client, [calendar], in: home)
        for line in ["Milk +home @shop due:2026-12-01", "(B) Water rec:+1w due:2026-12-01", "Report"] {
            try await replica.add(line)
        }
        try await replica.sync()
        let todoman = try await Todoman(server, list: calendar.href.name)
        try await same(replica, todoman)

        // They add, edit and complete, also a recurring one.
        try await todoman.todo([
            "new", "-l", todoman.list, "-d", "2026-12-05", "--location", "Kitchen", "--priority", "high",
            "-c", "garden", "Rake leaves",
        ])
        try await todoman.todo(["edit", try await todoman.id("Milk"), "-d", "2026-12-03", "--location", "Market"])
        try await todoman.todo(["done", try await todoman.id("Water"), try await todoman.id("Report")])
        try await todoman.vdirsyncer("sync")
        for _ in 0..<2 { try await replica.sync() }
        try await same(replica, todoman)
        #expect(try await replica.titles() == ["Milk", "Rake leaves", "Report", "Water", "Water"])

        // So do we.
        try await replica.edit("Milk", "Oat milk @kiosk")
        let open = try await replica.store.todos().filter { $0.completed == nil }
        let water = try #require(open.first { $0.title == "Water" })
        #expect(water.dueTime == nil)
        _ = try await replica.store.complete([water.id, try await replica.todo("Rake leaves").id])
        _ = try await replica.store.reopen([try await replica.todo("Report").id])
        try await replica.add("Letter due:2026-12-24")
        for _ in 0..<2 { try await replica.sync() }
        try await todoman.vdirsyncer("sync")
        try await same(replica, todoman)
        let texts = try await texts(client, calendar)
        for (title, place) in [("Oat milk", "Market"), ("Rake leaves", "Kitchen")] {
            #expect(texts.contains { $0.contains("SUMMARY:\(title)\r\n") && $0.contains("LOCATION:\(place)\r\n") })
        }

        // Nothing is left to do for either.
        #expect(try await replica.sync().events.isEmpty)
        try await todoman.vdirsyncer("sync")
        #expect(try await replica.sync().events.isEmpty)
        #expect(try await replica.titles().count == 7)
    }

    private func texts(_ client: CalDAVClient, _ calendar: CalDAVCalendar) async throws -> [String] {
        let changes = try await client.changes(in: calendar, since: nil, known: [:])
        // A GET has the line ends of the server's file.
        var texts: [String] = []
        for href in changes.changed.keys {
            if let object = try await client.object(at: href, in: calendar) { texts.append(object.text) }
        }
        return texts
    }
}
