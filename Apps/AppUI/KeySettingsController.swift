package import AppLanguage
import NeedleKit
package import TerminalUI

/// A panel with all actions and their keys, in which the user changes the key of an action. A key that another action of the
/// same screen has is refused, with the name of that action.
@MainActor
package final class KeySettingsController: PanelController, KeyHinting {
    /// Stores the key of an action, `nil` for the default ones. Returns what went wrong, if anything did.
    package typealias Save = @MainActor (KeyAction, [Key]?) -> LocalizedText?

    private let screens: [KeyMap.Screen]
    private var keyMap: KeyMap
    private let save: Save
    private let onClose: @MainActor (_ isChanged: Bool) -> Void
    private var isChanged = false
    /// The action that waits for its key.
    private var waiting: KeyAction?

    private let list = ListView()
    private let message = Label("", role: .secondary, numberOfLines: 2)
    private let catcher = KeyCatcher()
    private lazy var rows = ListItems<Row>(list, canSelect: { $0.action != nil }) { [weak self] list, row in
        let cell = list.dequeue(TextCell.self)
        self?.fill(cell, with: row)
        return cell
    }

    /// A heading or an action.
    private struct Row: Identifiable {
        let id: String
        let heading: KeyText?
        let action: KeyAction?
    }

    /// Creates the panel.
    package init(
        title: String,
        screens: [KeyMap.Screen],
        keyMap: KeyMap,
        language: AppLanguage,
        save: @escaping Save,
        onClose: @escaping @MainActor (_ isChanged: Bool) -> Void
    ) {
        (self.screens, self.keyMap, self.save, self.onClose) = (screens, keyMap, save, onClose)
        super.init(title: title, language: language)
    }

    package var keyHints: [KeyHint] {
        if waiting != nil { return [KeyHint(Key(.escape), KeySettingsText.cancel)] }
        return [
            KeyHint(Key(.enter), KeySettingsText.change), KeyHint(Key(.delete), KeySettingsText.restore),
            KeyHint(Key(.escape), KeyHints.close),
        ]
    }

    package override func viewDidLoad() {
        super.viewDidLoad()
        let pane = makePane()
        pane.surface = \.panel
        let content = pane.contentView
        for child in [list, message, catcher] as [View] { content.addSubview(child) }
        add(pane, size: GridSize(width: 60, height: 24))
        list.ndl.makeConstraints { make in
            make.top.horizontal.equalTo(content)
            make.bottom.equalTo(message.ndl.top)
        }
        message.ndl.makeConstraints { make in
            make.horizontal.equalTo(content).inset(1)
            make.bottom.equalTo(content)
            make.height.equalTo(2)
        }
        catcher.ndl.makeConstraints { make in
            make.left.bottom.equalTo(content)
            make.width.height.equalTo(0)
        }
        list.onActivate = { [weak self] _ in self?.waitForKey() }
        list.onKey = { [weak self] key in
            guard key == Key(.delete) || key == Key(.backspace) else { return false }
            self?.set(nil)
            return true
        }
        catcher.onKey = { [weak self] in self?.didPress($0) }
        var seen: Set<String> = []
        rows.apply(
            screens.flatMap { screen in
                let actions = screen.actions.filter { seen.insert($0.name).inserted }
                let heading = Row(id: screen.name.english, heading: screen.name, action: nil)
                return [heading] + actions.map { Row(id: $0.name, heading: nil, action: $0) }
            }
        )
        show(KeySettingsText.introduction)
    }

    package override func viewDidAppear() {
        super.viewDidAppear()
        list.becomeFirstResponder()
    }

    private func fill(_ cell: TextCell, with row: Row) {
        guard let action = row.action else {
            cell.text = row.heading?(language) ?? ""
            cell.style = view.theme.title
            return
        }
        cell.text = "  " + action.text(language)
        let keys = keyMap.keys(for: action)
        cell.detail = keys.map { KeyHint($0, action.text).name }.joined(separator: ", ")
        if keys != action.keys { cell.mark = "•" }
    }

    private func show(_ text: LocalizedText, isProblem: Bool = false) {
        message.text = text(language)
        message.role = isProblem ? .error : .secondary
    }

    override func close() {
        super.close()
        onClose(isChanged)
    }

    // MARK: Keys

    private func waitForKey() {
        guard let action = rows.selectedItem?.action else { return }
        waiting = action
        show(KeySettingsText.press(for: action.text))
        catcher.isWaiting = true
        catcher.becomeFirstResponder()
    }

    private func didPress(_ key: Key) {
        catcher.isWaiting = false
        list.becomeFirstResponder()
        defer { waiting = nil }
        guard key != Key(.escape) else { return show(KeySettingsText.introduction) }
        if let waiting { set([key], of: waiting) }
    }

    private func set(_ keys: [Key]?) {
        if let action = rows.selectedItem?.action { set(keys, of: action) }
    }

    private func set(_ keys: [Key]?, of action: KeyAction) {
        let changed = keyMap.setting(keys, of: action)
        let conflict = changed.problem(of: action, in: screens).map(LocalizedText.init)
        if let problem = conflict ?? save(action, keys) { return show(problem, isProblem: true) }
        keyMap = changed
        isChanged = true
        list.reloadData()
        show(KeySettingsText.set(keyMap.keys(for: action), of: action.text))
    }
}

/// Receives the next key, whatever it is.
@MainActor
private final class KeyCatcher: Control {
    var onKey: ((Key) -> Void)?
    var isWaiting = false

    override var canBecomeFirstResponder: Bool { isWaiting }

    override func keyDown(_ key: Key) -> Bool {
        onKey?(key)
        return true
    }
}

/// The texts of the keys in the settings.
private enum KeySettingsText {
    static let cancel = LocalizedText("cancel", ko: "취소")
    static let change = LocalizedText("change", ko: "바꾸기")
    static let restore = LocalizedText("default", ko: "기본값")
    static let introduction = LocalizedText(
        "Enter and then a key sets the key of an action, Delete restores the default.",
        ko: "Enter를 누르고 새 키를 누르면 바뀝니다. Delete를 누르면 기본 키로 돌아갑니다."
    )

    static func press(for action: KeyText) -> LocalizedText {
        LocalizedText(
            "Press the key for \"\(action.english)\"; Escape cancels.",
            ko: "\"\(action.korean)\"의 새 키를 누르세요. Esc를 누르면 취소합니다."
        )
    }

    static func set(_ keys: [Key], of action: KeyText) -> LocalizedText {
        let names = keys.map { KeyHint($0, action).name }.joined(separator: ", ")
        return LocalizedText("\"\(action.english)\": \(names)", ko: "\"\(action.korean)\" 키: \(names)")
    }
}
