import Foundation
import TestSupport
import Testing

@testable import TodoCore

@Suite("Stores of the first version")
struct OldStoreTests {
    /// The journal that version 0.1.0 wrote: two todos, one of them completed and archived, and an undone edit.
    private static let journal = """
        UGF3SnJubP8BAAAAdHK0ogAAAAAAAAAAIAAAAAAAAAD+//31cAEAAPPKYpMBAAAAAAAAAMba2zUBBgABAAAAc2VyaWFsMQEHACAA
        AABoaXN0b3J5eyJlbmQiOjEsInBvc2l0aW9uIjoxLCJzdGFydCI6MH0BCQDYAAAAdG9kby9ubjhreyJjb250ZXh0cyI6WyJzaG9w
        Il0sImNyZWF0ZWQiOjgxNzA1MDkyOS4wMDg1MTA3LCJkdWUiOiIyMDI2LTEyLTAxIiwiZXh0cmFzIjp7fSwiaWQiOiJubjhrIiwi
        aXNBcmNoaXZlZCI6ZmFsc2UsIm1vZGlmaWVkIjo4MTcwNTA5MjkuMDA4NTEwNywibm90ZSI6InR3b1xubGluZXMiLCJwcmlvcml0
        eSI6IkEiLCJwcm9qZWN0IjoiaG9tZSIsInRpdGxlIjoi7Jqw7JygIOyCrOq4sCJ9AQkAPAAAAGhpc3RvcnkvMHsib3RoZXJzIjpb
        eyJpZCI6Im5uOGsifV0sInN1bW1hcnkiOiJhZGQgXCLsmrDsnKAg7IKs6riwXCIiff7//fURAQAAfSCt6QIAAAAAAAAAIpCjSwEJ
        ADMAAABoaXN0b3J5LzF7Im90aGVycyI6W3siaWQiOiJ5eGF3In1dLCJzdW1tYXJ5IjoiYWRkIFwid2Fsa1wiIn0BBgABAAAAc2Vy
        aWFsMgEHACAAAABoaXN0b3J5eyJlbmQiOjIsInBvc2l0aW9uIjoyLCJzdGFydCI6MH0BCQCCAAAAdG9kby95eGF3eyJjb250ZXh0
        cyI6W10sImNyZWF0ZWQiOjgxNzA1MDkyOS4wNDExODc1LCJleHRyYXMiOnt9LCJpZCI6Inl4YXciLCJpc0FyY2hpdmVkIjpmYWxz
        ZSwibW9kaWZpZWQiOjgxNzA1MDkyOS4wNDExODc1LCJ0aXRsZSI6IndhbGsiff7//fWuAQAAQNVGSgMAAAAAAAAAXU6U+QEJAMIA
        AABoaXN0b3J5LzJ7Im90aGVycyI6W3siaWQiOiJ5eGF3IiwidG9kbyI6eyJjb250ZXh0cyI6W10sImNyZWF0ZWQiOjgxNzA1MDky
        OS4wNDExODc1LCJleHRyYXMiOnt9LCJpZCI6Inl4YXciLCJpc0FyY2hpdmVkIjpmYWxzZSwibW9kaWZpZWQiOjgxNzA1MDkyOS4w
        NDExODc1LCJ0aXRsZSI6IndhbGsifX1dLCJzdW1tYXJ5IjoiY29tcGxldGUgXCJ3YWxrXCIifQEHACAAAABoaXN0b3J5eyJlbmQi
        OjMsInBvc2l0aW9uIjozLCJzdGFydCI6MH0BCQCeAAAAdG9kby95eGF3eyJjb21wbGV0ZWQiOjgxNzA1MDkyOS4wNjkwMzUsImNv
        bnRleHRzIjpbXSwiY3JlYXRlZCI6ODE3MDUwOTI5LjA0MTE4NzUsImV4dHJhcyI6e30sImlkIjoieXhhdyIsImlzQXJjaGl2ZWQi
        OmZhbHNlLCJtb2RpZmllZCI6ODE3MDUwOTI5LjA2OTAzNSwidGl0bGUiOiJ3YWxrIn3+//31yAEAADHSQ04EAAAAAAAAAKfaAFYB
        CQCdAAAAdG9kby95eGF3eyJjb21wbGV0ZWQiOjgxNzA1MDkyOS4wNjkwMzUsImNvbnRleHRzIjpbXSwiY3JlYXRlZCI6ODE3MDUw
        OTI5LjA0MTE4NzUsImV4dHJhcyI6e30sImlkIjoieXhhdyIsImlzQXJjaGl2ZWQiOnRydWUsIm1vZGlmaWVkIjo4MTcwNTA5Mjku
        MDY5MDM1LCJ0aXRsZSI6IndhbGsifQEJAN0AAABoaXN0b3J5LzN7Im90aGVycyI6W3siaWQiOiJ5eGF3IiwidG9kbyI6eyJjb21w
        bGV0ZWQiOjgxNzA1MDkyOS4wNjkwMzUsImNvbnRleHRzIjpbXSwiY3JlYXRlZCI6ODE3MDUwOTI5LjA0MTE4NzUsImV4dHJhcyI6
        e30sImlkIjoieXhhdyIsImlzQXJjaGl2ZWQiOmZhbHNlLCJtb2RpZmllZCI6ODE3MDUwOTI5LjA2OTAzNSwidGl0bGUiOiJ3YWxr
        In19XSwic3VtbWFyeSI6ImFyY2hpdmUgXCJ3YWxrXCIifQEHACAAAABoaXN0b3J5eyJlbmQiOjQsInBvc2l0aW9uIjo0LCJzdGFy
        dCI6MH3+//31zQEAANj+kF0FAAAAAAAAAOYRuMUBCQDdAAAAaGlzdG9yeS80eyJvdGhlcnMiOlt7ImlkIjoieXhhdyIsInRvZG8i
        OnsiY29tcGxldGVkIjo4MTcwNTA5MjkuMDY5MDM1LCJjb250ZXh0cyI6W10sImNyZWF0ZWQiOjgxNzA1MDkyOS4wNDExODc1LCJl
        eHRyYXMiOnt9LCJpZCI6Inl4YXciLCJpc0FyY2hpdmVkIjp0cnVlLCJtb2RpZmllZCI6ODE3MDUwOTI5LjA2OTAzNSwidGl0bGUi
        OiJ3YWxrIn19XSwic3VtbWFyeSI6ImVkaXQgXCJ3YWxrIGZhclwiIn0BCQCiAAAAdG9kby95eGF3eyJjb21wbGV0ZWQiOjgxNzA1
        MDkyOS4wNjkwMzUsImNvbnRleHRzIjpbXSwiY3JlYXRlZCI6ODE3MDUwOTI5LjA0MTE4NzUsImV4dHJhcyI6e30sImlkIjoieXhh
        dyIsImlzQXJjaGl2ZWQiOnRydWUsIm1vZGlmaWVkIjo4MTcwNTA5MjkuMTUxNjUyNywidGl0bGUiOiJ3YWxrIGZhciJ9AQcAIAAA
        AGhpc3Rvcnl7ImVuZCI6NSwicG9zaXRpb24iOjUsInN0YXJ0Ijowff7//fXNAQAAIv/qOwYAAAAAAAAAqh3oUAEJAJ0AAAB0b2Rv
        L3l4YXd7ImNvbXBsZXRlZCI6ODE3MDUwOTI5LjA2OTAzNSwiY29udGV4dHMiOltdLCJjcmVhdGVkIjo4MTcwNTA5MjkuMDQxMTg3
        NSwiZXh0cmFzIjp7fSwiaWQiOiJ5eGF3IiwiaXNBcmNoaXZlZCI6dHJ1ZSwibW9kaWZpZWQiOjgxNzA1MDkyOS4wNjkwMzUsInRp
        dGxlIjoid2FsayJ9AQkA4gAAAGhpc3RvcnkvNHsib3RoZXJzIjpbeyJpZCI6Inl4YXciLCJ0b2RvIjp7ImNvbXBsZXRlZCI6ODE3
        MDUwOTI5LjA2OTAzNSwiY29udGV4dHMiOltdLCJjcmVhdGVkIjo4MTcwNTA5MjkuMDQxMTg3NSwiZXh0cmFzIjp7fSwiaWQiOiJ5
        eGF3IiwiaXNBcmNoaXZlZCI6dHJ1ZSwibW9kaWZpZWQiOjgxNzA1MDkyOS4xNTE2NTI3LCJ0aXRsZSI6IndhbGsgZmFyIn19XSwi
        c3VtbWFyeSI6ImVkaXQgXCJ3YWxrIGZhclwiIn0BBwAgAAAAaGlzdG9yeXsiZW5kIjo1LCJwb3NpdGlvbiI6NCwic3RhcnQiOjB9
        """

    private func folder() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory("old")
        let data = try #require(Data(base64Encoded: Self.journal, options: .ignoreUnknownCharacters))
        try data.write(to: folder.file("todos.journal"))
        return folder
    }

    @Test("A store of the first version opens with all its values and its history")
    func opens() async throws {
        let folder = try folder()
        let store = TodoStore(directory: folder.url)
        let contents = try await store.contents()
        #expect(contents.damage.isEmpty)
        let milk = try #require(contents.todos.first { $0.title == "우유 사기" })
        #expect(milk.projects == ["home"] && milk.contexts == ["shop"] && milk.tags.isEmpty)
        #expect(milk.priority == Priority("A") && milk.due == Day(iso: "2026-12-01") && milk.note == "two\nlines")
        #expect(milk.uuid == nil && milk.parent == nil && milk.recurrence == nil)
        #expect(contents.todos.first { $0.title == "walk" }?.isArchived == true)
        #expect(try await store.redo() == "edit \"walk far\"")
        for _ in 0..<5 { _ = try await store.undo() }
        #expect(try await store.todos().isEmpty)
    }

    @Test("A todo of the first version is changed and gets the new fields")
    func changes() async throws {
        let folder = try folder()
        let store = TodoStore(directory: folder.url)
        let milk = try #require(try await store.todos().first { $0.title == "우유 사기" })
        var change = TodoChange()
        change.projects = ["home", "cellar"]
        change.tags = ["cheap"]
        change.recurrence = Recurrence("+1w").map { .set($0) }
        _ = try await store.edit(milk.id, change)
        let again = try await TodoStore(directory: folder.url).todos().first { $0.id == milk.id }
        #expect(again?.projects == ["home", "cellar"] && again?.tags == ["cheap"])
        #expect(again?.recurrence == Recurrence("+1w") && again?.uuid != nil && again?.created == milk.created)
        let added = try await store.add(TodoChange(title: "bread"))
        #expect(added.id != milk.id)
    }
}
