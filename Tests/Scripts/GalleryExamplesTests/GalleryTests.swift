import Foundation
import GalleryExamples
import TerminalTesting
import TerminalUI
import TestSupport
import Testing

@Suite("The gallery", .timeLimit(.minutes(60)))
@MainActor
struct GalleryTests {
    nonisolated static let sizes = [
        GridSize(width: 100, height: 30), GridSize(width: 60, height: 20), GridSize(width: 40, height: 12),
    ]
    nonisolated static let names = [
        "text", "buttons", "fields", "editor", "completion", "list", "table", "calendar", "panes", "scrolling",
        "dialogs", "navigation", "progress", "pictures", "keys", "form",
    ]

    private func example(_ name: String) throws -> GalleryExample {
        try #require(GalleryExample.all.first { $0.id == name })
    }

    @Test("The names are those of the examples, and each example shows its code")
    func examples() {
        #expect(GalleryExample.all.map(\.id) == Self.names)
        for example in GalleryExample.all {
            #expect(example.code.contains("GalleryExample(\"\(example.id)\""), "\(example.id)")
        }
    }

    @Test("Each example has no layout problem, at each size", arguments: names)
    func layout(_ name: String) async throws {
        for size in Self.sizes {
            let app = TestApplication(root: try example(name).make(), size: size)
            await app.settle()
            let problems = app.application.window.layoutDiagnostics.filter { !$0.contains("ambiguous") }
            #expect(problems.isEmpty, "\(size)")
            #expect(!app.text.isEmpty)
        }
    }

    @Test("Choosing in the list shows each example; q leaves", arguments: sizes)
    func list(_ size: GridSize) async throws {
        let app = TestApplication(root: GalleryController(), size: size)
        for example in GalleryExample.all {
            await app.settle()
            #expect(app.text.contains("─ \(example.title.prefix(8))"), "\(example.id)")
            await app.press(.down)
        }
        await app.type("q")
        #expect(app.exitCode == 0)
    }

    @Test(
        "After each of a storm of events, also within a movement, the screen is what a full redraw shows",
        arguments: names
    )
    func storm(_ name: String) async throws {
        let seed = UInt64(Self.names.firstIndex(of: name) ?? 0) + 1
        var random = SeededGenerator(seed: seed)
        let size = GridSize(width: 60, height: 20)
        let app = TestApplication(root: try example(name).make(), size: size, animations: true)
        await app.settle()
        for step in 0..<(isLongRun ? 2000 : 40) {
            await app.send(Self.event(&random, app.terminal.size))
            if step % 2 == 0 { await app.advance(by: .milliseconds(.random(in: 1...60, using: &random))) }
            guard app.exitCode == nil else {
                Issue.record("\(name) ended at step \(step)")
                return
            }
            let frame = app.application.window.render()
            var redrawn = TerminalEmulator(size: app.terminal.size)
            var renderer = ScreenRenderer(depth: .trueColor)
            redrawn.feed(renderer.render(frame.buffer, caret: frame.caret))
            guard app.screen == redrawn.screen, app.screen == frame.buffer, app.caret == frame.caret else {
                Issue.record("\(name), seed \(seed), step \(step):\n\(app.text)\ninstead of\n\(frame.buffer.text)")
                return
            }
            #expect(app.terminal.emulator.unknown.isEmpty)
        }
    }

    /// Returns a random event: keys, text, pastes, mouse events, resizes.
    private static func event(_ random: inout SeededGenerator, _ size: GridSize) -> TerminalEvent {
        let place = GridPoint(
            x: Int.random(in: 0..<max(1, size.width), using: &random),
            y: Int.random(in: 0..<max(1, size.height), using: &random)
        )
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<8:
            let codes: [Key.Code] = [
                .up, .down, .left, .right, .home, .end, .pageUp, .pageDown, .tab, .enter, .escape, .backspace, .delete,
            ]
            let modifiers: [Key.Modifiers] = [[], [], [], .shift, .alt, .control, [.shift, .control]]
            return .input(
                .key(Key(codes.randomElement(using: &random) ?? .up, modifiers.randomElement(using: &random) ?? []))
            )
        case 8..<12:
            let texts: [Character] = ["a", "한", " ", "+", "@", "👨‍👩‍👧", "\u{301}", "1", "t", "\u{202E}"]
            return .input(.key(.character(texts.randomElement(using: &random) ?? "a")))
        case 12:
            let letters: [Character] = ["x", "v", "_", "y", "w", "u", "k", "e"]
            return .input(.key(.control(letters.randomElement(using: &random) ?? "x")))
        case 13: return .input(.paste(Paste("pasted\n\u{1B}[31m 붙여넣기\t")))
        case 14:
            return .resized(
                GridSize(
                    width: Int.random(in: 1...300, using: &random),
                    height: Int.random(in: 1...100, using: &random)
                )
            )
        default:
            let kinds: [MouseEvent.Kind] = [
                .down(.left), .up(.left), .drag(.left), .move, .wheelUp, .wheelDown, .wheelLeft, .wheelRight,
                .down(.right),
            ]
            return .input(.mouse(MouseEvent(kinds.randomElement(using: &random) ?? .move, at: place)))
        }
    }

    @Test("The pictures of the documentation are those that the gallery draws")
    func pictures() async throws {
        let folder = Project.root.appendingPathComponent("Modules/Terminal/TerminalUI/TerminalUI.docc/Resources")
        for picture in GalleryPictures.all {
            let stored = try String(contentsOf: folder.appendingPathComponent(picture.name), encoding: .utf8)
            let drawn = await GalleryPictures.svg(picture)
            #expect(stored == drawn, "write the pictures again with Scripts/gallery --pictures \(folder.path)")
        }
    }

    @Test("Without a screen, an example is read as lines and controlled by lines")
    func plain() async throws {
        let session = PlainSession(root: try example("fields").make())
        let first = await session.start()
        #expect(first.contains("Welcome 안녕하세요"))
        #expect(first.contains("1* ID 아이디: [(6 to 12 characters)]"))
        #expect(first.contains("2 Password 비밀번호: [(no spaces)]"))
        #expect(first.contains("[Log in] (disabled)"))
        _ = await session.perform("1 walker")
        let filled = await session.perform("2 secret1")
        #expect(filled.contains("2* Password 비밀번호: [(hidden)]") && filled.contains("4 [Log in]"))
        #expect(await session.perform("4").contains("Logged in as walker."))
        #expect(await session.perform("3").contains("3* [x] Log in automatically from now on"))
        #expect(await session.perform("99") == ["there is no 99; the numbers are 1 to 5"])
        #expect(
            await session.perform("nonsense here") == ["\"nonsense here\" is not a command; help lists the commands"]
        )
        #expect(await session.perform("help") == PlainSession.Texts().help)
        #expect(await session.perform("quit").isEmpty && session.hasEnded)
    }

    @Test("A menu and a list are controlled by lines as well")
    func plainMenus() async throws {
        let menu = PlainSession(root: try example("buttons").make())
        _ = await menu.start()
        let lines = await menu.perform("6")
        #expect(lines.contains { $0.hasSuffix("[Complete]") } && !lines.contains { $0.contains("Primary") })
        #expect(await menu.perform("enter").contains("completed"))
        let list = PlainSession(root: try example("list").make())
        #expect(await list.start().contains("> [ ] Call 엄마 11-11"))
        #expect(await list.perform("down").contains("> [ ] 강아지 산책 🐕 30분 11-12"))
    }
}
