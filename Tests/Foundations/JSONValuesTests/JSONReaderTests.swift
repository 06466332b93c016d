import Foundation
import JSONValues
import Testing

@Suite("JSON reader")
struct JSONReaderTests {
    private func value(_ text: String) throws(JSONError) -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

    @Test(
        "Valid text is read as JSONDecoder reads it, and written as JSONEncoder writes it",
        arguments: [
            "null", "true", " false ", "0", "-1", "12.5", "1e3", "1E-2", "-0.0", "123456789012345678901234567890",
            "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
            "-9223372036854775808", "-9223372036854775809", "0.1", "1.7976931348623157e308", "5e-324", "1.0",
            "\"\"", "\"a\\n\\t\\\"\\\\\\/\\b\\f\\r\\u00e9\\ud83d\\ude00 한글\"", "[]", "[1,[2,[3]]]", "{}",
            "{\"a\":{\"b\":[null,true,\"x\"]},\"c\":-2.25}", "\t\n\r [ 1 , 2 ] ",
            "{\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"e\":5,\"f\":6,\"g\":7,\"h\":8,\"i\":9,\"j\":10}",
        ]
    )
    func matchesDecoder(text: String) throws {
        let expected = try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        #expect(try value(text) == expected)
        // And written as JSONEncoder writes it.
        let encoder = JSONEncoder()
        for isPretty in [false, true] {
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, isPretty ? .prettyPrinted : []]
            let written = JSONWriter.bytes(isPretty: isPretty) { $0.write(expected) }
            #expect(
                try String(decoding: written, as: UTF8.self)
                    == String(decoding: encoder.encode(expected), as: UTF8.self)
            )
        }
    }

    @Test(
        "Invalid text is refused with the line and the column of the fault",
        arguments: [
            ("", 1, 1), ("[1,]", 1, 4), ("{\"id\":0,}", 1, 9), ("[1 2]", 1, 4), ("{\"a\" 1}", 1, 6), ("{1:2}", 1, 2),
            ("tru", 1, 1), ("01", 1, 1), ("1.", 1, 3), ("1e", 1, 3), ("-", 1, 1), ("+1", 1, 1), (".5", 1, 1),
            ("\"abc", 1, 5), ("\"a\nb\"", 1, 3), ("\"\\x\"", 1, 2), ("\"\\u12g4\"", 1, 6), ("\"\\ud800\"", 1, 2),
            ("\"\\udc00\"", 1, 2), ("\"\\ud800\\u0041\"", 1, 2), ("1 2", 1, 3), ("[\n  1,\n  ?\n]", 3, 3),
            ("{\"a\":1,\n \"a\":2}", 2, 2), ("{\"a\":1", 1, 7), ("[", 1, 2), ("NaN", 1, 1),
        ]
    )
    func refuses(text: String, line: Int, column: Int) throws {
        let error = try #require(throws: JSONError.self) { try value(text) }
        #expect((error.line, error.column) == (line, column), "\(error)")
    }

    @Test("Invalid UTF-8, a byte order mark and deep nesting are refused")
    func refusesBytes() {
        #expect(throws: JSONError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: [0xEF, 0xBB, 0xBF, 0x31]) }
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        #expect(throws: Never.self) { try value(deep) }
        #expect(throws: JSONError.self) { try value("[\(deep)]") }
    }

    @Test("A member that repeats a name is refused among few and among many members")
    func duplicates() {
        let names = (0..<20).map { "\"n\($0)\":0" }.joined(separator: ",")
        #expect(throws: Never.self) { try value("{\(names)}") }
        #expect(throws: JSONError.self) { try value("{\"b\":0,\"a\":0,\"b\":1}") }
        for name in ["n0", "n7", "n8", "n19"] {
            #expect(throws: JSONError.self) { try value("{\(names),\"\(name)\":1}") }
        }
    }

    @Test("Expected names are found in any order, also with escapes, and may not be repeated")
    func expectedNames() throws {
        let names = JSONNames(["a", "bb", "b", "c", "d", "e", "f", "é"])
        func read(_ text: String) throws(JSONError) -> [String] {
            try JSONReader.read(Array(text.utf8)) { reader throws(JSONError) in
                var found: [String] = []
                try reader.readObject(expecting: names) { name, reader throws(JSONError) in
                    try reader.skipValue()
                    switch name {
                    case .expected(let place): found.append("\(place)")
                    case .other(let name): found.append(name)
                    }
                }
                return found
            }
        }
        #expect(try read("{}") == [])
        #expect(try read(#"{"a":0,"bb":0,"f":0,"é":0}"#) == ["0", "1", "6", "7"])
        #expect(try read(#"{"é":0,"x":0,"b":0,"":0,"\u0061":0,"bbb":0}"#) == ["7", "x", "2", "", "0", "bbb"])
        for text in [#"{"b":0,"b":0}"#, #"{"a":0,"c":0,"\u0061":0}"#, #"{"f":0,"a":0,"f":0}"#, #"{"x":0,"a":0,"x":0}"#]
        {
            let error = #expect(throws: JSONError.self) { try read(text) }
            #expect(error?.message.hasPrefix("the object has two members named ") == true, "\(text)")
        }
        for text in [#"{"b"#, #"{"bb"#, #"{"a":0,"bb"#, #"{"a" 0}"#] {
            #expect(throws: JSONError.self) { try read(text) }
        }
    }

    @Test("Names that differ only in their bytes are members of one text, but not of one dictionary")
    func equivalentNames() throws {
        let text = "{\"\u{E9}\":1,\"e\u{301}\":2}"
        let members = try JSONValue.members(parsing: Array(text.utf8))
        #expect(members.map { Array($0.name.utf8) } == [Array("\u{E9}".utf8), Array("e\u{301}".utf8)])
        #expect(members.map(\.value) == [.integer(1), .integer(2)])
        #expect(throws: JSONError.self) { try value(text) }
    }

    @Test("The reader reads value by value, and skips what is not wanted")
    func streams() throws {
        let text = #"{"skip": [1, {"a": "}"}], "wanted": [1, 2.5, 18446744073709551615, -0], "flag": true, "no": null}"#
        var numbers: [JSONReader.Number] = []
        var skipped: Range<Int>?
        try JSONReader.read(Array(text.utf8)) { reader throws(JSONError) in
            try reader.readObject { name, reader throws(JSONError) in
                switch name {
                case "wanted":
                    try reader.readArray { reader throws(JSONError) in numbers.append(try reader.readNumber()) }
                case "flag": #expect(try reader.readBool())
                case "no": try reader.readNull()
                default: skipped = try reader.skipValue()
                }
            }
        }
        #expect(numbers == [.integer(1), .double(2.5), .unsigned(.max), .double(-0.0)])
        let range = try #require(skipped)
        #expect(String(decoding: Array(text.utf8)[range], as: UTF8.self) == #"[1, {"a": "}"}]"#)
    }

    @Test("The names of an object's members are compared in linear time")
    func manyNames() throws {
        func comparisons(_ count: Int) throws -> Int {
            let text = "{" + (0..<count).map { "\"x\($0)\":\($0)" }.joined(separator: ",") + "}"
            return try JSONReader.read(Array(text.utf8)) { reader throws(JSONError) in
                try reader.readObject { _, reader throws(JSONError) in _ = try reader.readNumber() }
                return reader.nameComparisons
            }
        }
        let (few, many) = (try comparisons(1000), try comparisons(8000))
        #expect(few >= 1000 && many <= 8 * few)
    }

    @Test("A value of another kind than the one read is an error at its position")
    func unexpected() throws {
        let error = try #require(throws: JSONError.self) {
            try JSONReader.read(Array(" 12".utf8)) { reader throws(JSONError) in try reader.readString() }
        }
        #expect(error.description == "line 1, column 2: a string is expected")
    }

    @Test(
        "Integers of up to 20 digits are read exactly",
        arguments: [
            "99999999999999999", "123456789012345678", "999999999999999999", "-999999999999999999",
            "1234567890123456789", "9223372036854775807", "-9223372036854775808", "18446744073709551615",
        ]
    )
    func integers(text: String) throws {
        #expect(try "\(value(text))".contains(text))
        #expect(try value(text) == JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)))
    }

    @Test("Decimal numbers are rounded correctly")
    func rounding() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let number = Double(bitPattern: UInt64.random(in: .min ... .max, using: &generator))
            guard number.isFinite else { continue }
            for text in ["\(number)", String(format: "%.6e", number), String(format: "%.3f", number / 1e290)] {
                let read = try JSONReader.read(Array(text.utf8)) { reader throws(JSONError) in try reader.readDouble() }
                #expect(read == Double(text), "\(text)")
            }
        }
    }

    @Test("A quoted string is what JSONEncoder writes")
    func quotes() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        for text in ["", "a/b", "\"\\", "\u{1}\u{1F}\u{7F}\n\r\t\u{8}\u{C}", "한글 👩‍👩‍👧 \u{2028}"] {
            #expect(try Array(encoder.encode(text)) == JSONText.quoted(text))
        }
    }
}
