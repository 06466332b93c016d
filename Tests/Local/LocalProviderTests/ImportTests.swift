import Foundation
import TestSupport
import Testing

@testable import LocalProvider

/// Importing JSON is strict, and errors name the place.
@Suite("Importing JSON")
struct ImportTests {
    private let folder: TemporaryDirectory
    private let store: JSONDefaults

    init() throws {
        folder = try TemporaryDirectory("import")
        store = JSONDefaults(location: FileStoreLocation(directory: folder.path))
        try store.set("old", 1, nil)
    }

    @Test(
        "Invalid JSON is refused with its line and column, and nothing is changed",
        arguments: [
            (#"{"id":0,}"#, 1, 9), ("{\"list\":\n  [1,]}", 2, 6), ("[1]", 1, 1), ("{\"a\": 1}\n}", 2, 1), ("", 1, 1),
            ("{\"a\": 1,\n \"a\": 2}", 2, 2), ("{\"x\": {\"a\": 1,\n \"a\": 2}}", 2, 2), (#"{"a": 01}"#, 1, 7),
            ("{\"a\": \"\u{1}\"}", 1, 8), (#"{"a": nul}"#, 1, 7),
        ]
    )
    func invalid(text: String, line: Int, column: Int) throws {
        let error = try #require(throws: LocalError.self) {
            try store.importJSON(Data(text.utf8), replacing: true)
        }
        guard case .invalidImport(line, column, _) = error else { throw error }
        #expect(error.description.contains("line \(line), column \(column)"))
        #expect(error.description.contains("nothing was changed") && !error.description.contains("delete"))
        #expect(try store.numbers() == ["old": 1])
    }

    @Test("Numbers with the same value have the same form after an import, and large ones stay exact")
    func numbers() throws {
        let text = #"{"big": 18446744073709551615, "fraction": 1.5, "one": 1.0, "small": -9223372036854775808}"#
        try store.importJSON(Data(text.utf8), replacing: true)
        #expect(try store.value(for: LocalIdentifier("big"), as: UInt64.self) == .max)
        #expect(try store.value(for: LocalIdentifier("small"), as: Int64.self) == .min)
        #expect(try store.value(for: LocalIdentifier("fraction"), as: Double.self) == 1.5)
        #expect(try store.value(for: LocalIdentifier("one"), as: Double.self) == 1)
    }
}
