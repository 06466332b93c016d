import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// What is written here is read elsewhere, and the other way round.
@Suite("Interchange")
struct InterchangeTests {
    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
        folder = try TemporaryDirectory("interchange")
        path = folder.file("x.plist").path
    }

    private func store(_ format: PropertyListFormat) -> PropertyListStore {
        var options = PropertyListStore.Options()
        options.format = format
        return PropertyListStore(location: FileStoreLocation(directory: folder.path), options: options)
    }

    private static let tree = PropertyListValue.dictionary([
        "text": .string("한글 & <b> \u{1F415}\n"), "whole": .integer(-5), "large": .integer(.max),
        "largest": .unsigned(.max), "real": .real(0.1), "yes": .bool(true), "no": .bool(false),
        "bytes": .data(Data(0...255)), "when": .date(Date(timeIntervalSince1970: 1_700_000_000)),
        "list": .array((0..<300).map { .integer($0) }), "empty": .array([]), "nothing": .dictionary([:]),
        "": .string(""),
    ])

    @Test("A property list is read by Foundation as it was written", arguments: PropertyListFormat.allCases)
    func foundationReads(format: PropertyListFormat) throws {
        try store(format).setTree(Self.tree, for: LocalIdentifier("x"))
        let read = try PropertyListSerialization.propertyList(
            from: Data(contentsOf: folder.file("x.plist")),
            format: nil
        )
        let dictionary = try #require(read as? [String: Any])
        #expect(dictionary["text"] as? String == "한글 & <b> \u{1F415}\n")
        #expect(dictionary["whole"] as? Int == -5)
        #expect(dictionary["bytes"] as? Data == Data(0...255))
        #expect(dictionary["when"] as? Date == Date(timeIntervalSince1970: 1_700_000_000))
        #expect((dictionary["list"] as? [Int])?.count == 300)
        #expect(dictionary.count == 13)
    }

    @Test("A property list of Foundation is read as it was written", arguments: PropertyListFormat.allCases)
    func foundationWrites(format: PropertyListFormat) throws {
        let values: [String: Any] = [
            "a": [1, 2.5, "x"] as [Any], "b": Data([1]), "c": Date(timeIntervalSince1970: 60),
        ]
        let written: PropertyListSerialization.PropertyListFormat = format == .binary ? .binary : .xml
        let data = try PropertyListSerialization.data(fromPropertyList: values, format: written, options: 0)
        try data.write(to: folder.file("x.plist"))
        let expected = PropertyListValue.dictionary([
            "a": .array([.integer(1), .real(2.5), .string("x")]), "b": .data(Data([1])),
            "c": .date(Date(timeIntervalSince1970: 60)),
        ])
        #expect(try store(format).tree(for: LocalIdentifier("x")) == expected)
    }

    @Test(
        "Python's plistlib reads what is written here, and the other way round",
        .enabled(if: python != nil),
        arguments: PropertyListFormat.allCases
    )
    func plistlib(format: PropertyListFormat) async throws {
        let store = store(format)
        let name = try LocalIdentifier("x")
        try store.setTree(Self.tree, for: name)
        let kind = format == .binary ? "FMT_BINARY" : "FMT_XML"
        let script = """
            import plistlib, sys
            value = plistlib.load(open(sys.argv[1], 'rb'))
            assert value['text'] == '한글 & <b> \\U0001F415\\n', value['text']
            assert value['largest'] == 2**64 - 1 and value['large'] == 2**63 - 1 and value['whole'] == -5
            assert value['bytes'] == bytes(range(256)) and value['real'] == 0.1 and value['yes'] is True
            assert value['list'] == list(range(300)) and value['when'].year == 2023
            plistlib.dump(value, open(sys.argv[1], 'wb'), fmt=plistlib.\(kind))
            """
        let result = try await ChildProcess.run(
            URL(fileURLWithPath: #require(Self.python)),
            ["-c", script, path],
            environment: ["PYTHONIOENCODING": "utf-8", "LC_ALL": "C.UTF-8"]
        )
        #expect(result.status == 0, "\(result.errors)")
        #expect(try store.tree(for: name) == Self.tree)
        #expect(store.recoveries.isEmpty)
    }

    @Test("A file edited by hand is accepted once its checksum's line is gone, and told as damaged before")
    func editedByHand() throws {
        let store = store(.xml)
        let name = try LocalIdentifier("x")
        try store.set(["a": "before"], for: name, rule: .set, durability: nil)
        let text = try String(contentsOfFile: path, encoding: .utf8).replacingOccurrences(of: "before", with: "after")
        try Data(text.utf8).write(to: folder.file("x.plist"))
        #expect(throws: LocalError.self) { try store.value(for: name, as: [String: String].self) }
        let lines = text.split(separator: "\n").filter { !$0.contains("checksum") }
        try Data(lines.joined(separator: "\n").utf8).write(to: folder.file("x.plist"))
        #expect(try store.value(for: name, as: [String: String].self) == ["a": "after"])
    }

    @Test("Single values are property lists too", arguments: PropertyListFormat.allCases)
    func fragments(format: PropertyListFormat) throws {
        let store = store(format)
        let name = try LocalIdentifier("x")
        func check<Value: Codable & Sendable & Equatable>(_ value: Value) throws {
            try store.set(value, for: name, rule: .set, durability: nil)
            #expect(try store.value(for: name, as: Value.self) == value)
        }
        try check(5)
        try check(UInt64.max)
        try check("text")
        try check(true)
        try check(1.5)
        try check(Data([1, 2]))
        try check(Date(timeIntervalSince1970: 86_400))
    }

    @Test("The journal's values go out as plain JSON and come in again")
    func json() async throws {
        let location = FileStoreLocation(directory: folder.path)
        let provider = LocalProvider(location: location)
        try provider.set(LocalKey("profile", in: .defaults), to: Profile())
        try provider.set(LocalKey("나이", in: .defaults), to: 7)
        try provider.set(LocalKey("\"quoted\"\n", in: .defaults), to: ["a": [1.5, -2, 1e300]])
        let exported = try provider.defaults.exportJSON()
        let object = try #require(try JSONSerialization.jsonObject(with: exported) as? [String: Any])
        #expect(Set(object.keys) == ["profile", "나이", "\"quoted\"\n"])

        let other = JSONDefaults(location: location, name: "other")
        try other.set(1, for: LocalIdentifier("old"), rule: .set, durability: nil)
        try other.importJSON(exported)
        #expect(try other.count() == 4)
        #expect(try other.value(for: LocalIdentifier("profile"), as: Profile.self) == Profile())
        try other.importJSON(exported, replacing: true)
        #expect(try other.exportJSON() == exported)
        #expect(throws: LocalError.self) { try other.importJSON(Data("[1]".utf8)) }
        #expect(throws: LocalError.self) { try other.importJSON(Data("{\"a\":1,\"\":2}".utf8), replacing: true) }
        #expect(try other.exportJSON() == exported)
    }
}
