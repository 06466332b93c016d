import AppLanguage
import TerminalTesting
import TerminalUI
import Testing

@testable import AppUI

@Suite("The keys in the settings")
@MainActor
struct KeySettingsTests {
    private let new = KeyAction("list.new", LocalizedText("new", ko: "새로"), [.character("n")])
    private let find = KeyAction("list.find", LocalizedText("find", ko: "찾기"), [.character("/")])
    private let save = KeyAction("editor.save", LocalizedText("save", ko: "저장"), [.control("s")])

    private var screens: [KeyMap.Screen] {
        [
            KeyMap.Screen(LocalizedText("the list", ko: "목록"), [new, find]),
            KeyMap.Screen(LocalizedText("the editor", ko: "편집 화면"), [save], isForText: true),
        ]
    }

    /// What the panel has stored.
    @MainActor
    final class Store {
        var saved: [String: [Key]?] = [:]
        var problem: LocalizedText?
        var closed: [Bool] = []
    }

    private func open(_ language: AppLanguage = .english) async -> (TestApplication, Store) {
        let store = Store()
        let root = ViewController()
        let app = TestApplication(root: root, size: GridSize(width: 70, height: 20))
        await app.settle()
        root.present(
            KeySettingsController(
                title: "Keys",
                screens: screens,
                keyMap: .standard,
                language: language,
                save: { action, keys in
                    if store.problem == nil { store.saved[action.name] = .some(keys) }
                    return store.problem
                },
                onClose: { store.closed.append($0) }
            )
        )
        await app.settle()
        return (app, store)
    }

    @Test("Enter and a key assign this key to an action, Delete restores the default, and a changed key has a mark")
    func change() async {
        let (app, store) = await open()
        #expect(app.text.contains("the list") && app.text.contains("the editor"))
        await app.press(.enter)
        #expect(app.text.contains("Press the key for \"new\""))
        await app.type("a")
        #expect(store.saved == ["list.new": [.character("a")]])
        #expect(app.text.contains("•") && app.text.contains("\"new\": a"))
        await app.press(.delete)
        #expect(store.saved == ["list.new": nil] && !app.text.contains("•"))
        await app.press(.escape)
        #expect(store.closed == [true])
    }

    @Test("A key of another action is refused with its name, and one that types text where text is typed")
    func conflicts() async {
        let (app, store) = await open()
        await app.press(.enter)
        await app.type("/")
        #expect(app.text.contains("/ is the key of \"find\" in the list"))
        // Escape is never the key of an action: it cancels.
        await app.press(.enter, .escape)
        #expect(store.closed.isEmpty)
        await app.press(.end, .enter)
        await app.type("x")
        #expect(app.text.contains("types text there"))
        await app.press(Key(.enter), Key(.function(2)))
        #expect(store.saved == ["editor.save": [Key(.function(2))]])
        // After the other action has another key, the key is free.
        await app.press(.home, .down, .enter)
        await app.type("f")
        await app.press(.up, .enter)
        await app.type("/")
        #expect(store.saved["list.new"] == [.character("/")])
    }

    @Test("What cannot be stored is reported, and the key stays; without a change nothing is shown anew")
    func failure() async {
        let (app, store) = await open(.korean)
        store.problem = LocalizedText("full", ko: "가득 참")
        await app.press(.enter)
        await app.type("a")
        #expect(app.text.contains("가득 참") && app.text.contains("새로") && !app.text.contains("•"))
        await app.press(.escape)
        #expect(store.closed == [false])
    }
}
