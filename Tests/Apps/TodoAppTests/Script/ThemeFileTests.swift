import AppLanguage
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import TodoApp

@Suite("The file of the colours")
struct ThemeFileTests {
    private let folder: TemporaryDirectory
    private let base = Theme(tint: .hex(0xB4631C))

    init() throws { folder = try TemporaryDirectory("theme") }

    /// Reads a file with a text; `nil` for no file.
    private func file(_ text: String?) throws -> ThemeFile {
        if let text { try folder.write(text, to: "pawkit/theme.json") }
        return ThemeFile(["XDG_CONFIG_HOME": folder.path], over: base)
    }

    @Test("Without a file the theme is that of the flavour")
    func absent() throws {
        let file = try file(nil)
        #expect(file.theme == base && file.problems.isEmpty)
    }

    @Test("Roles have the styles of the file")
    func styles() throws {
        let file = try file(##"{"error": "#FF8080 bold", "selection": "16 on #FFD75C", "tint": "#3D7EFF"}"##)
        #expect(file.problems.isEmpty)
        #expect(file.theme.error == TextStyle(foreground: .hex(0xFF8080), attributes: .bold))
        #expect(file.theme.selection == TextStyle(foreground: .palette(16), background: .hex(0xFFD75C)))
        #expect(file.theme.tint == .hex(0x3D7EFF) && file.theme.bar == base.bar)
    }

    @Test(
        "An invalid entry is reported in both languages, and the others apply",
        arguments: [
            (##"{"eror": "#FF0000", "error": "#FF8080"}"##, "there is no role \"eror\""),
            (##"{"": "#FF0000", "error": "#FF8080"}"##, "there is no role \"\""),
            (##"{"# text": "x", "error": "#FF8080"}"##, "there is no role \"# text\""),
            (##"{"panel": "red", "error": "#FF8080"}"##, "panel: \"red\" is not a style"),
            (##"{"panel": "#111111\ntext = 1", "error": "#FF8080"}"##, "is not a style"),
            (##"{"panel": "", "error": "#FF8080"}"##, "is not a style"),
        ]
    )
    func invalid(text: String, problem: String) throws {
        let file = try file(text)
        #expect(file.problems.count == 1)
        #expect(file.problems.first?.english.hasPrefix("theme.json: ") == true)
        #expect(file.problems.first?.english.contains(problem) == true, "\(file.problems)")
        #expect(file.problems.first?.korean.hasPrefix("theme.json: ") == true)
        #expect(file.theme.error.foreground == .hex(0xFF8080))
        #expect(file.theme.panel == base.panel && file.theme.text == base.text)
    }

    @Test("A file that is not a JSON object of texts is reported", arguments: ["", "tint = 1", "[]", #"{"tint": 3}"#])
    func garbage(text: String) throws {
        let file = try file(text)
        #expect(file.theme == base && file.problems.count == 1)
        #expect(file.problems.first?.english.contains("not a JSON object") == true)
    }
}
