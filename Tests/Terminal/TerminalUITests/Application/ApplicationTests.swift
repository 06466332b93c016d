import Foundation
import TerminalTesting
import TestSupport
import Testing

@testable import TerminalUI

@Suite("The application", .timeLimit(.minutes(3)))
@MainActor
struct ApplicationTests {
    @Test("All changes of a turn are drawn in one frame, and no change in none")
    func coalescing() async {
        let label = Label("0")
        let app = await show(label, width: 20, height: 3)
        let before = app.terminal.writes
        for number in 1...1000 { label.text = "\(number)" }
        await app.settle()
        #expect(app.terminal.writes == before + 1)
        #expect(app.text == "1000")
        label.setNeedsDisplay()
        await app.settle()
        await app.press(.function(9))
        #expect(app.terminal.writes == before + 1)
    }

    @Test("An application ends with its exit code and restores the terminal")
    func exitCodes() async {
        for (event, code) in [
            (TerminalEvent.input(.key(.control("c"))), 130), (.terminated(signal: 15), 143), (.closed, 129),
        ] as [(TerminalEvent, Int32)] {
            let app = await show(Label("a"))
            await app.send(event)
            for _ in 0..<100 where app.exitCode == nil { await Task.yield() }
            #expect(app.exitCode == code)
            #expect(!app.terminal.isStarted)
            #expect(app.terminal.emulator.modes.isDisjoint(with: [1049, 2004, 1000, 1006, 1004, 2026]))
            #expect(app.terminal.emulator.isCursorVisible)
        }
        let app = TestApplication(root: Stack())
        await app.quit(3)
        #expect(app.exitCode == 3)
    }

    @Test("After a suspension and on Ctrl-L the screen is redrawn")
    func redraw() async {
        let app = await show(Label("안녕"), width: 20, height: 3)
        app.terminal.write(Array("\u{1B}[Hrubbish on the line".utf8))
        await app.press(.control("l"))
        #expect(app.text == "안녕")
        await app.press(.control("z"))
        await app.settle()
        #expect(app.text == "안녕")
    }

    @Test("Without colours no colour is written, and the focus is still visible")
    func monochrome() async {
        let app = await show(
            Button("One"),
            Button("Two"),
            TextField(placeholder: "text"),
            width: 20,
            height: 4,
            depth: .none
        )
        for y in 0..<4 {
            for cell in app.screen.row(y) {
                #expect(cell.style.foreground == .standard && cell.style.background == .standard)
            }
        }
        #expect(app.screen.line(0).hasPrefix("["))
        #expect(app.screen[9, 0].style.attributes.contains(.reverse))
        #expect(!app.screen[9, 1].style.attributes.contains(.reverse))
    }

    @Test("Views and controllers are released when the application ends")
    func noLeaks() async {
        weak var controller: Stack?
        weak var button: Button?
        weak var application: Application?
        do {
            let one = Button("One")
            let root = Stack([one])
            let app = await launch(root)
            await app.press(.tab)
            await app.quit()
            controller = root
            button = one
            application = app.application
        }
        for _ in 0..<20 { await Task.yield() }
        #expect(controller == nil)
        #expect(button == nil)
        #expect(application == nil)
    }

    @Test("On a real terminal an application starts, accepts Korean and ends with 130 on Ctrl-C")
    func realTerminal() async throws {
        let pty = try await Probe.start(
            "demo",
            until: "PRESS START",
            columns: 100,
            rows: 30,
            environment: ["COLORTERM": "truecolor"]
        )
        defer { pty.end() }
        pty.type("강아지")
        var emulator = TerminalEmulator(size: GridSize(width: 100, height: 30))
        try await eventually {
            emulator = TerminalEmulator(size: GridSize(width: 100, height: 30))
            emulator.feed(pty.output)
            return emulator.screen.text.contains("강아지")
        }
        #expect(emulator.screen.text.contains("로그인하면"))
        #expect(emulator.unknown.isEmpty)
        #expect(try await pty.waitForExit(typing: "\u{3}") == 130)
    }
}
