import Foundation
import Testing

@testable import LocalProvider

/// The coders of property lists, compared with those of Foundation.
@Suite("Coding of property lists")
struct PropertyListCodingTests {
    private enum Shape: Codable, Equatable {
        case point, circle(radius: Double), named(String, count: Int8)
    }

    private enum Letter: String, Codable { case a, b }

    private struct Values: Codable, Equatable {
        var bools = [true, false]
        var integers: [Int] = [0, 1, -1, 255, 256, .min, .max]
        var bytes: [Int8] = [.min, 0, .max]
        var words: [UInt16] = [0, .max]
        var large: [UInt64] = [0, 1 << 63, .max]
        var doubles = [0, -0.5, 1e300, .infinity]
        var floats: [Float] = [0.1, .greatestFiniteMagnitude]
        var texts = ["", "a", "é\u{301}", "개 🐕", "<&>\r\n"]
        var data = Data([0, 255])
        var date = Date(timeIntervalSinceReferenceDate: 1_000)
        var url = URL(string: "https://example.com/a?b")
        var missing: Int?
        var optionals: [Int?] = [1, nil, 3]
        var nested: [String: [[String: Int]]] = ["x": [["y": 1], [:]], "z": []]
        var numbered = [1: "one", 2: "two"]
        var shapes = [Shape.point, .circle(radius: 2), .named("n", count: 3)]
        var letters = [Letter.b, .a]
        var decimal = Decimal(string: "0.1")
        var tree = Tree(children: [Tree(), Tree(children: [Tree()])])
    }

    @Test("White space around the text of an element, and attributes, are ignored, as other programs write them")
    func spaces() throws {
        func read(_ element: String) throws -> PropertyListValue {
            try PropertyListValue(reading: Array("<plist version='1>0'>\n\(element)\n</plist>".utf8))
        }
        for (text, value) in [("5", PropertyListValue.integer(5)), ("0x1F", .integer(31)), ("-0", .integer(0))] {
            for (before, after) in [("", "\n"), ("\t", ""), (" ", " "), ("\r\n\t", "\u{A0}")] {
                #expect(try read("<integer>\(before)\(text)\(after)</integer>") == value)
            }
        }
        #expect(try read("<real> 2.5\n</real>") == .real(2.5))
        #expect(try read("<string> a </string>") == .string(" a "))
    }

    private struct Tree: Codable, Equatable {
        var children: [Tree] = []
    }

    private class Animal: Codable {
        var name = "보리"
    }

    private final class Dog: Animal {
        var age = 3

        private enum CodingKeys: String, CodingKey { case age, places, inner }

        override init() { super.init() }

        required init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            age = try container.decode(Int.self, forKey: .age)
            var places = try container.nestedUnkeyedContainer(forKey: .places)
            #expect(places.count == 4)
            #expect(try places.decode(String.self) == "home" && !places.decodeNil())
            let inner = try places.nestedContainer(keyedBy: CodingKeys.self)
            #expect(inner.allKeys.map(\.stringValue) == ["age"] && inner.contains(.age) && !inner.contains(.inner))
            var list = try places.nestedUnkeyedContainer()
            #expect(list.isAtEnd)
            #expect(throws: DecodingError.self) { try list.decode(Int.self) }
            #expect(try places.decodeNil() && places.isAtEnd)
            let other = try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
            #expect(try other.decodeNil(forKey: .places) && other.decode(Int.self, forKey: .age) == 2)
            try super.init(from: container.superDecoder())
        }

        override func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            var places = container.nestedUnkeyedContainer(forKey: .places)
            try places.encode("home")
            var inner = places.nestedContainer(keyedBy: CodingKeys.self)
            _ = places.nestedUnkeyedContainer()
            // The containers can be used in any order, and one that is requested again is continued.
            var more = container.nestedUnkeyedContainer(forKey: .places)
            try more.encodeNil()
            try inner.encode(1, forKey: .age)
            try super.encode(to: container.superEncoder())
            var other = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
            try other.encodeNil(forKey: .places)
            try container.encode(age, forKey: .age)
            var again = container.nestedContainer(keyedBy: CodingKeys.self, forKey: .inner)
            try again.encode(2, forKey: .age)
        }
    }

    /// Returns the tree that the encoder of Foundation writes.
    private static func foundationTree(_ value: some Encodable) throws -> PropertyListValue {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        return try PropertyListValue(reading: Array(encoder.encode(value)))
    }

    /// A key whose end is visible.
    private final class HeldKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct Nesting: Encodable {
        let key: HeldKey
        let fails: Bool

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: HeldKey.self)
            var inner = container.nestedContainer(keyedBy: HeldKey.self, forKey: key)
            var list = inner.nestedUnkeyedContainer(forKey: key)
            if fails { throw CocoaError(.coderInvalidValue) }
            try list.encode(1)
        }
    }

    @Test("Encoding nested containers leaves no memory behind, also when it fails", arguments: [false, true])
    func nestedContainersEnd(fails: Bool) {
        weak var held: HeldKey?
        do {
            let key = HeldKey(stringValue: "a")
            held = key
            let tree = try? PropertyListValue(encoding: Nesting(key: key, fails: fails))
            #expect((tree == nil) == fails)
        }
        #expect(held == nil)
    }

    @Test("A value has the tree of Foundation's encoder, and is decoded from it by both")
    func sameTrees() throws {
        let values = Values()
        let tree = try PropertyListValue(encoding: values)
        #expect(try tree == Self.foundationTree(values))
        #expect(try PropertyListTreeDecoder.value(Values.self, of: tree) == values)
        for format in PropertyListFormat.allCases {
            #expect(try PropertyListCoding.decode(Values.self, from: tree.written(as: format)) == values)
        }
        let dog = try PropertyListValue(encoding: Dog())
        #expect(try dog == Self.foundationTree(Dog()))
        let copy = try PropertyListTreeDecoder.value(Dog.self, of: dog)
        #expect(copy.age == 3 && copy.name == "보리")
        for single in [PropertyListValue.integer(7), .string("a"), .bool(true), .real(0.5)] {
            switch single {
            case .integer: #expect(try PropertyListValue(encoding: UInt8(7)) == single)
            case .string: #expect(try PropertyListValue(encoding: Letter.a) == single)
            case .bool: #expect(try PropertyListTreeDecoder.value(Bool.self, of: single))
            default: #expect(try PropertyListValue(encoding: Float(0.5)) == single)
            }
        }
    }

    @Test("Numbers are converted where the value is the same, and otherwise throw")
    func numbers() throws {
        func value<Value: Decodable>(_ tree: PropertyListValue, _ type: Value.Type) throws -> Value {
            try PropertyListTreeDecoder.value(type, of: tree)
        }
        #expect(try value(.real(2), Int.self) == 2 && value(.unsigned(.max), UInt64.self) == .max)
        #expect(try value(.integer(3), Double.self) == 3 && value(.integer(3), Float.self) == 3)
        #expect(try value(.real(0.1), Float.self) == 0.1 && value(.real(.infinity), Float.self) == .infinity)
        #expect(throws: DecodingError.self) { try value(.real(2.5), Int.self) }
        #expect(throws: DecodingError.self) { try value(.real(1e300), Float.self) }
        #expect(throws: DecodingError.self) { try value(.integer(300), Int8.self) }
        #expect(throws: DecodingError.self) { try value(.integer(-1), UInt.self) }
        #expect(throws: DecodingError.self) { try value(.unsigned(.max), Int.self) }
        for other in [PropertyListValue.bool(true), .string("1"), .array([]), .date(.distantPast), .data(Data())] {
            #expect(throws: DecodingError.self) { try value(other, Int.self) }
            #expect(throws: DecodingError.self) { try value(other, Double.self) }
        }
        #expect(throws: DecodingError.self) { try value(.integer(1), Bool.self) }
        #expect(throws: DecodingError.self) { try value(.integer(1), String.self) }
        #expect(throws: DecodingError.self) { try value(.real(1), Date.self) }
        #expect(throws: DecodingError.self) { try value(.array([.integer(1)]), Data.self) }
    }

    /// Encodes its members in their order, each twice, the first time with another value.
    private struct Members: Encodable {
        var names: [String]

        struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            for name in names { try container.encode(-1, forKey: Key(stringValue: name)) }
            for name in names { try container.encode(name.utf8.count, forKey: Key(stringValue: name)) }
        }
    }

    @Test("The bytes do not depend on the order of the members, and the last member of a key counts")
    func orderOfMembers() throws {
        let all =
            [
                "", "a", "a1", "ab", "b", "é", "e\u{301}", "<a>", "a&", "a&amp;",
                "k".padding(toLength: 14, withPad: "k", startingAt: 0),
            ]
            + (0..<40).map { "key number \($0)" }
        // Each is the only key of an object.
        let single = all.flatMap { [[$0: 1], [$0.replacing("&", with: "&amp;"): 2]] }
        for format in PropertyListFormat.allCases {
            let bytes = try PropertyListCoding.encode(single, as: format)
            #expect(try PropertyListCoding.decode([[String: Int]].self, from: bytes) == single)
        }
        for count in [0, 1, 2, 8, 16, all.count] {
            let names = Array(all.prefix(count))
            for format in PropertyListFormat.allCases {
                let bytes = try PropertyListCoding.encode(Members(names: names), as: format)
                for _ in 0..<5 {
                    #expect(try PropertyListCoding.encode(Members(names: names.shuffled()), as: format) == bytes)
                }
                guard case .dictionary(let members) = try PropertyListValue(reading: bytes) else {
                    Issue.record("no dictionary")
                    continue
                }
                // Two of the keys are canonically equivalent, which a dictionary of Swift does not distinguish.
                #expect(Set(members.keys) == Set(names))
                for (name, value) in members
                where !name.utf8.elementsEqual("é".utf8) && !name.utf8.elementsEqual("e\u{301}".utf8) {
                    #expect(value == .integer(Int64(name.utf8.count)), "\(name)")
                }
            }
        }
    }

    @Test("Equal scalars are one object of the binary format, whatever their number")
    func equalScalars() throws {
        let texts = (0..<2_000).map { "the text number \($0 % 500), 개" }
        let list = try PropertyListCoding.encode(texts, as: .binary)
        let once = try PropertyListCoding.encode(Array(texts.prefix(500)), as: .binary)
        // Only references are added.
        #expect(list.count == once.count + 1_500 * 2)
        #expect(try PropertyListCoding.decode([String].self, from: list) == texts)
    }

    @Test("A value that is nested without end throws instead of exhausting the stack")
    func endless() throws {
        struct Endless: Encodable {
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                try container.encode(Endless())
            }
        }
        for format in PropertyListFormat.allCases {
            #expect(throws: PropertyListProblem.tooDeep) { try PropertyListCoding.encode(Endless(), as: format) }
        }
    }

    @Test("An error names the place in the value")
    func places() throws {
        struct Outer: Codable {
            var list: [[String: Int8]]
        }
        struct Nothing: Encodable {
            func encode(to encoder: any Encoder) {}
        }
        func problem(_ body: () throws -> Void) -> String {
            do { try body() } catch { return PropertyListCoding.text(of: error) }
            return ""
        }
        func decode(_ element: PropertyListValue) -> String {
            let tree = PropertyListValue.dictionary(["list": .array([.dictionary([:]), element])])
            return problem { _ = try PropertyListTreeDecoder.value(Outer.self, of: tree) }
        }
        #expect(decode(.dictionary(["a": .string("x")])) == "it is not of type Int8 at list.[1].a")
        #expect(decode(.dictionary(["a": .integer(300)])) == "the number does not fit into Int8 at list.[1].a")
        #expect(decode(.integer(1)).hasSuffix(" at list.[1]"))
        #expect(
            problem { _ = try PropertyListTreeDecoder.value(Outer.self, of: .dictionary([:])) } == "\"list\" is missing"
        )
        #expect(problem { _ = try PropertyListValue(encoding: ["a": [Nothing()]]) } == "it encodes nothing at a.[0]")
    }
}
