import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// The same values, written down once for us, once for Python and once for Foundation: each reads what the others wrote.
@Suite("Interoperation")
struct InteroperationTests {
    private let folder: TemporaryDirectory
    private let name: LocalIdentifier

    init() throws {
        folder = try TemporaryDirectory("interoperation")
        name = try LocalIdentifier("x")
    }

    private var url: URL { folder.file("x.plist") }

    // MARK: Property lists

    private static func date(_ seconds: Double) -> PropertyListValue { .date(Date(timeIntervalSince1970: seconds)) }

    private static func tree(_ format: PropertyListFormat) -> PropertyListValue {
        var members: [String: PropertyListValue] = [
            "한글 키": .string("가나다 \u{1F415}\u{200D}\u{1F9BA} é e\u{301} <&>\"' \t\n]]>"), "": .string(""),
            "zero": .integer(0), "minus": .integer(-1), "byte": .integer(255), "more": .integer(256),
            "word": .integer(65_536), "least": .integer(.min), "most": .integer(.max),
            "beyond": .unsigned(UInt64(Int64.max) + 1), "largest": .unsigned(.max), "tenth": .real(0.1),
            "third": .real(1.0 / 3), "huge": .real(.greatestFiniteMagnitude), "tiny": .real(.leastNonzeroMagnitude),
            "below": .real(-0.0), "endless": .real(.infinity), "endlessly less": .real(-.infinity), "yes": .bool(true),
            "no": .bool(false), "epoch": date(0), "old": date(-2_208_988_800), "far": date(253_402_300_799),
            "leap": date(951_782_400), "none": .data(Data()), "all": .data(Data(0...255)),
            "long": .data(Data(repeating: 7, count: 1_000)), "text": .string(String(repeating: "장", count: 300)),
            "list": .array([.integer(1), .array([.string("a"), .array([])]), .dictionary(["b": .dictionary([:])])]),
            "many": .array((0..<400).map { .integer($0) }),
        ]
        if format == .binary { members["moment"] = date(1_700_000_000.25) }
        return .dictionary(members)
    }

    private static let pythonTree = #"""
        import plistlib, sys, math, datetime
        kind = plistlib.FMT_BINARY if sys.argv[2] == 'binary' else plistlib.FMT_XML
        when = lambda *parts: datetime.datetime(*parts)
        tree = {
            '한글 키': '가나다 \U0001F415\u200D\U0001F9BA é e\u0301 <&>"\' \t\n]]>', '': '', 'zero': 0, 'minus': -1,
            'byte': 255, 'more': 256, 'word': 65536, 'least': -2**63, 'most': 2**63 - 1, 'beyond': 2**63,
            'largest': 2**64 - 1, 'tenth': 0.1, 'third': 1.0 / 3, 'huge': sys.float_info.max, 'tiny': 5e-324,
            'below': -0.0, 'endless': math.inf, 'endlessly less': -math.inf, 'yes': True, 'no': False,
            'epoch': when(1970, 1, 1), 'old': when(1900, 1, 1), 'far': when(9999, 12, 31, 23, 59, 59),
            'leap': when(2000, 2, 29), 'none': b'', 'all': bytes(range(256)), 'long': b'\x07' * 1000, 'text': '장' * 300,
            'list': [1, ['a', []], {'b': {}}], 'many': list(range(400)),
        }
        if sys.argv[2] == 'binary': tree['moment'] = when(2023, 11, 14, 22, 13, 20, 250000)
        def same(a, b):
            if type(a) is not type(b): return False
            if isinstance(a, dict): return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
            if isinstance(a, list): return len(a) == len(b) and all(map(same, a, b))
            if isinstance(a, float): return math.copysign(1, a) == math.copysign(1, b) and a == b
            return a == b

        """#

    @Test(
        "Python's plistlib reads every written value",
        .enabled(if: Python.path != nil, "python3 is not installed"),
        arguments: PropertyListFormat.allCases
    )
    func pythonReads(format: PropertyListFormat) async throws {
        try PropertyListStore(in: folder, format).setTree(Self.tree(format), for: name)
        let script = """
            with open(sys.argv[1], 'rb') as file: value = plistlib.load(file)
            wrong = [key for key in tree.keys() | value.keys() if not same(tree.get(key), value.get(key))]
            assert not wrong, [(key, tree.get(key), value.get(key)) for key in wrong]
            """
        try await Python.run(Self.pythonTree + script, [url.path, "\(format)"])
    }

    @Test(
        "Every value of Python's plistlib is read",
        .enabled(if: Python.path != nil, "python3 is not installed"),
        arguments: PropertyListFormat.allCases
    )
    func pythonWrites(format: PropertyListFormat) async throws {
        let script = "with open(sys.argv[1], 'wb') as file: plistlib.dump(tree, file, fmt=kind)"
        try await Python.run(Self.pythonTree + script, [url.path, "\(format)"])
        let store = PropertyListStore(in: folder, format)
        let read = try #require(try store.tree(for: name))
        Self.compare(read, Self.tree(format))
        // Foundation's own XML has no zero below zero.
        guard case .dictionary(let members) = read, case .real(let zero) = members["below"] else { return }
        #expect(zero.sign == .minus)
        #expect(store.recoveries.isEmpty)
    }

    private static func compare(_ read: PropertyListValue, _ wanted: PropertyListValue) {
        guard case .dictionary(let read) = read, case .dictionary(let wanted) = wanted else {
            Issue.record("no dictionary")
            return
        }
        #expect(read.keys.sorted() == wanted.keys.sorted())
        for (key, value) in wanted { #expect(read[key] == value, "\(key)") }
    }

    /// The tree as Foundation represents it, without differences that are lost in bridging.
    private static func object(_ value: PropertyListValue) -> Any {
        switch value {
        case .bool(let value): value
        case .integer(let value): value
        case .unsigned(let value): value
        case .real(let value): value
        case .string(let value): value
        case .data(let value): value
        case .date(let value): value
        case .uid(let value): value
        case .array(let values): values.map(object)
        case .dictionary(let values): values.mapValues(object)
        }
    }

    @Test("Foundation reads every written value", arguments: PropertyListFormat.allCases)
    func foundationReads(format: PropertyListFormat) throws {
        try PropertyListStore(in: folder, format).setTree(Self.tree(format), for: name)
        let read = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil)
        let dictionary = try #require(read as? [String: Any])
        guard case .dictionary(let members) = Self.tree(format) else { return }
        #expect(Set(dictionary.keys) == Set(members.keys))
        for (key, value) in members {
            let (found, wanted) = (dictionary[key], Self.object(value))
            #expect((found as? NSObject) == (wanted as? NSObject), "\(key): \(String(describing: found))")
        }
    }

    @Test("Every value of Foundation is read", arguments: PropertyListFormat.allCases)
    func foundationWrites(format: PropertyListFormat) throws {
        let written: PropertyListSerialization.PropertyListFormat = format == .binary ? .binary : .xml
        let object = Self.object(Self.tree(format))
        try PropertyListSerialization.data(fromPropertyList: object, format: written, options: 0).write(to: url)
        Self.compare(try #require(try PropertyListStore(in: folder, format).tree(for: name)), Self.tree(format))
    }

    @Test("A structure is unchanged after coding by each other implementation", arguments: PropertyListFormat.allCases)
    func coders(format: PropertyListFormat) throws {
        let value = ["a": [Profile(), Profile(name: "", age: .min, tags: [], icon: Data(), nick: "별명")]]
        let store = PropertyListStore(in: folder, format)
        try store.set(value, for: name, rule: .set, durability: nil)
        #expect(try PropertyListDecoder().decode([String: [Profile]].self, from: Data(contentsOf: url)) == value)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format == .binary ? .binary : .xml
        try encoder.encode(value).write(to: url)
        #expect(try store.value(for: name, as: [String: [Profile]].self) == value)
    }

    @Test("NaN stays NaN in a property list", arguments: PropertyListFormat.allCases)
    func notANumber(format: PropertyListFormat) throws {
        let store = PropertyListStore(in: folder, format)
        try store.set([Double.nan, 1], for: name, rule: .set, durability: nil)
        let read = try #require(try store.value(for: name, as: [Double].self))
        #expect(read.count == 2 && read[0].isNaN && read[1] == 1)
        let other = try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil) as? [Double]
        #expect(other?.first?.isNaN == true)
    }

    // MARK: JSON

    private static let numbers: [String: Double] = [
        "tenth": 0.1, "third": 1.0 / 3, "huge": .greatestFiniteMagnitude, "tiny": .leastNonzeroMagnitude, "e": 1e-7,
    ]
    private static let integers: [String: Int64] = ["least": .min, "most": .max, "0": 0, "minus": -1]
    private static let texts = [
        "한글": "가나다 \u{1F415}\u{200D}\u{1F9BA}", "escapes": "\"\\/\u{8}\u{C}\n\r\t\u{0}\u{1F}\u{7F}\u{2028}\u{FFFF}",
        "parts": "é e\u{301}", "": "",
    ]

    private static let pythonValues = #"""
        import json, sys
        values = {
            'numbers': {'tenth': 0.1, 'third': 1.0 / 3, 'huge': sys.float_info.max, 'tiny': 5e-324, 'e': 1e-7},
            'integers': {'least': -2**63, 'most': 2**63 - 1, '0': 0, 'minus': -1}, 'largest': 2**64 - 1,
            'texts': {'한글': '가나다 \U0001F415\u200D\U0001F9BA',
                'escapes': '"\\/\b\f\n\r\t\0\x1f\x7f\u2028\uffff', 'parts': 'é e\u0301', '': ''},
            'nested': [[], [[1, None]], [[[True]], False]], '열쇠 "k"': 'v',
        }

        """#

    private func keep(in store: JSONDefaults) throws {
        try store.set("numbers", Self.numbers)
        try store.set("integers", Self.integers)
        try store.set("largest", UInt64.max)
        try store.set("texts", Self.texts)
        try store.set("nested", JSONValue.array(Self.nested))
        try store.set("열쇠 \"k\"", "v")
    }

    private static let nested: [JSONValue] = [
        .array([]), .array([.array([.integer(1), .null])]), .array([.array([.array([.bool(true)])]), .bool(false)]),
    ]

    private func expectAll(in store: JSONDefaults) throws {
        func value<Value: Codable & Sendable>(_ name: String, as type: Value.Type) throws -> Value? {
            try store.value(for: LocalIdentifier(name), as: type)
        }
        #expect(try store.count() == 6)
        #expect(try value("numbers", as: [String: Double].self) == Self.numbers)
        #expect(try value("integers", as: [String: Int64].self) == Self.integers)
        #expect(try value("largest", as: UInt64.self) == .max)
        #expect(try value("texts", as: [String: String].self) == Self.texts)
        #expect(try value("nested", as: JSONValue.self) == .array(Self.nested))
        #expect(try value("열쇠 \"k\"", as: String.self) == "v")
    }

    private func defaults() -> JSONDefaults {
        JSONDefaults(location: FileStoreLocation(directory: folder.path))
    }

    @Test(
        "Python's json reads exported values, and its output is imported",
        .enabled(if: Python.path != nil, "python3 is not installed"),
        arguments: ["True", "False"]
    )
    func pythonJSON(ascii: String) async throws {
        let store = defaults()
        try keep(in: store)
        let file = folder.file("x.json")
        try store.exportJSON().write(to: file)
        let script = """
            with open(sys.argv[1], encoding='utf-8') as file: read = json.load(file)
            wrong = [key for key in values.keys() | read.keys() if values.get(key) != read.get(key)]
            assert not wrong, [(key, values.get(key), read.get(key)) for key in wrong]
            with open(sys.argv[1], 'w', encoding='utf-8') as file: json.dump(values, file, ensure_ascii=\(ascii))
            """
        try await Python.run(Self.pythonValues + script, [file.path])
        try store.removeAll(durability: nil)
        try store.importJSON(Data(contentsOf: file))
        try expectAll(in: store)
    }

    @Test("Foundation reads exported values, and its output is imported")
    func foundationJSON() throws {
        let store = defaults()
        try keep(in: store)
        let exported = try store.exportJSON()
        let object = try #require(try JSONSerialization.jsonObject(with: exported) as? [String: Any])
        #expect(object["numbers"] as? [String: Double] == Self.numbers)
        #expect(object["integers"] as? [String: Int64] == Self.integers)
        #expect(object["largest"] as? UInt64 == .max)
        #expect(object["texts"] as? [String: String] == Self.texts)
        try store.removeAll(durability: nil)
        try store.importJSON(JSONSerialization.data(withJSONObject: object))
        try expectAll(in: store)
    }

    @Test("A value without a form in JSON is refused, and nothing is stored")
    func notInJSON() throws {
        let store = defaults()
        for value in [Double.nan, .infinity, -.infinity] {
            let error = #expect(throws: LocalError.self) { try store.set("x", [value], nil) }
            guard case .unencodable = error else { throw CancellationError() }
        }
        #expect(try store.count() == 0)
    }
}
