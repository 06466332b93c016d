import AppLanguage
import AppTestSupport
import Foundation
import TestSupport
import Testing

@testable import TodoCore

@Suite("Queries")
struct TodoQueryTests {
    /// Wednesday, 18 November 2026.
    private static let today = Day(number: 20_775)

    private func todo(_ line: String, serial: UInt64 = 1) throws -> Todo {
        let now = Date(timeIntervalSince1970: Double(Self.today.number) * 86_400 + 36_000)
        let note = line.contains("noted") ? "Ein Zettel" : nil
        return try Todo(line: line, serial: serial, today: Self.today, now: now, note: note)
    }

    @Test(
        "Each term matches its field",
        arguments: [
            ("MILK", "Oat milk", true), ("\"oat milk\"", "Oat milk", true), ("\"milk oat\"", "Oat milk", false),
            ("milk oat", "Oat milk", true), ("bread or oat", "Oat milk", true), ("not bread", "Oat milk", true),
            ("zettel", "a noted", true), ("note:zettel", "a noted", true), ("title:zettel", "a noted", false),
            ("+ho", "a +home", false), ("+ho*", "a +home", true), ("+ome*", "a +home", false),
            ("+home", "a +homework +Home.kitchen", true), ("+home", "a +homework", false),
            ("+home.kit", "a +home.kitchen", false), ("project:home", "a +home.kitchen.sink", true),
            ("project:home", "a +x +home", true), ("@shop", "a +shop", false), ("#cheap", "a #cheap", true),
            ("pri:A..C", "(B) a", true), ("pri:A", "(B) a", false), ("pri:none", "a", true),
            ("due:fri", "a due:fri", true), ("due<fri", "a due:fri", false), ("due<=fri", "a due:fri", true),
            ("due:mon..fri", "a due:fri", false), ("due:thu..fri", "a due:fri", true),
            ("due:none", "a", true), ("due:any", "a", false), ("due<fri", "a", false),
            ("due:fri..fri", "a due:fri", true), ("due:fri..fri", "a due:2026-11-27", false),
            ("due:\"next fri\"", "a due:2026-11-27", true), ("created>-7d", "a", true),
            ("created:today", "a", true), ("created<today", "a", false), ("is:open", "a", true),
            ("is:done", "a", false), ("is:overdue", "a due:2026-11-17", true),
            ("is:waiting", "a t:fri", true), ("is:recurring", "a rec:1w", true),
            ("rec:none", "a rec:1w", false), ("(a or b) c", "a d", false), ("not (a or b)", "c", true),
            ("not a or c", "c a", true), ("\"or\"", "this or that", true),
            ("http://x.org", "see http://x.org", true), ("foo:bar", "a foo:bar", true), ("우유", "우유 사기", true),
            ("", "a", true), ("t>today", "a t:fri", true), ("STRASSE", "Strasse", true), ("été", "ÉTÉ", true),
            // Composed letters and letters in parts are the same.
            ("우유", "\u{110B}\u{116E}\u{110B}\u{1172} 사기", true), ("\u{110B}\u{116E}\u{110B}\u{1172}", "우유", true),
            ("title:CAFE\u{301}", "Café", true), ("café", "Cafe\u{301}", true),
            ("+집", "a +\u{110C}\u{1175}\u{11B8}", true),
            ("#\u{110C}\u{1175}\u{11B8}", "a #집안일", true), ("が", "か\u{3099}", true), ("café", "cafe", false),
        ] as [(String, String, Bool)]
    )
    func terms(query: String, line: String, expected: Bool) throws {
        let query = try TodoQuery(parsing: query, today: Self.today, zone: .utc)
        #expect(try query.matches(todo(line)) == expected)
        let filter = TodoFilter(status: .all, query: query, includesArchived: true, today: nil)
        #expect(TodoSnapshot([try todo(line)]).matching(filter).isEmpty == !expected)
    }

    @Test("A parent is named as an ID is typed: in either case, with o for 0")
    func parents() throws {
        var child = try todo("a")
        child.parent = TodoID("k07f")
        for (text, expected) in [("parent:k07f", true), ("parent:KO7F", true), ("parent:k", true), ("parent:x", false)]
        {
            let query = try TodoQuery(parsing: text, today: Self.today, zone: .utc)
            #expect(query.matches(child) == expected, "\(text)")
        }
        // In a store, a parent that was deleted is none.
        let parent = try todo("b", serial: 2)
        child.parent = parent.id
        for text in ["is:subtask", "parent:any", "parent:\(parent.id)", "not parent:none"] {
            let filter = TodoFilter(text: text, today: Self.today)
            #expect([child, parent].matching(filter) == [child] && TodoSnapshot([child]).matching(filter).isEmpty)
        }
        #expect(TodoBlocking([child]).orphans == [child.id] && TodoBlocking([child, parent]).orphans.isEmpty)
    }

    @Test(
        "An invalid query is an error with the column and what would be right",
        arguments: [
            ("(milk", 1, "add )"), ("milk)", 5, "no bracket"), ("milk and", 6, "must follow"),
            ("or milk", 1, "before and after"), ("\"milk", 1, "quotation mark"), ("deu:fri", 1, "\"due\""),
            ("due:frii", 5, "\"fri\""), ("is:opne", 4, "\"open\""), ("is:xyzzyx", 4, "active"),
            ("is:actve", 4, "\"active\""), ("pri:9", 5, "pri:A..C"), ("due:", 5, "a value is missing"),
            ("milk +home due:2026-02-30", 16, "days 1 to 28"), ("due:fri..2026-02-30", 10, "days 1 to 28"),
            ("due<mon..fri", 5, "colon"), ("title>x", 6, "cannot be compared"), ("rec:x", 5, "or \"any\""),
            ("우유 due:x", 8, "is not a date"), ("()", 2, "a term is missing"), ("not", 1, "must follow"),
            ("a\u{1B}b", 2, "control"),
            (String(repeating: "(", count: 100), 51, "nested"), ("due:\"fri 15:00\"", 5, "leave the time out"),
        ] as [(String, Int, String)]
    )
    func errors(text: String, column: Int, hint: String) {
        #expect {
            try TodoQuery(parsing: text, today: Self.today)
        } throws: {
            guard let error = $0 as? TodoQueryError else { return false }
            let isTranslated = error.text.korean.contains { ("가"..."힣").contains($0) }
            return error.column == column && error.message.contains(hint) && isTranslated
        }
    }

    @Test("The caret stands under the fault, also after Hangul, which is two columns wide")
    func caret() {
        #expect {
            try TodoQuery(parsing: "우유 is:x", today: Self.today)
        } throws: {
            ($0 as? TodoQueryError)?.diagram.split(separator: "\n").dropFirst().first == "        ^"
        }
    }

    /// A query of random terms: its text, and its meaning by the definition.
    private struct Sample {
        let text: String
        let matches: (Todo) -> Bool
    }

    private func sample(_ depth: Int, _ generator: inout SeededGenerator) -> Sample {
        if depth > 0 {
            let left = sample(depth - 1, &generator)
            let right = sample(depth - 1, &generator)
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: return Sample(text: "(\(left.text)) (\(right.text))") { left.matches($0) && right.matches($0) }
            case 1: return Sample(text: "(\(left.text)) and (\(right.text))") { left.matches($0) && right.matches($0) }
            case 2: return Sample(text: "((\(left.text)) OR (\(right.text)))") { left.matches($0) || right.matches($0) }
            default: return Sample(text: "not (\(left.text))") { !left.matches($0) }
            }
        }
        let word = ["milk", "oat", "home", "우유"].randomElement(using: &generator) ?? ""
        let day = Self.today.adding(Int.random(in: -2...2, using: &generator))
        let other = day.adding(2)
        let today = Self.today
        let samples = [
            Sample(text: word) { todo in
                ([todo.title, todo.note ?? ""] + todo.projects + todo.contexts + todo.tags)
                    .contains { $0.lowercased().contains(word) }
            },
            Sample(text: "+\(word)") { $0.projects.contains { $0.lowercased() == word } },
            Sample(text: "+\(word)*") { $0.projects.contains { $0.lowercased().starts(with: word) } },
            Sample(text: "@\(word)") { $0.contexts.contains { $0.lowercased().starts(with: word) } },
            Sample(text: "pri:A..B") { ["A", "B"].contains($0.priority?.description) },
            Sample(text: "due:\(day)") { $0.due == day },
            Sample(text: "due<\(day)") { $0.due.map { $0 < day } == true },
            Sample(text: "due>=\(day)") { $0.due.map { $0 >= day } == true },
            Sample(text: "due:\(day)..\(other)") { $0.due.map { $0 >= day && $0 <= other } == true },
            Sample(text: "due:none") { $0.due == nil }, Sample(text: "is:done") { $0.completed != nil },
            Sample(text: "is:overdue") { $0.completed == nil && $0.due.map { $0 < today } == true },
            Sample(text: "is:waiting") { $0.completed == nil && $0.threshold.map { $0 > today } == true },
            Sample(text: "rec:any") { $0.recurrence != nil },
            Sample(text: "#\(word)") { $0.tags.contains { $0.lowercased().starts(with: word) } },
            Sample(text: "title:\(word)") { $0.title.lowercased().contains(word) },
            Sample(text: "due:any") { $0.due != nil }, Sample(text: "t:none") { $0.threshold == nil },
            Sample(text: "pri:none") { $0.priority == nil },
            Sample(text: "t>=\(day)") { $0.threshold.map { $0 >= day } == true },
            Sample(text: "is:archived") { $0.isArchived },
            Sample(text: "is:recurring") { $0.recurrence != nil },
        ]
        return samples.randomElement(using: &generator) ?? samples[0]
    }

    @Test("Random queries match exactly the todos that a slow reading of the definition finds")
    func differential() throws {
        var generator = SeededGenerator()
        let parts = [
            "Milk", "oat", "우유", "+home", "+oat", "@home", "@milk", "#milk", "#Été", "+우유차", "due:today",
            "due:yesterday", "due:2d", "t:fri", "rec:1w", "noted",
        ]
        var todos: [Todo] = []
        for serial in 0..<60 {
            let words = (0..<Int.random(in: 0...5, using: &generator)).compactMap { _ in
                parts.randomElement(using: &generator)
            }
            let priority = ["", "(A) ", "(C) "].randomElement(using: &generator) ?? ""
            var todo = try todo(priority + "x " + words.joined(separator: " "), serial: UInt64(serial))
            if Bool.random(using: &generator) { todo.completed = todo.created }
            if Bool.random(using: &generator) { todo.isArchived = true }
            if Bool.random(using: &generator) { todo.note = "oat\nMILK" }
            todos.append(todo)
        }
        let snapshot = TodoSnapshot(todos)
        for _ in 0..<(isLongRun ? 20_000 : 1_500) {
            let sample = sample(Int.random(in: 0...3, using: &generator), &generator)
            let query = try TodoQuery(parsing: sample.text, today: Self.today)
            let filter = TodoFilter(status: .all, query: query, includesArchived: true, today: nil)
            let found = Set(snapshot.matching(filter).map(\.id))
            for todo in todos {
                let expected = sample.matches(todo)
                #expect(query.matches(todo) == expected, "seed \(generator.seed): \(sample.text)")
                #expect(found.contains(todo.id) == expected, "seed \(generator.seed): \(sample.text)")
            }
        }
    }

    @Test("A label with a mark on its letter does not begin with the bare letter, and control characters find nothing")
    func marksOfLetters() throws {
        var accented = try todo("a")
        accented.projects = ["e\u{301}clair"]
        accented.title = "control \u{1}x"
        let snapshot = TodoSnapshot([accented, try todo("b +eclair", serial: 2)])
        func titles(_ query: TodoQuery) -> [String] {
            snapshot.matching(TodoFilter(status: .all, query: query, today: nil)).map(\.title)
        }
        #expect(try titles(TodoQuery(parsing: "+e*", today: Self.today)) == ["b"])
        #expect(try titles(TodoQuery(parsing: "+x", today: Self.today)) == [])
        #expect(titles(TodoQuery(words: "\u{1}x")) == [] && titles(TodoQuery(words: "b\u{0}")) == [])
        #expect(titles(TodoQuery(words: "")).count == 2)
    }

    @Test("is:overdue compares the due time with the present time")
    func overdueTime() throws {
        let meeting = try todo("meeting due:today 15:00")
        for (time, isOverdue) in [("14:59", false), ("15:00", false), ("15:01", true)] {
            let query = try TodoQuery(parsing: "is:overdue", today: Self.today, time: TimeOfDay(time))
            #expect(query.matches(meeting) == isOverdue)
            let filter = TodoFilter(query: query, today: Self.today)
            #expect(TodoSnapshot([meeting]).matching(filter).isEmpty == !isOverdue)
        }
    }

    @Test("Random text is a query or an error, never a crash")
    func hostile() {
        var generator = SeededGenerator()
        let pieces = [
            "(", ")", "\"", "and", "or", "not", " ", "due:", "..", "<", "=", "is:", "pri:", "A", "+", "@", "우", "9",
            "\u{0}",
        ]
        for _ in 0..<20_000 {
            let text = (0..<Int.random(in: 1...12, using: &generator)).compactMap { _ in
                pieces.randomElement(using: &generator)
            }.joined()
            do {
                _ = try TodoQuery(parsing: text, today: Self.today)
            } catch {
                #expect(error.column >= 1 && error.column <= text.count + 1, "\(text)")
            }
        }
    }

    @Test("A list hides completed, archived and waiting todos unless the query names them")
    func defaults() throws {
        var done = try todo("done")
        done.completed = done.created
        var archived = done
        archived.isArchived = true
        let waiting = try todo("waits t:fri")
        func passes(_ text: String, _ todo: Todo, _ status: TodoFilter.Status = .open) -> Bool {
            TodoFilter(status: status, text: text, today: Self.today).passes(todo)
        }
        #expect(!passes("", done) && !passes("", archived) && !passes("", waiting))
        #expect(passes("is:done", done) && !passes("is:done", archived) && passes("is:archived is:done", archived))
        #expect(passes("is:waiting", waiting) && passes("t:any", waiting) && passes("", waiting, .all))
        #expect(passes("", done, .done) && !passes("", waiting, .done) && passes("is:open t:any", waiting, .done))
        #expect(passes("id:\(done.id)", done), "an ID names one todo, whatever its state")
        var others = [waiting, waiting]
        others[0].completed = waiting.created
        others[1].isArchived = true
        let snapshot = TodoSnapshot(others + [waiting])
        #expect(snapshot.waitingCount(on: Self.today) == 1)
        #expect(try snapshot.waitingCount(on: #require(waiting.threshold)) == 0, "on that day it is listed")
    }

    @Test("Todos are sorted by fields with a direction, those without a value last, and grouped by name")
    func sorting() throws {
        let todos = try [
            todo("(B) b +x due:fri", serial: 1), todo("a", serial: 2), todo("(A) c +x +y due:today", serial: 3),
        ]
        func titles(_ text: String) throws -> String { try TodoSort(parsing: text).sorted(todos).map(\.title).joined() }
        #expect(try titles("title") == "abc")
        #expect(try titles("-title") == "cba")
        #expect(try titles("due") == "cba")
        #expect(try titles("-due,title") == "bca")
        let sameDay = try [todo("d due:fri", serial: 4), todo("e due:fri 15:00", serial: 5)]
        #expect(try TodoSort(parsing: "due").sorted(sameDay).map(\.title) == ["e", "d"], "a day ends after its times")
        #expect(try titles("project,-priority") == "bca")
        #expect(try titles("project,priority") == "cba", "equal by the first key")
        #expect { try TodoSort(parsing: "titel") } throws: { "\($0)".contains("\"title\"") }
        let groups = TodoGrouping.project.groups(todos)
        #expect(groups.map(\.name) == ["+x", "+y", nil])
        #expect(groups.map(\.todos.count) == [2, 1, 1])
    }

    @Test(
        "A new todo gets the labels that every todo of a context has",
        arguments: [
            ("+Work @desk not +home", ["+Work", "@desk"]), (#"c "call +bob" #x"#, ["#x"]), ("+a or +b", []),
            (#"+"home" "+b"@c "not" @a"#, ["+home", "@a"]), ("+a (+b or +c)", ["+a"]), ("not (+a) +b", ["+b"]),
            (#"+a "or" + +ho* due:fri"#, ["+a"]), (#"+a "b ( c" +"d e" @f"#, ["+a", "@f"]),
        ]
    )
    func context(query: String, expected: [String]) throws {
        _ = try TodoQuery(parsing: query, today: Self.today)
        var change = TodoChange()
        change.addLabels(ofContext: query)
        #expect(change.addedProjects + change.addedContexts + change.addedTags == expected)
    }

    @Test("Subtasks follow their parent; a cycle and a missing parent lose no todo")
    func tree() throws {
        var todos = try (0..<5).map { try todo("t\($0)", serial: UInt64($0)) }
        todos[0].parent = todos[3].id
        todos[1].parent = todos[0].id
        todos[2].parent = TodoID(serial: 99)
        #expect(
            TodoTree.rows(todos).map { "\($0.todo.title):\($0.depth)" } == ["t2:0", "t3:0", "t0:1", "t1:2", "t4:0"]
        )
        todos[3].parent = todos[1].id
        todos[4].parent = todos[1].id
        #expect(Set(TodoTree.rows(todos).map(\.todo.id)) == Set(todos.map(\.id)))
    }
}
