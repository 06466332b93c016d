import NeedleKit
import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

@Suite("Hostile text is shown harmlessly", .timeLimit(.minutes(10)))
@MainActor
struct HostileTextTests {
    nonisolated static let texts: [String] = [
        "\u{1B}[31mred\u{1B}]0;title\u{7}\u{1B}[2J", "a\u{9B}31mb\u{90}q\u{9C}c", "\r\n\t\u{8}\u{7F}\0",
        "\u{202E}gnp.exe\u{2066}x\u{2069}\u{200F}", "e" + String(repeating: "\u{301}", count: 5000),
        String(repeating: "\u{200B}\u{200D}\u{FE0F}", count: 5000), String(repeating: "👨‍👩‍👧‍👦", count: 3000),
        "\u{1160}\u{11A8}\u{1100}", "\u{E0001}\u{E0041}tag", "\u{FFF9}x\u{FFFB}", "ｆｕｌｌ　ｗｉｄｔｈ",
        String(
            decoding: [0xC0, 0x80, 0xED, 0xA0, 0x80, 0xF5, 0xFF, 0xEF, 0xBF, 0xBE, 0xEF, 0xB7, 0x90, 0x41],
            as: UTF8.self
        ),
    ]

    @Test(
        "In every kind of view no byte of the text is a control, and the views around are intact",
        arguments: texts.indices
    )
    func views(_ index: Int) async {
        let text = Self.texts[index]
        let field = TextField(placeholder: text, text: text)
        let pane = Pane(title: text)
        pane.footer = text
        pane.ndl.makeConstraints { $0.height.equalTo(3) }
        let wrapping = Label(text, numberOfLines: 2)
        let views: [View] = [
            Label("above"), Label(text), wrapping, Button(text), Checkbox(text), field, TextView(text: text),
            Picker([text], selectedIndex: 0), pane, Label("below"),
        ]
        let app = TestApplication(root: Stack(views), size: GridSize(width: 40, height: 24))
        await app.settle()
        #expect(app.terminal.emulator.unknown.isEmpty)
        #expect(app.screen.find("above") == GridPoint(x: 0, y: 0))
        #expect(app.screen.find("below") != nil)
        #expect(app.screen == app.application.window.render().buffer)
        #expect(!app.text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || (0x7F..<0xA0).contains($0.value) })
        #expect(!app.text.unicodeScalars.contains { (0x202A...0x202E).contains($0.value) })
        await app.paste(text)
        await app.press(.left, .backspace, .home, .delete, .end)
        #expect(app.screen == app.application.window.render().buffer)
        #expect(app.terminal.emulator.unknown.isEmpty)
    }

    @Test("A line of 10 MB and a cluster of a million marks are shown at once")
    func huge() {
        let line = String(repeating: "우유 and bread, ", count: 600_000)
        let marks = "a" + String(repeating: "\u{301}", count: 1_000_000)
        let labels = [Label(line), Label(line, numberOfLines: 3), Label(marks), Label("below")]
        let window = Window()
        window.rootViewController = Stack(labels)
        window.resize(to: GridSize(width: 40, height: 8))
        // Nothing is awaited, so that the work of other tests is not measured.
        let start = ContinuousClock.now
        _ = window.render()
        labels[3].text = "changed"
        let screen = window.render().buffer
        #expect(screen.find("changed") == GridPoint(x: 0, y: 5))
        #expect(screen.line(0).hasSuffix("…"))
        // A debug build on a busy machine: without limits this takes minutes.
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
