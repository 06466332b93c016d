import Checksums
import TestSupport
import Testing

@testable import ICalendar

enum ICalendarSamples {
    /// Texts whose escapes, folds or quotes are difficult.
    static let texts = [
        "Milk", "a,b;c:d", "back\\slash", "\\n is no line break", "two\nlines", "\"quoted\"", "caret ^ ^n ^^ ^'",
        String(repeating: "우유🥛", count: 30), String(repeating: "x", count: 200), "e\u{301} 👩‍👩‍👧‍👧", "ends with \\",
    ]
}

@Suite("iCalendar")
struct ICalendarTests {
    private let text = """
        begin:VCALENDAR\r
        VERSION:2.0\r
        BEGIN:VTODO
        UID:1
        Summary;LANGUAGE=en:Buy\r
        \tmilk
          and eggs
        X-OTHER;X-P="a:b";x-q=c,"d,e":kept\\;
        X-OTHER:again

        BEGIN:VALARM\r
        TRIGGER:-PT15M\r
        END:VALARM\r
        END:VTODO\r
        END:VCALENDAR
        """

    @Test("What is not changed retains its bytes: case, folds, line ends, order, blank lines, a missing last line end")
    func preserved() throws {
        let document = ICalendarDocument(text)
        #expect(document.problems.isEmpty && document.text == text)
        let task = try #require(document.root.descendants("VTODO").first)
        let summary = try #require(task.property("SUMMARY"))
        #expect(summary.value == "Buymilk and eggs" && summary["LANGUAGE"] == "en" && summary.line == 5)
        let others = task.properties("X-OTHER")
        #expect(others.map(\.value) == ["kept\\;", "again"] && others[0]["X-P"] == "a:b")
        #expect(others[0].parameters.last?.values == ["c", "d,e"])
        #expect(task.components.map(\.name) == ["VALARM"])
    }

    @Test("A change writes the changed property alone, in its place, with the line end of its component")
    func changed() {
        var document = ICalendarDocument(text)
        document.root.forEachComponent { calendar in
            calendar.forEachComponent { task in
                task.set("UID", ICalendarProperty("UID", value: "1"))
                task.set("X-OTHER", ICalendarProperty("X-OTHER", value: "one"))
                task.set("DUE", ICalendarProperty("DUE", [("VALUE", "DATE")], value: "20260309"))
                task.set("SUMMARY", task.property("SUMMARY")?.replacing(value: "Oats"))
            }
        }
        let expected =
            text
            .replacing("Summary;LANGUAGE=en:Buy\r\n\tmilk\n  and eggs", with: "Summary;LANGUAGE=en:Oats")
            .replacing("X-OTHER;X-P=\"a:b\";x-q=c,\"d,e\":kept\\;", with: "X-OTHER:one")
            .replacing("X-OTHER:again\n", with: "DUE;VALUE=DATE:20260309\n")
        #expect(document.text == expected)
        // A property that is set to its own value stays as it was written.
        let before = ICalendarDocument(text)
        document = before
        document.root.forEachComponent { calendar in
            calendar.forEachComponent { task in
                for property in task.properties {
                    task.set(property.name, task.properties(property.name).map(\.withoutSource))
                }
            }
        }
        #expect(document.text == before.text)
        // New components have the line end of the one around them, at any depth.
        let unix = "BEGIN:A\nBEGIN:B\nBEGIN:C\nX:1\nEND:C\nEND:B\nEND:A\n"
        document = ICalendarDocument(unix)
        document.root.forEachComponent { $0.forEachComponent { $0 = $0.withoutSource } }
        #expect(document.text == unix)
    }

    @Test("Components of a name are found below others of the same name, in order")
    func nested() {
        let inner = ICalendarComponent("X", properties: [ICalendarProperty("N", value: "2")])
        let outer = ICalendarComponent("X", properties: [ICalendarProperty("N", value: "1")], components: [inner])
        let other = ICalendarComponent("Y", components: [ICalendarComponent("X"), outer])
        let root = ICalendarComponent("ROOT", components: [outer, other])
        #expect(root.descendants("X").map { $0.property("N")?.value } == ["1", "2", nil, "1", "2"])
    }

    @Test("Texts and parameters are read as they were written, in lines of at most 75 octets that divide no character")
    func texts() throws {
        for text in ICalendarSamples.texts {
            let property = ICalendarProperty("SUMMARY", [("X-P", text)], value: ICalendarText.escaped(text))
            let bytes = ICalendarComponent("VTODO", properties: [property]).bytes
            let lines = bytes.split(separator: 0x0A)
            #expect(lines.allSatisfy { $0.count <= 76 && $0.last == 0x0D })
            #expect(lines.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
            let read = try #require(ICalendarDocument(bytes).root.descendants("VTODO").first?.property("SUMMARY"))
            #expect(read.plainText == text && read["X-P"] == text, "\(read)")
            #expect(ICalendarText.list("\(ICalendarText.escaped(text)),b") == [text, "b"])
        }
        for length in 74...78 {
            let lines = ICalendarText.folded(String(repeating: "a", count: length)).split(separator: "\r\n")
            #expect(lines.count == (length <= 75 ? 1 : 2))
        }
        #expect(ICalendarText.escaped("a\r\nb\rc\nd") == "a\\nb\\nc\\nd")
    }

    @Test("A text cannot add lines")
    func injection() {
        let property = ICalendarProperty("URL", [("X-P", "a\r\nb")], value: "x\r\nSTATUS:COMPLETED\u{0}")
        #expect(property.text == "URL;X-P=a^nb:xSTATUS:COMPLETED")
    }

    @Test("A fold within a character is undone before the text is decoded")
    func dividedCharacter() {
        let bytes = Array("BEGIN:VTODO\r\nSUMMARY:우".utf8)
        for cut in 1...2 {
            var divided = Array(bytes[..<(bytes.count - cut)])
            divided += [0x0D, 0x0A, 0x20] + bytes[(bytes.count - cut)...]
            divided += Array("\r\nEND:VTODO".utf8)
            let document = ICalendarDocument(divided)
            #expect(document.root.descendants("VTODO").first?.property("SUMMARY")?.value == "우")
            #expect(document.problems.isEmpty && document.bytes == divided)
        }
    }

    @Test(
        "A malformed part is reported with its line, and preserved",
        arguments: [
            ("BEGIN:A\nEND:B\nX:1\n", 2, "no BEGIN"), ("BEGIN:A\nX:1", 1, "cut short"),
            ("BEGIN:A\nhello\nEND:A", 2, "colon"),
            ("END:A", 1, "no BEGIN"), (":x", 1, "colon"), ("X", 1, "colon"), (";A=b:c", 1, "colon"),
            (String(repeating: "BEGIN:A\n", count: 100_000), 33, "nested"),
            ("X:" + String(repeating: "x", count: ICalendarDocument.lineLimit), 1, "bytes"),
        ]
    )
    func malformed(text: String, line: Int, message: String) {
        let document = ICalendarDocument(text)
        #expect(document.problems.first?.line == line)
        #expect(document.problems.first?.message.contains(message) == true, "\(document.problems)")
        #expect(document.text == text)
    }

    @Test("Bytes that are no UTF-8 are reported with their column, in characters")
    func invalidBytes() {
        let document = ICalendarDocument(Array("BEGIN:A\r\nX:우".utf8) + [0xFF] + Array("\r\nEND:A\r\n".utf8))
        #expect(document.problems.map(\.line) == [2] && document.problems.map(\.column) == [4])
    }

    @Test("A text that is cut or damaged at any byte is written as it was read")
    func damaged() {
        let bytes = Array(text.utf8)
        for cut in bytes.indices { #expect(ICalendarDocument(Array(bytes[..<cut])).bytes == Array(bytes[..<cut])) }
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix64(seed: seed)
        for _ in 0..<2_000 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let bytes: [UInt8] = [0, 9, 10, 13, 32, 34, 58, 59, 66, 0x80, 0xEC]
                damaged[Int.random(in: damaged.indices, using: &random)] = bytes.randomElement(using: &random) ?? 0
            }
            #expect(ICalendarDocument(damaged).bytes == damaged, "seed \(seed)")
        }
    }
}
