import AppTestSupport
import Foundation
import Testing

@testable import TodoCore

@Suite("The rows of a list")
struct TodoListingTests {
    private func todos(_ lines: [String]) throws -> [Todo] {
        try lines.enumerated().map { index, line in
            try Todo(line: line, serial: UInt64(index), now: .sample + Double(index))
        }
    }

    private func listing(
        _ todos: [Todo],
        _ text: String = "",
        sort: String? = nil,
        grouping: TodoGrouping? = nil,
        locating id: TodoID? = nil
    ) async throws -> TodoListing {
        let request = TodoListRequest(
            filter: TodoFilter(text: text, today: .sample),
            sort: try sort.map { try TodoSort(parsing: $0) },
            grouping: grouping
        )
        return try #require(await TodoSnapshot(todos).listing(request, locating: id))
    }

    private func texts(_ listing: TodoListing) -> [String] {
        (0..<listing.count).map { row in
            switch listing[row] {
            case .heading(let heading): "\(heading.name ?? "-") \(heading.count)"
            case .todo(let todo, let depth): String(repeating: "  ", count: depth) + todo.title
            case nil: "?"
            }
        }
    }

    @Test("Without an order, the display order applies and subtasks follow their todo")
    func tree() async throws {
        var todos = try todos(["buy flour", "(A) walk", "bake", "oven"])
        todos[0].parent = todos[2].id
        todos[3].parent = todos[0].id
        let listing = try await listing(todos)
        #expect(texts(listing) == ["walk", "bake", "  buy flour", "    oven"])
        #expect(listing.matchCount == 4)
    }

    @Test("A subtask whose parent is not listed is at the top, and a cycle of parents lists each todo once")
    func orphansAndCycles() async throws {
        var todos = try todos(["one", "two", "three"])
        todos[0].parent = todos[1].id
        todos[1].parent = todos[0].id
        todos[2].parent = TodoID(serial: 99)
        #expect(
            Set(texts(try await listing(todos)).map { $0.trimmingCharacters(in: .whitespaces) }) == [
                "one", "two", "three",
            ]
        )
        todos[1].parent = nil
        #expect(texts(try await listing(todos, "one")) == ["one"])
    }

    @Test("An order by fields has no tree, and groups have headings with their numbers of todos")
    func groups() async throws {
        let todos = try todos(["b +home due:2026-03-25", "a +home +work", "c"])
        #expect(texts(try await listing(todos, sort: "-title")) == ["c", "b", "a"])
        #expect(
            texts(try await listing(todos, sort: "title", grouping: .project)) == [
                "+home 2", "a", "b", "+work 1", "a", "- 1", "c",
            ]
        )
        #expect(texts(try await listing(todos, grouping: .due)).first == "2026-03-25 1")
    }

    @Test(
        "Every filter of a list has the order of its todos alone, whatever was listed before",
        arguments: TodoSort.Field.allCases
    )
    func ordersOfParts(field: TodoSort.Field) async throws {
        let todos = try todos([
            "(B) b +y @q due:2026-03-25", "b +x t:2026-04-01", "(A) A @p due:2026-03-25 09:00", "c", "a +y",
            "d due:2026-03-24",
        ])
        let snapshot = TodoSnapshot(todos)
        for isDescending in [false, true] {
            let sort = TodoSort([TodoSort.Key(field, isDescending: isDescending)])
            for text in ["c", "", "b", "due:any", "not a", "zzz"] {
                let filter = TodoFilter(text: text, today: .sample)
                let expected = sort.sorted(snapshot.matching(filter))
                let listing = try #require(await snapshot.listing(TodoListRequest(filter: filter, sort: sort)))
                #expect((0..<listing.count).map { listing.todo(at: $0)?.id } == expected.map(\.id), "\(sort) \(text)")
            }
        }
    }

    @Test("A todo is located in the rows, and one that the filter hides is known but not located")
    func located() async throws {
        let todos = try todos(["milk", "walk"])
        #expect(try await listing(todos, locating: todos[1].id).locatedRow == 1)
        let hidden = try await listing(todos, "milk", locating: todos[1].id)
        #expect(hidden.locatedRow == nil && hidden.isLocatedKnown)
        let unknown = try await listing(todos, locating: TodoID(serial: 99))
        #expect(unknown.locatedRow == nil && !unknown.isLocatedKnown)
    }

    @Test("A listing marks what waits for an open todo, and a todo knows what it waits for and what waits for it")
    func dependencies() async throws {
        var todos = try todos(["buy", "paint", "hang", "bought"])
        todos[1].dependencies = [try #require(todos[0].uuid), try #require(todos[3].uuid)]
        todos[2].dependencies = [try #require(todos[1].uuid)]
        todos[3].completed = .sample
        let listing = try await listing(todos)
        #expect(texts(listing) == ["buy", "paint", "hang"])
        #expect((-1...3).map { listing.isBlocked(at: $0) } == [false, false, true, true, false])
        let snapshot = TodoSnapshot(todos)
        let paint = try #require(await snapshot.family(of: todos[1].id))
        #expect(paint.waitsFor.map(\.title) == ["buy", "bought"] && paint.neededBy.map(\.title) == ["hang"])
        #expect(paint.isBlocked)
        let buy = try #require(await snapshot.family(of: todos[0].id))
        #expect(buy.waitsFor.isEmpty && buy.neededBy.map(\.title) == ["paint"] && !buy.isBlocked)
    }

    @Test("A cancelled search returns nothing")
    func cancelled() async throws {
        let snapshot = TodoSnapshot(try todos(["milk"]))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await snapshot.listing(TodoListRequest(filter: TodoFilter(today: .sample)))
        }
        #expect(await task.value == nil)
    }

    @Test("The filter of a snapshot finds what the definition finds, for every status and kind of query")
    func agreesWithDefinition() throws {
        var todos = try todos([
            "milk +home", "(A) walk due:2026-03-01 @park", "Milchkaffee t:2026-04-01", "우유 +home", "note", "old",
        ])
        todos[4].note = "buy MILK"
        todos[5].completed = .sample
        todos[0].completed = .sample
        todos[0].isArchived = true
        let snapshot = TodoSnapshot(todos)
        for text in [
            "", "milk", "MIL", "+home", "+ho milk", "not milk", "milk or walk", "is:done", "is:archived", "is:waiting",
            "due<today", "@park pri:A", "title:milk", "우유", "\"buy milk\"", "is:open or is:done",
        ] {
            for status in TodoFilter.Status.allCases {
                for archived in [false, true] {
                    let filter = TodoFilter(status: status, text: text, includesArchived: archived, today: .sample)
                    let wanted = todos.matching(filter).map(\.id)
                    #expect(snapshot.matching(filter).map(\.id) == wanted, "\(text) \(status) \(archived)")
                    // Alone, each todo has the texts of no other one beside its own.
                    #expect(Set(todos.filter(filter.passes).map(\.id)) == Set(wanted), "\(text) \(status) \(archived)")
                }
            }
        }
    }

    @Test("Names in use are sorted by frequency and complete a word, whatever its case")
    func names() throws {
        let names = TodoSnapshot(try todos(["a +home", "b +house", "c +house @shop", "d #cheap"])).names
        #expect(names.projects == ["house", "home"])
        #expect(names.completions(of: "+HO") == ["+house", "+home"])
        #expect(names.completions(of: "+home").isEmpty)
        #expect(names.completions(of: "@") == ["@shop"])
        #expect(names.completions(of: "ho").isEmpty)
    }

    @Test("Open todos are counted by their due day")
    func dueCounts() throws {
        var todos = try todos(["a due:today", "b due:today", "c due:today", "d due:2026-05-01"])
        todos[0].completed = .sample
        let counts = TodoSnapshot(todos).dueCounts(Day.sample...Day.sample.adding(10))
        #expect(counts == [.sample: 2])
    }
}
