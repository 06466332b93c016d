import TerminalUI

extension GalleryExample {
    /// Actions with keys of a user's file, and the line that shows them, in two languages.
    static let keys = GalleryExample("keys", "Keys and hints") { KeysExampleController() }
}

private enum KeysExampleAction: String, ScreenAction {
    case new, remove

    var keyAction: KeyAction {
        switch self {
        case .new: KeyAction("todos.new", KeyText("new", ["ko": "새 할 일"]), [.character("n")])
        case .remove: KeyAction("todos.remove", KeyText("delete", ["ko": "삭제"]), [.character("d"), Key(.delete)])
        }
    }
}

private final class KeysExampleController: ViewController, KeyHinting {
    private let map = KeyMap(
        ["todos.new": ["ctrl-n", "f2"]],
        screens: [KeyMap.Screen("the list", KeysExampleAction.allCases.map(\.keyAction))]
    )
    private let pressed = Label("The user's file says: new is ctrl-n or f2.")

    var keyHints: [KeyHint] { map.hints(KeysExampleAction.self) }

    override func loadView() -> View {
        let stack = GalleryStack([pressed, HintBar(), HintBar(language: "ko"), Button("Button")])
        addChild(stack)
        return stack.view
    }

    override func keyDown(_ key: Key) -> Bool {
        guard let action = map.action(key, of: KeysExampleAction.self) else { return false }
        pressed.text = "\(action.rawValue): \(key)"
        return true
    }
}
