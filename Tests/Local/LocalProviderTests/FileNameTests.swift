import Foundation
import TestSupport
import Testing

@testable import LocalProvider

@Suite("Names and places")
struct FileNameTests {
    @Test("File names stay in the folder, differ even if case is folded, and can be read back")
    func names() {
        var generator = SeededGenerator()
        let letters = [
            "a", "A", ".", "/", "%", "~", "2", "F", "\u{0}", "\n", "가", "e\u{301}", "\u{E9}", " ", "-", "_", "\\",
        ]
        var seen: [String: [UInt8]] = [:]
        for _ in 0..<(isLongRun ? 100_000 : 5_000) {
            let count = Int.random(in: 1...Int.random(in: 1...90, using: &generator), using: &generator)
            let text = (0..<count).compactMap { _ in letters.randomElement(using: &generator) }.joined()
            let name = SafeFileName.name(for: text)
            #expect(name.utf8.count <= 200 && !name.contains("/") && !name.hasPrefix(".") && name != "")
            #expect(name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
            let folded = name.lowercased()
            #expect(seen[folded] == nil || seen[folded] == Array(text.utf8), "seed \(generator.seed): \(name)")
            seen[folded] = Array(text.utf8)
            if !SafeFileName.isHashed(name) {
                #expect(SafeFileName.identifier(of: name).map { Array($0.utf8) } == Array(text.utf8))
            }
        }
    }

    @Test("A name of the maximum length holds its identifier, and a longer one is hashed")
    func longest() {
        let longest = String(repeating: "a", count: SafeFileName.longest)
        #expect(SafeFileName.name(for: longest) == longest)
        let hashed = SafeFileName.name(for: longest + "a")
        #expect(SafeFileName.isHashed(hashed) && hashed.utf8.count <= SafeFileName.longest)
    }

    @Test("A hashed name does not end in a part of an escape sequence", arguments: [111, 112, 113, 114])
    func cutEscape(count: Int) {
        let name = SafeFileName.name(for: String(repeating: "a", count: count) + String(repeating: "/", count: 40))
        let start = name.utf8.count - 66
        #expect(SafeFileName.isHashed(name) && start == (count == 111 ? 114 : count))
        let expected = String(repeating: "a", count: count) + (count == 111 ? "%2F" : "")
        #expect(name.prefix(start) == expected)
    }

    @Test("Locations follow the XDG specification, which ignores relative paths")
    func places() throws {
        func path(_ purpose: FileStoreLocation.Purpose, _ environment: [String: String]) throws -> String {
            try FileStoreLocation(namespace: "Dog", purpose: purpose, environment: environment).path
        }
        #expect(try path(.data, ["XDG_DATA_HOME": "/data/"]) == "/data/Dog~1")
        #if os(Linux)
            #expect(try path(.data, ["HOME": "/h"]) == "/h/.local/share/Dog~1")
            #expect(try path(.data, ["HOME": "/h", "XDG_DATA_HOME": "data"]) == "/h/.local/share/Dog~1")
            #expect(try path(.data, ["HOME": "/h", "XDG_DATA_HOME": ""]) == "/h/.local/share/Dog~1")
            #expect(try path(.cache, ["HOME": "/h"]) == "/h/.cache/Dog~1")
            #expect(try path(.configuration, ["HOME": "/h"]) == "/h/.config/Dog~1")
            #expect(try path(.state, ["HOME": "/h"]) == "/h/.local/state/Dog~1")
        #endif
        // A slash is one character with a mark after it, or with some letters before it.
        #expect(try path(.data, ["XDG_DATA_HOME": "/\u{301}a\u{600}/"]) == "/\u{301}a\u{600}/Dog~1")
        #expect(FileStoreLocation(directory: "/\u{301}a").path == "/\u{301}a")
        #expect(throws: LocalError.self) { try path(.data, [:]) }
        #expect(throws: LocalError.self) { try FileStoreLocation(namespace: "", environment: ["HOME": "/h"]) }
    }

    @Test("An error message escapes the control characters of an identifier")
    func errorTexts() {
        let error = LocalError.absent(
            identifier: "a\u{1B}[31m\n\u{202E}" + String(repeating: "b", count: 500),
            path: "p"
        )
        #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x202E })
        #expect(error.description.count < 300)
    }
}
