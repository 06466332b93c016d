import CalDAV
import Foundation
import Testing
import TodoCore

@testable import TodoSync

@Suite("Lists, and todos that move between them")
struct ListTests: MachinesOfServer {
    let server = SimulatedServer(["Work", "Home"])
    let ticks = Ticks()

    @Test(
        "A todo that moves between lists retains its identity and its text; one that becomes local is deleted on the server",
        arguments: [nil, true, false]
    )
    func moves(namesConflict: Bool?) async throws {
        // On some servers a UID is unique in all lists of a user.
        if let namesConflict { await server.setUniqueUIDs(namesObject: namesConflict) }
        let one = try await replica(["Work", "Home"])
        let other = try await replica(["Work", "Home"])
        // The UID becomes a part of a path.
        let text = object("../cat/a", "SUMMARY:Report", "X-OTHER:kept")
        await server.put(text, "a.ics", in: "Work")
        for replica in [one, other] { try await replica.sync() }
        let id = try await other.todo("Report").id
        // Its object has another path, and nothing else is new.
        for (content, file) in [(nil, "a.ics"), (text, "b.ics")] { await server.put(content, file, in: "Work") }
        for replica in [one, other] { #expect(try await replica.sync().events.isEmpty) }
        #expect(try await other.todo("Report").id == id)
        let change = TodoChange { $0.list = .set("Home") }
        _ = try await one.store.edit(try await one.todo("Report").id, change)
        // Servers refuse the names of hidden files.
        await server.put(object(".b", "SUMMARY:Letter"), "c.ics", in: "Work")
        try await one.sync()
        let letter = try await one.store.edit(try await one.todo("Letter").id, change).id
        for replica in [one, other] { try await replica.sync() }
        #expect(try await other.todo("Report").list == "Home")
        #expect(try await other.todo("Report").id == id)
        #expect(await server.texts("Work").isEmpty)
        #expect(await server.texts("Home").contains { $0.contains("X-OTHER:kept") })
        #expect(await server.hrefs("Home").count == 2)
        #expect(await server.hrefs("Home").allSatisfy { $0.path.hasPrefix("/dog/home/") && !$0.name.hasPrefix(".") })
        _ = try await one.store.remove([letter])
        try await one.sync()
        _ = try await other.store.edit(id, TodoChange { $0.list = .clear })
        for replica in [other, one] { try await replica.sync() }
        #expect(await server.texts("Home").isEmpty)
        #expect(try await other.titles() == ["Report"])
        #expect(try await one.titles().isEmpty)
        guard namesConflict != nil else { return }
        // A list that is not synced has the UID.
        let work = try await replica(["Work"])
        let bill = object(UUID().uuidString.lowercased(), "SUMMARY:Bill")
        await server.put(bill, "x.ics", in: "Work")
        try await work.sync()
        await server.put(bill, "y.ics", in: "Home")
        await server.put(nil, "x.ics", in: "Work")
        try await work.edit("Bill", "(A)")
        #expect(try await work.sync().problems.map(\.title) == ["Bill"])
        #expect(try await work.titles() == ["Bill"])
        await server.put(nil, "y.ics", in: "Home")
        #expect(try await work.sync().problems.isEmpty)
        #expect(await server.texts("Work").map { property("PRIORITY", $0) } == ["1"])
    }

    @Test("A todo that is in two lists while another machine moves it stays", arguments: ["Work", "Home"])
    func halfMove(from list: String) async throws {
        let one = try await replica(["Work", "Home"])
        for name in ["Work", "Home"] { await server.put(object("a", "SUMMARY:Report"), "a.ics", in: name) }
        try await one.sync()
        await server.put(nil, "a.ics", in: list)
        try await one.sync()
        #expect(try await one.store.todos().map(\.list) == [list == "Work" ? "Home" : "Work"])
        #expect(try await one.sync().events.isEmpty)
    }

    @Test("A todo that stays in two lists is joined into the one that was changed last, the same on every machine")
    func joinedLists() async throws {
        let (one, other) = (try await replica(["Work", "Home"]), try await replica(["Work", "Home"]))
        func put(_ list: String, _ title: String, _ label: String, _ hour: Int) async {
            let modified = "LAST-MODIFIED:20260101T0\(hour)0000Z"
            await server.put(object("a", "SUMMARY:\(title)", "CATEGORIES:\(label)", modified), "a.ics", in: list)
        }
        await put("Work", "Theirs", "office", 2)
        try await one.sync()
        await put("Home", "Ours", "kiosk", 1)
        // As long as only one sync has seen it in both, another program may be moving it.
        for replica in [one, other] { try await replica.sync() }
        #expect(await server.texts("Work").count + server.texts("Home").count == 2)
        for replica in [one, other, one, other] { try await replica.sync() }
        #expect(await server.texts("Home").isEmpty)
        #expect(await server.texts("Work").count == 1)
        for replica in [one, other] {
            let todo = try await replica.todo("Theirs")
            #expect(todo.list == "Work" && Set(todo.tags + todo.contexts + todo.projects) == ["office", "kiosk"])
            #expect(try await replica.store.unsynced().isEmpty)
        }
        #expect(try await one.snapshot() == other.snapshot())
        #expect(try one.records.log().contains { $0.action == .joined && $0.list == "Work" })
        _ = try await one.store.undo()
        #expect(try await one.todo("Ours").list == "Work")
    }

    @Test("A change of the server between the two writes of a move is merged")
    func changeDuringMove() async throws {
        let one = try await replica(["Work", "Home"])
        try await one.add("Report")
        for _ in 0..<2 { try await one.sync() }
        let (file, text) = (
            try #require(await server.hrefs("Work").first).name, try #require(await server.texts("Work").first)
        )
        _ = try await one.store.edit(try await one.todo("Report").id, TodoChange { $0.list = .set("Home") })
        await server.intrude { $0.put(text.replacing("SUMMARY:Report", with: "SUMMARY:Theirs"), file, in: "Work") }
        try await one.sync()
        #expect(try await one.todo("Theirs").list == "Home")
        #expect(await server.texts("Work").isEmpty)
        #expect(await server.texts("Home").map { property("SUMMARY", $0) } == ["Theirs"])
    }

    @Test("A todo that two machines move to different lists is in one of them, the same on both")
    func movedTwice() async throws {
        let server = SimulatedServer(["Work", "Home", "Garden"])
        let lists = ["Work", "Home", "Garden"]
        let one = try await Replica(server, lists, ticks: ticks)
        let other = try await Replica(server, lists, ticks: ticks)
        try await one.add("Report")
        for replica in [one, other] { try await replica.sync() }
        for (replica, list) in [(other, "Garden"), (one, "Home")] {
            let change = TodoChange { $0.list = .set(list) }
            _ = try await replica.store.edit(try await replica.todo("Report").id, change)
        }
        for replica in [other, one, one, other] { try await replica.sync() }
        #expect(try await one.snapshot() == other.snapshot())
        // This machine has moved it after the other one.
        #expect(try await one.todo("Report").list == "Home")
        #expect(await server.texts("Work").isEmpty)
        #expect(await server.texts("Home").count == 1)
        #expect(await server.texts("Garden").isEmpty)
    }

    @Test("A read-only list comes back to the server's state, and the history has the change")
    func readOnly() async throws {
        let one = try await replica(["Work", "Home"])
        await server.put(object("a", "SUMMARY:Report"), "a.ics", in: "Work")
        await server.change("Work") { $0.canWrite = false }
        try await one.sync()
        try await one.edit("Report", "Mine")
        #expect(try await one.sync().problems.count == 1)
        #expect(try await one.titles() == ["Report"])
        #expect(try await one.store.log().contains { $0.versions.contains { $0.before?.title == "Mine" } })
        try await one.add("New")
        #expect(try await one.sync().problems.count == 1)
        await server.put(object("b", "SUMMARY:Other"), "b.ics", in: "Work")
        for _ in 0..<2 { try await one.sync() }
        #expect(try await one.titles() == ["New", "Other", "Report"])
        #expect(try await one.todo("New").list == nil, "a todo that the list cannot have is local")
        // What is deleted, all at once, or taken out of the list comes back.
        func shared() async throws -> [Todo] { try await one.store.todos().filter { $0.list == "Work" } }
        _ = try await one.store.remove(try await shared().map(\.id))
        #expect(try await one.sync().problems.count == 2)
        #expect(try await shared().map(\.title).sorted() == ["Other", "Report"])
        _ = try await one.store.edit(try await one.todo("Report").id, TodoChange { $0.list = .clear })
        try await one.sync()
        #expect(try await shared().map(\.title).sorted() == ["Other", "Report"])
        #expect(await !server.requests.contains { $0 == "PUT" || $0 == "DELETE" })
        // What is moved there goes back to its list, and is changed in it.
        let letter = try await one.add("Letter", in: "Home")
        try await one.sync()
        _ = try await one.store.edit(letter.id, TodoChange { ($0.title, $0.list) = ("Note", .set("Work")) })
        for _ in 0..<2 { try await one.sync() }
        #expect(try await one.todo("Note").list == "Home")
        #expect(await server.texts("Home").map { property("SUMMARY", $0) } == ["Note"])
        #expect(try await one.store.unsynced().isEmpty)
    }

    @Test(
        "A list that the server has renamed is renamed unless another one has the name; one that is gone becomes local with its todos",
        arguments: [CalDAVError.Reason.notFound, .refused(status: 403, condition: nil)]
    )
    func lists(absence: CalDAVError.Reason) async throws {
        let one = try await replica(["Work", "Home"])
        try await one.add("Report")
        _ = try await one.store.addList(named: "Attic")
        try await one.sync()
        var present = "Work"
        for (name, expected) in [("HOME", "Work"), ("attic", "Work"), ("WORK", "WORK"), ("Office", "Office")] {
            await server.change(present) { $0.name = name }
            try await one.sync()
            #expect(try await one.store.syncedLists().map(\.name) == ["Home", expected])
            #expect(try await one.todo("Report").list == expected)
            present = name
        }
        // A list takes the former name of another one, and then the two exchange their names.
        try await one.add("Letter", in: "Home")
        for (changes, work, home) in [
            ([("Home", "Old"), ("Office", "Home")], "Home", "Old"),
            ([("Old", "x"), ("Home", "Old"), ("x", "Home")], "Old", "Home"),
        ] {
            for (old, new) in changes { await server.change(old) { $0.name = new } }
            try await one.sync()
            #expect(try await one.store.syncedLists().map(\.name) == ["Home", "Old"])
            #expect(try await one.todo("Report").list == work)
            #expect(try await one.todo("Letter").list == home)
        }
        // Two calendars have the name at once, until one is renamed.
        for name in ["Old", "Home"] { await server.change(name) { $0.name = "Garden" } }
        try await one.sync()
        #expect(try await one.store.syncedLists().map(\.name) == ["Garden", "Home"])
        await server.change("Garden") { $0.name = "Yard" }
        try await one.sync()
        #expect(try await one.store.syncedLists().map(\.name) == ["Garden", "Yard"])
        #expect(try await one.store.unsynced().isEmpty)
        for name in ["Garden", "Yard"] { await server.removeCollection(name, reply: absence) }
        #expect(try await one.sync().problems.count == 2)
        #expect(try await one.todo("Report").list == "Yard")
        #expect(try await one.store.syncedLists().isEmpty)
        #expect(try await one.sync().problems.isEmpty)
    }
}
