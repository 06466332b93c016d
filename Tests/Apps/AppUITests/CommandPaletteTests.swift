import AppLanguage
import NeedleKit
import TerminalTesting
import TerminalUI
import Testing

@testable import AppUI

@Suite("The command palette")
@MainActor
struct CommandPaletteTests {
    @Test(
        "All letters must occur in their order, also as parts of syllables; adjacent ones and first letters count more",
        arguments: [
            ("", "show completed", true), ("sc", "show completed", true), ("SHOW c", "show completed", true),
            ("cs", "show completed", false), ("showw", "show completed", false), ("완료", "완료한 일 보기", true),
            ("ㅇㄹ", "완료한 일 보기", true), ("와", "완료한 일 보기", true), ("보완", "완료한 일 보기", false),
            ("정ㄹ", "정렬", true), ("ㅈㄹ", "정렬", true), ("ㄹㅈ", "정렬", false),
        ]
    )
    func matches(pattern: String, text: String, matches: Bool) {
        #expect((FuzzyMatch.score(pattern, in: text) != nil) == matches)
    }

    @Test("The better match has the higher score")
    func scores() throws {
        for (pattern, better, worse) in [
            ("ed", "edit", "made"), ("sa", "select all", "show completed as"), ("find", "find", "fast in deed"),
            ("정", "정렬", "저장"),
        ] {
            let high = try #require(FuzzyMatch.score(pattern, in: better))
            #expect(high > FuzzyMatch.score(pattern, in: worse) ?? .min, "\(pattern): \(better), \(worse)")
        }
    }

    /// A screen with a field, keys and two choices without keys.
    final class Screen: ViewController, KeyHinting, CommandProviding {
        let field = TextField(placeholder: "text")
        var performed: [String] = []

        var keyHints: [KeyHint] {
            field.isFirstResponder
                ? []
                : [
                    KeyHint("n", LocalizedText("new", ko: "새 할 일")), KeyHint("s", LocalizedText("sort", ko: "정렬")),
                    KeyHint("e", LocalizedText("edit", ko: "편집")),
                ]
        }

        var commands: [PaletteCommand] {
            [
                PaletteCommand(LocalizedText("sort by title", ko: "제목순")) { [weak self] in
                    self?.performed.append("title")
                },
                PaletteCommand(LocalizedText("Edit", ko: "편집하기")) { [weak self] in
                    self?.performed.append("other edit")
                },
            ]
        }

        override func viewDidLoad() {
            view.addSubview(field)
            field.ndl.makeConstraints { $0.top.horizontal.equalTo(view) }
        }

        override func keyDown(_ key: Key) -> Bool {
            performed.append("\(key)")
            return true
        }

        func openPalette(_ language: AppLanguage) {
            let palette = CommandPaletteController(
                title: "Commands",
                placeholder: "what?",
                nothing: "none",
                language: language
            ) { [weak self] in
                self.map { KeyHints.commands(of: $0) } ?? []
            }
            present(palette)
        }
    }

    private func open(_ language: AppLanguage = .english) async -> (TestApplication, Screen) {
        let screen = Screen()
        let app = TestApplication(root: screen, size: GridSize(width: 60, height: 20))
        await app.settle()
        screen.field.becomeFirstResponder()
        screen.openPalette(language)
        await app.settle()
        return (app, screen)
    }

    @Test("It lists every action once, also while a field has the focus, and Enter performs the best match")
    func perform() async {
        let (app, screen) = await open()
        for text in ["new", "sort by title", "edit"] { #expect(app.text.contains(text), "\(text) in\n\(app.text)") }
        #expect(app.text.contains(#/new +n /#) && app.text.contains(#/sort +s /#), "each has its key")
        #expect(!app.text.contains("Edit "), "a second action of the name is left out")
        await app.type("ti\n")
        #expect(screen.performed == ["title"] && screen.presented == nil)
    }

    @Test("The arrows choose, a click performs at once, and Escape closes without an action")
    func choose() async {
        let (app, screen) = await open()
        await app.press(.down, .down, .up, .enter)
        #expect(screen.performed == ["s"] && screen.field.text.isEmpty)
        screen.openPalette(.english)
        await app.settle()
        #expect(await app.click(on: "edit"))
        await app.settle()
        #expect(screen.performed == ["s", "e"])
        screen.openPalette(.english)
        await app.settle()
        await app.type("xyz")
        #expect(app.text.contains("none"))
        await app.press(.enter)
        #expect(screen.presented != nil, "there is nothing to perform")
        await app.press(.escape)
        #expect(screen.presented == nil && screen.performed == ["s", "e"])
    }

    @Test("An action is found by its name in either language", arguments: AppLanguage.allCases)
    func languages(language: AppLanguage) async {
        let (app, screen) = await open(language)
        #expect(app.text.contains(language == .english ? "sort by title" : "제목순"))
        await app.type("ㅈㄹ\n")
        #expect(screen.performed == ["s"])
        screen.openPalette(language)
        await app.settle()
        await app.type("new\n")
        #expect(screen.performed == ["s", "n"])
    }
}
