import NeedleKit
import TerminalTesting
import TerminalUI
import Testing

@Suite("The line of keys")
@MainActor
struct HintBarTests {
    /// A screen with a field, a button and keys.
    final class Screen: ViewController, KeyHinting {
        let field = TextField(placeholder: "text")
        let bar: HintBar
        var pressed: [Key] = []

        init(_ language: String) {
            bar = HintBar(language: language)
            super.init()
        }

        var keyHints: [KeyHint] {
            [
                KeyHint("n", KeyText("new", ["ko": "새로"])), KeyHint(Key(.escape), KeyText("back", ["ko": "뒤로"])),
                KeyHint("q", KeyText("quit", ["ko": "끝"])),
            ]
        }

        override func viewDidLoad() {
            let button = Button("Go")
            for child in [button, field, bar] as [View] { view.addSubview(child) }
            button.ndl.makeConstraints { make in
                make.top.equalTo(view)
                make.left.equalTo(view)
            }
            field.ndl.makeConstraints { make in
                make.top.equalTo(button.ndl.bottom)
                make.horizontal.equalTo(view)
            }
            bar.ndl.makeConstraints { make in
                make.horizontal.equalTo(view)
                make.bottom.equalTo(view)
            }
        }

        override func keyDown(_ key: Key) -> Bool {
            pressed.append(key)
            return key == .character("n")
        }
    }

    private func app(_ language: String = "en", width: Int = 60) -> (TestApplication, Screen) {
        let screen = Screen(language)
        return (TestApplication(root: screen, size: GridSize(width: width, height: 5)), screen)
    }

    @Test("The line shows the keys of the focused view first, and none that types while text is typed")
    func focus() async {
        let (app, _) = app()
        await app.settle()
        #expect(app.screen.line(4) == "enter press  n new  esc back  q quit  tab move")
        await app.press(.tab)
        #expect(app.screen.line(4) == "enter next field  esc back")
    }

    @Test("The line follows the language; a hint that is too long is left out for shorter ones, and a mark says so")
    func languageAndWidth() async {
        let (app, _) = app("ko", width: 34)
        await app.settle()
        #expect(app.screen.line(4) == "enter 누르기  n 새로  esc 뒤로  …")
    }

    @Test("Where only rarely used keys are left out, no mark says so", arguments: [40, 45, 46])
    func rareKeys(width: Int) async {
        let (app, _) = app(width: width)
        await app.settle()
        #expect(app.screen.line(4) == "enter press  n new  esc back  q quit" + (width < 46 ? "" : "  tab move"))
    }

    @Test("Texts of buttons have no capital letters in the line, and names do")
    func capitals() async {
        final class Titles: ViewController, KeyHinting {
            var keyHints: [KeyHint] { [KeyHint("l", KeyText("Log in")), KeyHint("1", KeyText("Google Login"))] }
        }
        let screen = Titles()
        let bar = HintBar()
        bar.fallback = { screen }
        screen.view.addSubview(bar)
        bar.ndl.makeConstraints { $0.edges.equalTo(screen.view) }
        let app = TestApplication(root: screen, size: GridSize(width: 40, height: 1))
        await app.settle()
        #expect(app.screen.line(0) == "l log in  1 Google Login")
    }

    @Test("A click on a hint presses its key")
    func click() async {
        let (app, screen) = app()
        await app.settle()
        #expect(await app.click(on: "n new"))
        #expect(screen.pressed == [.character("n")])
    }

    @Test("The hints of a screen have each key once, with what performs it")
    func list() async {
        let (app, screen) = app()
        await app.settle()
        let hints = KeyHints.all(of: screen)
        #expect(hints.map(\.hint.name) == ["n", "esc", "q"])
        #expect(hints.allSatisfy { $0.owner === screen })
    }

    @Test("The key of the list of keys is always in the line, whatever it is", arguments: [24, 25, 26])
    func listKey(width: Int) async {
        let (app, screen) = app(width: width)
        screen.bar.listKey = .character("q")
        await app.settle()
        #expect(app.screen.line(4) == "enter press  " + (width < 26 ? "" : "n new  ") + "q quit")
    }
}
