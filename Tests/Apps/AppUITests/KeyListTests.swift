import AppLanguage
import NeedleKit
import TerminalTesting
import TerminalUI
import Testing

@testable import AppUI

@Suite("The list of keys")
@MainActor
struct KeyListTests {
    /// A screen with a field and keys.
    final class Screen: ViewController, KeyHinting {
        let field = TextField(placeholder: "text")
        let actions: [(key: Key, name: String)]
        var pressed: [Key] = []

        init(_ actions: [(key: Key, name: String)]) {
            self.actions = actions
            super.init()
        }

        var keyHints: [KeyHint] { actions.map { KeyHint($0.key, LocalizedText($0.name, ko: "동작 \($0.name)")) } }

        override func viewDidLoad() {
            view.addSubview(field)
            field.ndl.makeConstraints { make in
                make.top.horizontal.equalTo(view)
            }
        }

        override func keyDown(_ key: Key) -> Bool {
            pressed.append(key)
            return true
        }
    }

    private func open(
        _ actions: [(key: Key, name: String)],
        size: GridSize,
        language: AppLanguage = .english,
        depth: ColorDepth = .trueColor
    ) async -> (TestApplication, Screen) {
        let screen = Screen(actions)
        let app = TestApplication(root: screen, size: size, depth: depth)
        await app.settle()
        screen.field.becomeFirstResponder()
        screen.present(KeyListController(title: "Keys", of: screen, language: language))
        await app.settle()
        return (app, screen)
    }

    private let three: [(key: Key, name: String)] = [
        (.character("n"), "new"), (Key(.escape), "back"), (.character("q"), "quit"),
    ]

    @Test("A click on a key closes the list and performs the action, also while a field has the focus")
    func click() async {
        let (app, screen) = await open(three, size: GridSize(width: 60, height: 12))
        #expect(app.text.contains("n    new") && app.text.contains("esc  back"))
        #expect(await app.click(on: "new"))
        await app.settle()
        #expect(screen.pressed == [.character("n")])
        #expect(screen.field.text.isEmpty)
        #expect(screen.presented == nil && !app.text.contains("Keys"))
    }

    @Test("Escape, Enter, a click on the frame and one beside it close the list and perform nothing")
    func close() async {
        for key in [Key(.escape), Key(.enter)] {
            let (app, screen) = await open(three, size: GridSize(width: 60, height: 12))
            await app.press(key)
            #expect(screen.presented == nil && screen.pressed.isEmpty)
        }
        let (app, screen) = await open(three, size: GridSize(width: 60, height: 12))
        #expect(await app.click(on: "esc close"))
        await app.settle()
        #expect(screen.presented == nil && screen.pressed.isEmpty)
        let (beside, below) = await open(three, size: GridSize(width: 60, height: 12))
        await beside.click(GridPoint(x: 0, y: 11))
        #expect(below.presented == nil && below.pressed.isEmpty && below.field.isFirstResponder)
    }

    @Test("The keys are bold with every number of colours, and Korean is Korean", arguments: ColorDepth.allCases)
    func styles(depth: ColorDepth) async throws {
        let (app, _) = await open(three, size: GridSize(width: 60, height: 12), language: .korean, depth: depth)
        let place = try #require(app.screen.find("q    동작 quit"))
        #expect(app.screen[place.x, place.y].style.attributes.contains(.bold))
        #expect(!app.screen[place.x + 5, place.y].style.attributes.contains(.bold))
    }

    @Test(
        "Many keys are in columns, and scroll where the window is small",
        arguments: [(100, 14), (44, 30), (24, 8), (20, 5)]
    )
    func sizes(width: Int, height: Int) async throws {
        let many = (0..<26).map { index in
            (key: Key.character(Character(UnicodeScalar(UInt8(97 + index)))), name: "action \(index)")
        }
        let (app, screen) = await open(many, size: GridSize(width: width, height: height))
        #expect(app.text.contains("a  action 0"))
        for _ in 0..<30 where app.screen.find("z  action 25") == nil { await app.press(.down) }
        #expect(await app.click(on: "action 25"))
        await app.settle()
        #expect(screen.pressed == [.character("z")])
    }
}
