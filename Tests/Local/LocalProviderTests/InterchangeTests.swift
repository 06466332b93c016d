import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// What is written here is read elsewhere, and the other way round.
@Suite("Interchange")
struct InterchangeTests {
    private let folder: TemporaryDirectory
    private let path: String

    init() throws {
        folder = try TemporaryDirectory("interchange")
        path = folder.file("x.plist").path
    }

    @Test("A file edited by hand is accepted without its checksum line, and damaged with it")
    func editedByHand() throws {
        let store = PropertyListStore(in: folder, .xml)
        let name = try LocalIdentifier("x")
        try store.set(["a": "before"], for: name, rule: .set, durability: nil)
        let text = try String(contentsOfFile: path, encoding: .utf8).replacingOccurrences(of: "before", with: "after")
        try Data(text.utf8).write(to: folder.file("x.plist"))
        #expect(throws: LocalError.self) { try store.value(for: name, as: [String: String].self) }
        let lines = text.split(separator: "\n").filter { !$0.contains("checksum") }
        try Data(lines.joined(separator: "\n").utf8).write(to: folder.file("x.plist"))
        #expect(try store.value(for: name, as: [String: String].self) == ["a": "after"])
    }

    @Test("An edited file with its checksum line is set aside, and accepted when it comes back without")
    func editedWithChecksum() throws {
        let store = PropertyListStore(in: folder, .xml)
        let name = try LocalIdentifier("x")
        for text in ["first", "before"] { try store.set(["a": text], for: name, rule: .set, durability: nil) }
        let text = try String(contentsOfFile: path, encoding: .utf8).replacingOccurrences(of: "before", with: "edited")
        try Data(text.utf8).write(to: folder.file("x.plist"))
        // Whole for any reader, and yet no bit that flips may pass for a value.
        #expect(try store.value(for: name, as: [String: String].self) == ["a": "first"])
        let recovery = try #require(store.recoveries.first)
        let setAside = try #require(recovery.setAside)
        #expect(try String(contentsOfFile: setAside, encoding: .utf8) == text)
        #expect(recovery.description.contains(setAside) && recovery.description.contains("delete the last line"))
        let lines = text.split(separator: "\n").dropLast()
        try Data(lines.joined(separator: "\n").utf8).write(to: folder.file("x.plist"))
        #expect(try store.value(for: name, as: [String: String].self) == ["a": "edited"])
        #expect(store.recoveries.count == 1)
    }

    @Test(
        "Identifiers that a dictionary does not distinguish throw an error, and an export has them all",
        arguments: LocalStoreKind.standard
    )
    func equalIdentifiers(kind: LocalStoreKind) throws {
        let provider = LocalProvider(location: FileStoreLocation(directory: folder.path))
        let names = ["e\u{301}", "\u{E9}", "\"\\\u{E9}{[:,", "\"\\e\u{301}{[:,"]
        for (number, name) in names.enumerated() { try provider.set(LocalKey(name, in: kind), to: number) }
        let error = #expect(throws: LocalError.self) { try provider.all(Int.self, in: kind) }
        guard case .invalidIdentifier = error else { throw CancellationError() }
        #expect(try provider.count(in: kind) == 4)
        #expect(try provider.readable(Int.self, in: kind).failures.count == 2)
        guard kind == .defaults else { return }
        let exported = try provider.defaults.exportJSON()
        let other = JSONDefaults(location: FileStoreLocation(directory: folder.path), name: "other")
        try other.importJSON(exported, replacing: true)
        for (number, name) in names.enumerated() { #expect(try other.value(name) == number) }
        #expect(try other.exportJSON() == exported)
        let escaped = Data(#"{"a": {"b": [1, "}"], "c": 2}, "\u00e9" : 5 ,"e\u0301":[6,{"x":"y"}], "z": "\\\""}"#.utf8)
        try other.importJSON(escaped, replacing: true)
        #expect(try other.count() == 4)
        #expect(try other.value("\u{E9}") == 5)
        #expect(try other.value(for: LocalIdentifier("z"), as: String.self) == "\\\"")
    }

    @Test("Single values are property lists too", arguments: PropertyListFormat.allCases)
    func fragments(format: PropertyListFormat) throws {
        let store = PropertyListStore(in: folder, format)
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

    @Test("The values of a journal are exported as plain JSON and imported again")
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
        try other.set("old", 1, nil)
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
