import TerminalTesting
import Testing

@testable import TerminalUI

@Suite("The keys of a file")
struct KeyMapTests {
    private let new = KeyAction("todos.new", "new", [.character("n")])
    private let edit = KeyAction("todos.edit", "edit", [.character("e")])
    private let remove = KeyAction("todos.remove", "delete", [.character("d"), Key(.delete)])

    private func read(_ entries: [String: KeyMap.Names]) -> (map: KeyMap, problems: [String]) {
        let quit = KeyAction("home.quit", "quit", [.character("q")])
        let save = KeyAction("editor.save", "save", [.control("s")])
        let map = KeyMap(
            entries,
            screens: [
                KeyMap.Screen("the list", [quit, new, edit, remove]),
                KeyMap.Screen("the details", [quit, edit]),
                KeyMap.Screen("the editor", [save], isForText: true),
            ]
        )
        return (map, map.problems.map { $0("en") })
    }

    @Test("Without a file the default keys apply, and a file changes only the actions that it names")
    func changes() {
        #expect(KeyMap.standard.keys(for: remove) == [.character("d"), Key(.delete)])
        let (map, problems) = read(["todos.new": ["ctrl-n", "f2"]])
        #expect(problems.isEmpty)
        #expect(map.keys(for: new) == [.control("n"), Key(.function(2))])
        #expect(map.keys(for: edit) == [.character("e")])
        #expect(map.hint(new)?.name == "ctrl-n")
    }

    @Test("A key of two actions is reported with both names, and both have their default keys")
    func conflict() {
        let (map, problems) = read(["todos.new": ["x"], "todos.edit": ["x"], "todos.remove": ["y"]])
        #expect(problems.count == 1)
        #expect(problems.first?.contains("x is the key of todos.new and todos.edit in the list") == true)
        #expect(map.keys(for: new) == [.character("n")])
        #expect(map.keys(for: edit) == [.character("e")])
        #expect(map.keys(for: remove) == [.character("y")])
    }

    @Test("A key that is the default of another action is a conflict, unless that action has another key")
    func defaults() {
        #expect(read(["todos.new": ["e"]]).problems.count == 1)
        #expect(read(["todos.new": ["e"]]).map.keys(for: new) == [.character("n")])
        #expect(read(["todos.new": ["q"]]).problems.first?.contains("home.quit and todos.new") == true)
        #expect(read(["todos.new": ["q"]]).map.keys(for: new) == [.character("n")])
        let swapped = read(["todos.new": ["e"], "todos.edit": ["n"]])
        #expect(swapped.problems.isEmpty)
        #expect(swapped.map.keys(for: edit) == [.character("n")])
    }

    @Test("Unknown actions and keys are reported, and the rest of the file applies")
    func unknown() {
        let (map, problems) = read(["list.new": ["x"], "todos.fly": ["x"], "todos.new": ["hyper-x", "N"]])
        #expect(
            problems == [
                "there is no action \"list.new\"; the names begin with editor., home., todos.",
                "there is no action \"todos.fly\"; it is one of todos.edit, todos.new, todos.remove",
                "todos.new: \"hyper-x\" is not a key; write n, ctrl-n, alt-n, space, enter, f2 or up",
            ]
        )
        #expect(map.keys(for: new) == [.character("N")])
    }

    @Test(
        "Every key is read from the name that the list of keys shows",
        arguments: [
            Key(.up), Key(.pageDown), Key(.function(12)), .character("ㅁ"), .character(" "), .control("x"),
            Key(.down, .shift), Key(.enter, .alt), .character("-"), .character("-", .control), Key(.delete),
        ]
    )
    func names(key: Key) {
        #expect(Key("\(key)") == key)
        #expect(Key(KeyHint(key, "x").name) == key || KeyHint(key, "x").name.count == 1)
    }

    @Test("A key is the one that a terminal reports, however it is written; one that is reported as another is refused")
    func reported() {
        let names: KeyMap.Names = ["Ctrl-N", "shift-n", "alt-shift-n", "CTRL-Shift-N", "alt-N", "F2", "Shift-Up"]
        let (map, problems) = read(["todos.new": names])
        #expect(problems.isEmpty, "\(problems)")
        #expect(
            map.keys(for: new) == [
                .control("n"), .character("N"), .character("N", .alt), .character("n", [.control, .shift]),
                Key(.function(2)), Key(.up, .shift),
            ]
        )
        let refused: KeyMap.Names = ["ctrl-h", "ctrl-i", "Ctrl-J", "ctrl-m", "ctrl-[", "shift-1", "shift-가"]
        let report = read(["todos.new": refused])
        #expect(report.problems.count == 7 && report.map.keys(for: new) == [.character("n")])
        #expect(report.problems.contains("todos.new: most terminals report ctrl-i as tab; use another key"))
        let screen = KeyMap.Screen("the list", [new, edit])
        #expect(KeyMap.standard.setting([.control("m")], of: new).problem(of: new, in: [screen]) != nil)
        #expect(KeyMap.standard.setting([.control("n")], of: new).problem(of: new, in: [screen]) == nil)
    }

    @Test("Keys of different screens do not conflict, and those of what is around a screen do")
    func screens() {
        let (map, problems) = read([
            "editor.save": ["f2"], "todos.new": ["f2"], "todos.remove": ["q"], "home.quit": ["Q"],
        ])
        #expect(problems.isEmpty, "\(problems)")
        #expect(map.keys(for: remove) == [.character("q")])
        #expect(
            read(["home.quit": ["e"]]).problems == [
                "e is the key of home.quit and todos.edit in the list; both have their default keys"
            ]
        )
    }

    @Test(
        "A key that types text is refused where text is typed, and a misspelt action is reported with the nearest one"
    )
    func text() {
        let (map, problems) = read(["editor.save": ["s", "f2"], "todos.nwe": ["x"]])
        #expect(
            problems == [
                "editor.save: s types text there; write a key such as ctrl-s, alt-s, escape or f2",
                "there is no action \"todos.nwe\"; did you mean \"todos.new\"?",
            ]
        )
        let save = KeyAction("editor.save", "save", [.control("s")])
        #expect(map.keys(for: save) == [Key(.function(2))])
    }

    /// Records the keys that no view in it handles.
    private final class Recorder: ViewController {
        var keys: [Key] = []

        override func keyDown(_ key: Key) -> Bool {
            keys.append(key)
            return key.text != nil
        }
    }

    @Test("A letter of Hangul is the key of its Latin letter, also in a file, and is typed where text is")
    @MainActor
    func hangul() async {
        let controller = Recorder()
        let field = TextField()
        controller.view.fill(with: Stack([Button("OK"), field]).view)
        let app = await launch(controller)
        let typed = "ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆㅒㅖ"
        await app.type(typed)
        #expect(controller.keys.compactMap(\.text).joined() == "qwertyuiopasdfghjklzxcvbnmQWERTOP")
        await app.type("가")
        #expect(controller.keys.last == .character("가"), "a syllable is no key")
        await app.press(.tab)
        controller.keys = []
        await app.type(typed)
        await app.press(.character("ㅜ", .alt))
        #expect(field.text == typed && controller.keys == [.character("n", .alt)])
        #expect(read(["todos.new": ["ㅌ"]]).map.keys(for: new) == [.character("x")])
        #expect(read(["todos.new": ["ㄷ"]]).problems.count == 1, "it is the key of another action")
    }
}
