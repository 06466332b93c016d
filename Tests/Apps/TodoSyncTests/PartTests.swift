import CalDAV
import Foundation
import Testing
import TodoCore

@testable import TodoSync

@Suite("Parts and their parents")
struct PartTests: MachinesOfServer {
    let server = SimulatedServer(["Work", "Home"])
    let ticks = Ticks()

    @Test("A part comes before its parent, with it, or without it, and retains its link; it is sent after its parent")
    func parts() async throws {
        let (one, other) = (try await replica(), try await replica())
        await server.put(
            object("child", "SUMMARY:Child", "RELATED-TO:parent", "RELATED-TO;RELTYPE=SIBLING:x"),
            "c.ics",
            in: "Work"
        )
        try await one.sync()
        #expect(try await one.todo("Child").parent == nil)
        try await one.edit("Child", "(A)")
        try await one.sync()
        #expect(await server.texts("Work")[0].contains("RELATED-TO:parent\r\n"))
        await server.put(object("parent", "SUMMARY:Parent"), "p.ics", in: "Work")
        for replica in [one, other] { try await replica.sync() }
        for replica in [one, other] {
            #expect(try await replica.todo("Child").parent == replica.todo("Parent").id)
        }
        var next = try await one.todo("Child").id
        for level in 0..<10 { next = try await one.add("New \(level)", parent: next).id }
        await server.plan([SimulatedServer.Fault?](repeating: nil, count: 6) + [.busy])
        await #expect(throws: SyncError.self) { try await one.sync() }
        #expect(try await one.store.unsynced().count == 5, "what was sent before the failure is synced")
        try await other.sync()
        #expect(try await other.titles() == ["Child"] + (0..<5).map { "New \($0)" } + ["Parent"])
        for replica in [one, other] { try await replica.sync() }
        #expect(try await other.todo("New 0").parent == other.todo("Child").id)
        try await other.edit("Child", "parent:none")
        for replica in [other, one] { try await replica.sync() }
        #expect(try await one.todo("Child").parent == nil)
        let text = try #require(await server.texts("Work").first { property("UID", $0) == "child" })
        #expect(text.contains("RELATED-TO;RELTYPE=SIBLING:x\r\n") && !text.contains("RELATED-TO:parent"))
    }

    @Test("Of two todos that name each other as parents one is the part, and later syncs add nothing to the history")
    func cycle() async throws {
        let one = try await replica()
        for (uid, parent) in [("a", "b"), ("b", "a"), ("c", "c")] {
            await server.put(object(uid, "SUMMARY:\(uid)", "RELATED-TO:\(parent)"), "\(uid).ics", in: "Work")
            try await one.sync()
        }
        #expect(try await one.store.todos().filter { $0.parent != nil }.count == 1)
        let steps = try await one.store.log().count
        await server.put(object("d", "SUMMARY:d"), "d.ics", in: "Work")
        try await one.sync()
        #expect(try await one.store.log().count == steps)
    }

    @Test(
        "A part that moves to a parent that is deleted before the sync returns to its former parent",
        arguments: [true, false]
    )
    func deletedParent(isDeletedHere: Bool) async throws {
        let one = try await replica()
        let other = try await replica()
        let former = try await one.add("Report")
        let part = try await one.add("Figures", parent: former.id)
        if !isDeletedHere { try await other.add("Letter") }
        for replica in [one, other, one] { try await replica.sync() }
        if isDeletedHere { try await one.add("Letter") }
        let next = try await one.todo("Letter")
        _ = try await one.store.edit(part.id, TodoChange { $0.parent = .set(next.id) })
        let deleting = isDeletedHere ? one : other
        _ = try await deleting.store.remove([deleting.todo("Letter").id])
        for replica in [deleting, one, other] { try await replica.sync() }
        #expect(try await one.todo("Figures").parent == former.id)
        #expect(try await one.snapshot() == other.snapshot())
    }

    @Test("A todo that was deleted elsewhere and comes back by an undo has its parts again, on every machine")
    func restoredParent() async throws {
        let (one, other) = (try await replica(), try await replica())
        let parent = try await one.add("Parent")
        for title in ["a", "b", "c"] { try await one.add(title) }
        for replica in [one, other] { try await replica.sync() }
        _ = try await other.store.remove([try await other.todo("Parent").id])
        try await other.sync()
        try await one.add("Child", parent: parent.id)
        try await one.sync()
        #expect(try await one.titles() == ["Child", "a", "b", "c"])
        _ = try await one.store.undo()
        for replica in [one, other] { try await replica.sync() }
        #expect(try await one.todo("Child").parent == one.todo("Parent").id)
        #expect(try await other.todo("Child").parent == other.todo("Parent").id)
    }

    @Test(
        "A part that was sent after the removal of its parent is its part again on every machine when a change brings the parent back",
        arguments: [true, false]
    )
    func restoredByChange(isBusy: Bool) async throws {
        let (one, other) = (try await replica(), try await replica())
        for title in ["a", "b", "c"] { try await one.add(title) }
        let parent = try await one.add("Parent")
        for replica in [one, other] { try await replica.sync() }
        try await one.add("Child", parent: parent.id)
        _ = try await one.store.remove([parent.id])
        try await other.edit("Parent", "(A)")
        // The child is sent without a parent, and the reply to the removal of the parent is lost.
        await server.plan([nil, nil, .lostReply])
        await #expect(throws: SyncError.self) { try await one.sync() }
        try await other.sync()
        // The parent comes back here, and the child is sent again: at once, or with the next sync if the server is busy.
        if isBusy {
            await server.plan([nil, nil, nil, .busy])
            await #expect(throws: SyncError.self) { try await one.sync() }
        }
        for replica in [one, other] { try await replica.sync() }
        #expect(try await one.todo("Child").parent == one.todo("Parent").id)
        #expect(try await other.todo("Child").parent == other.todo("Parent").id)
        #expect(try await one.store.unsynced().isEmpty)
    }
}
