import Foundation
import TestSupport
import Testing

@testable import TodoCore

@Suite("Todo model")
struct TodoModelTests {
    @Test("IDs are unique over the first hundred thousand serial numbers and have four characters")
    func namesAreUnique() {
        let names = Set((0..<100_000).map { TodoID(serial: $0).description })
        #expect(names.count == 100_000)
        #expect(names.allSatisfy { $0.utf8.count == 4 })
    }

    @Test("The name grows by a character when four are used up", arguments: [1_048_576, 34_603_007] as [UInt64])
    func namesGrow(serial: UInt64) {
        #expect(TodoID(serial: serial).description.utf8.count == 5)
        let later: UInt64 = serial + 33_554_432
        #expect(TodoID(serial: later).description.utf8.count == 6)
    }

    @Test("An ID has four to twelve characters of the alphabet, and its text, its order and its bits are the same ID")
    func bits() throws {
        let alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
        for letter in (UInt8(0)...127).map({ Character(UnicodeScalar($0)) }) {
            #expect((TodoID("k7f\(letter)") != nil) == alphabet.contains(letter), "\(letter)")
        }
        #expect(TodoID("k7f") == nil && TodoID("k7f2k7f2k7f2k") == nil && TodoID("k7fé") == nil)
        var generator = SeededGenerator()
        let texts = (0..<500).map { _ in
            String(
                (0..<Int.random(in: 4...12, using: &generator)).map { _ in
                    Bool.random(using: &generator) ? "0" : alphabet.randomElement(using: &generator) ?? "0"
                }
            )
        }
        let ids = try texts.map { try #require(TodoID($0)) }
        #expect(ids.map(\.description) == texts)
        #expect(ids.sorted().map(\.description) == texts.sorted())
        for id in ids {
            #expect(TodoID(bits: id.bits) == id)
            for count in 0...id.description.utf8.count {
                #expect(try #require(TodoID.bits(ofPrefix: id.description.prefix(count))) <= id.bits)
            }
        }
        // No text has these: three and thirteen characters, and a bit after the last of four.
        for bits in [0, 3, 13, 15, 1 << 43 | 4, 1 << 4 | 4] as [UInt64] { #expect(TodoID(bits: bits) == nil) }
        #expect(TodoID(bits: 1 << 44 | 4)?.description == "0001" && TodoID(bits: 1 << 4 | 12) != nil)
    }

    @Test("Every ID of four characters is assigned once", .enabled(if: isLongRun))
    func namesAreAPermutation() {
        let serials: Range<UInt64> = 0..<1_048_576
        #expect(Set(serials.map { TodoID(serial: $0).description }).count == serials.count)
    }

    @Test("An ID of four or five characters leads back to its serial number")
    func serials() {
        for serial in [0, 1, 77, 1_048_575, 1_048_576, 1_048_577, 9_999_999, 34_603_007] as [UInt64] {
            #expect(TodoID(serial: serial).serial == serial)
        }
        #expect(TodoID(serial: 34_603_008).serial == nil)
    }

    @Test("Each day from 1 to 9999 is equal to the day of its parts")
    func daysRoundTrip() throws {
        var day = try #require(Day(year: 1, month: 1, day: 1))
        let last = try #require(Day(year: 9999, month: 12, day: 31))
        while day <= last {
            let parts = day.parts
            #expect(Day(year: parts.year, month: parts.month, day: parts.day) == day)
            day = day.adding(day.number % 3 == 0 ? 1 : 13)
        }
        #expect(Day(year: 1970, month: 1, day: 1)?.number == 0)
        #expect(Day(year: 2000, month: 3, day: 1)?.number == 11_017)
    }

    @Test(
        "Days that the calendar does not have are invalid",
        arguments: [
            "2025-02-29", "2100-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-1-01", "0000-01-01",
            "+026-01-01", "2026-01-01x", "", "--", "２０２６-01-01",
        ]
    )
    func wrongDays(text: String) {
        #expect(Day(iso: text) == nil)
    }

    @Test(
        "Days are parsed as people type them",
        arguments: [
            ("today", 0), ("Tomorrow", 1), ("오늘", 0), ("내일", 1), ("3d", 3), ("+2w", 14), ("fri", 7), ("Monday", 3),
            ("sunday", 2), ("2026-11-30", 10),
        ] as [(String, Int)]
    )
    func typedDays(text: String, distance: Int) throws {
        let friday = try #require(Day(iso: "2026-11-20"))
        #expect(friday.weekday == 4)
        #expect(Day(text, today: friday) == friday.adding(distance))
    }

    @Test("Other texts are not days", arguments: ["soon", "d", "+d", "++3d", "-3d", "99999d", "3x", "fr"])
    func notDays(text: String) throws { #expect(Day(text, today: Day(number: 0)) == nil) }

    @Test("An empty title is invalid", arguments: ["", "   ", "\n\t \u{3000}"])
    func emptyTitles(text: String) {
        #expect(throws: TodoError.self) { try TodoChange(title: text) }
    }

    @Test("A title with an escape sequence is invalid, and the error contains the code point")
    func escapes() throws {
        let error = try #require(throws: TodoError.self) { try TodoChange(title: "milk \u{1B}[31m red") }
        #expect("\(error)".contains("U+001B"))
    }

    @Test("Every control character and every bidirectional mark is invalid in a title")
    func controls() {
        let refused = Array(0x00...0x1F) + Array(0x7F...0x9F) + Array(0x2028...0x202E) + Array(0x2066...0x2069)
        for value in refused where ![0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029].contains(value) {
            let scalar = UnicodeScalar(value).map(String.init) ?? ""
            #expect(throws: TodoError.self, "U+\(String(value, radix: 16))") { try TodoChange(title: "a\(scalar)b") }
        }
    }

    @Test("The error of a control character has its place, in the typed line and in a note of several lines")
    func placeOfControl() {
        func message(_ make: () throws -> TodoChange) -> String {
            do {
                _ = try make()
                return "accepted"
            } catch {
                return "\(error)"
            }
        }
        let line = message { try TodoChange(quick: "(A) 우유 a\u{7}b +home", today: Day(number: 20_000)) }
        #expect(line == "the line contains the control character U+0007 in column 9; remove it and try again")
        let label = message { try TodoChange(quick: "milk +ho\u{202E}me", today: Day(number: 20_000)) }
        #expect(label.contains("U+202E in column 9"))
        let note = message { try TodoChange(title: "milk", note: "one\r\ntwo\n\nab\u{0}") }
        #expect(note.contains("the note contains the control character U+0000 in line 4, column 3"))
    }

    @Test("Line breaks and tabs of a title become spaces")
    func lines() throws {
        #expect(try TodoChange(title: " buy\r\nmilk\tnow\n").title == "buy milk now")
    }

    @Test("A title of ten million bytes is rejected without reading it, in little processor time")
    func hugeTitle() {
        let text = String(repeating: "우유", count: 1_700_000)
        let time = processorTime { _ = #expect(throws: TodoError.self) { try TodoChange(title: text) } }
        #expect(time < .milliseconds(100))
    }

    @Test("A title of exactly the limit is valid, and one character more is not")
    func titleLimit() throws {
        let full = String(repeating: "한", count: TodoText.titleLimit)
        #expect(try TodoChange(title: full).title == full)
        #expect(throws: TodoError.self) { try TodoChange(title: full + "한") }
    }

    @Test("Sigils and repeated contexts are dropped; white space in a tag is refused")
    func tags() throws {
        let draft = try TodoChange(title: "t", projects: ["+home"], contexts: ["@phone", "phone", "desk", ""])
        #expect(draft.projects == ["home"])
        #expect(draft.contexts == ["phone", "desk"])
        #expect(throws: TodoError.self) { try TodoChange(title: "t", projects: ["two words"]) }
        // Other formats would read `@+home` as a project. A label that was stored before stays.
        var todo = try Todo(id: TodoID(serial: 1), draft, now: Date(timeIntervalSince1970: 0))
        (todo.projects, todo.tags) = (["@old"], ["+old"])
        var change = TodoChange { $0.addedProjects = ["++home"] }
        #expect(throws: TodoError.self) { try change.apply(to: &todo) }
        (change.addedProjects, change.addedTags, change.removedTags) = (["work"], ["#cheap"], ["+old"])
        try change.apply(to: &todo)
        #expect(todo.projects == ["@old", "work"] && todo.tags == ["cheap"])
    }

    @Test("An invalid change leaves the todo unchanged")
    func changesAreWhole() throws {
        var todo = try Todo(id: TodoID(serial: 1), TodoChange(title: "milk"), now: Date(timeIntervalSince1970: 0))
        let before = todo
        let change = TodoChange { ($0.priority, $0.note) = (.init(Priority("b")), .set("a\u{1B}b")) }
        #expect(throws: TodoError.self) { try change.apply(to: &todo) }
        #expect(todo == before)
    }

    @Test("A todo is overdue after its due time, not at it; a clock that was set back takes no time away")
    func times() throws {
        var todo = try Todo(id: TodoID(serial: 1), TodoChange(title: "milk"), now: Date(timeIntervalSince1970: 0))
        let day = Day(number: 20_000)
        (todo.due, todo.dueTime) = (day, TimeOfDay("09:00"))
        #expect(!todo.isOverdue(on: day, at: TimeOfDay("09:00")) && todo.isOverdue(on: day, at: TimeOfDay("09:01")))
        #expect(!todo.isOverdue(on: day) && todo.isOverdue(on: day.adding(1)))
        (todo.started, todo.spent) = (Date(timeIntervalSince1970: 100), 5)
        #expect([40, 100, 160].map { todo.timeSpent(at: Date(timeIntervalSince1970: $0)) } == [5, 5, 65])
    }
}

@Suite("Todo filter and order")
struct TodoFilterTests {
    @Test("A time before 1970 belongs to its own day, also at midnight", arguments: [-1, -86_400, -86_401, 0, 86_399])
    func before1970(seconds: Int) {
        // The zone of the machine shifts the day by less than one day.
        let date = Date(timeIntervalSince1970: Double(seconds))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .current
        let parts = calendar.dateComponents([.year, .month, .day], from: date)
        #expect(Day(date) == Day(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0))
    }

    @Test("Dates before 1970 are printed and parsed, and have the right weekday")
    func earlyDays() throws {
        let day = try #require(Day(iso: "1969-12-31"))
        #expect(day.number == -1)
        #expect(day.description == "1969-12-31")
        #expect(day.weekday == 2)
        #expect(try #require(Day(iso: "1600-02-29")).adding(1).description == "1600-03-01")
    }

    @Test("An ID goes before a longer one that begins with it, and an ambiguous prefix names the candidates")
    func ambiguous() throws {
        let ids = (0..<2_000).map { TodoID(serial: $0) }
        let prefix = String(ids[0].description.prefix(1))
        #expect {
            try TodoID.named(prefix, among: ids)
        } throws: {
            guard case TodoError.ambiguous(prefix, let candidates) = $0 else { return false }
            return candidates.count > 1 && candidates.allSatisfy { $0.description.hasPrefix(prefix) }
        }
        #expect(try TodoID.named(ids[0].description.uppercased(), among: ids) == ids[0])
        let longer = try #require(TodoID(ids[0].description + "0"))
        #expect(try TodoID.named(ids[0].description, among: [longer] + ids) == ids[0])
        #expect(try TodoID.named(longer.description, among: [longer] + ids) == longer)
        #expect(TodoID.normalised("KoiL") == "k011")
    }
}
