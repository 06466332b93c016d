package import AppLanguage
import NeedleKit
package import TerminalUI

/// An action that the command palette offers.
package struct PaletteCommand {
    /// What it does, in a few words.
    package let title: LocalizedText
    /// The name of its key; empty without one.
    package let key: String
    /// Performs it.
    package let perform: @MainActor () -> Void

    /// Creates an action.
    package init(_ title: LocalizedText, key: String = "", perform: @escaping @MainActor () -> Void) {
        (self.title, self.key, self.perform) = (title, key, perform)
    }
}

/// A view controller with actions that have no key, such as the choices of a menu.
@MainActor
package protocol CommandProviding: ViewController {
    /// The actions that can be performed now.
    var commands: [PaletteCommand] { get }
}

extension KeyAction {
    /// Opens the command palette.
    package static let palette = KeyAction(
        "app.palette",
        LocalizedText("Commands", ko: "명령"),
        [.character(":"), .control("p")],
        isRare: true
    )
}

extension KeyHints {
    /// Returns the actions of a screen and of all view controllers in it and around it: those with keys, then the others.
    package static func commands(of screen: ViewController) -> [PaletteCommand] {
        let keyed = all(of: screen).map { entry in
            // The closure must not retain the entry, which retains its owner.
            let (key, title) = (entry.hint.key, LocalizedText(entry.hint.action))
            return PaletteCommand(title, key: entry.hint.name) { [weak owner = entry.owner] in
                owner?.perform(key)
            }
        }
        var others: [PaletteCommand] = []
        func collect(_ controller: ViewController) {
            others += (controller as? any CommandProviding)?.commands ?? []
            for child in controller.children { collect(child) }
        }
        collect(screen)
        for responder in sequence(first: screen as Responder, next: \.next).dropFirst() {
            others += (responder as? any CommandProviding)?.commands ?? []
        }
        // "Profile" of the menu is "profile" of the main screen.
        var seen: Set<String> = []
        return (keyed + others).filter { seen.insert($0.title.english.lowercased()).inserted }
    }
}

/// A panel with a field and the actions whose names match its text, in either language, each with its key.
@MainActor
package final class CommandPaletteController: PanelController, KeyHinting {
    private let collect: @MainActor () -> [PaletteCommand]
    private var commands: [PaletteCommand] = []
    private let field: TextField
    private let list = ListView()
    private lazy var rows = ListItems<Row>(list) { [language] list, row in
        let cell = list.dequeue(TextCell.self)
        cell.text = KeyHints.text(row.command.title(language))
        cell.detail = row.command.key
        return cell
    }
    /// Whether the selection moves by a key; a click performs an action at once.
    private var isMoving = false

    private struct Row: Identifiable {
        let id: Int
        let command: PaletteCommand
    }

    /// Creates a palette.
    package init(
        title: String,
        placeholder: String,
        nothing: String,
        language: AppLanguage,
        commands: @escaping @MainActor () -> [PaletteCommand]
    ) {
        field = TextField(placeholder: placeholder)
        collect = commands
        super.init(title: title, language: language)
        list.emptyText = nothing
    }

    package var keyHints: [KeyHint] {
        [
            KeyHint(Key(.enter), KeyHints.choose), KeyHint(Key(.down), KeyHints.move),
            KeyHint(Key(.escape), KeyHints.close),
        ]
    }

    package override func viewDidLoad() {
        super.viewDidLoad()
        let pane = makePane()
        let content = pane.contentView
        content.addSubview(field)
        content.addSubview(list)
        add(pane, size: GridSize(width: 56, height: 18))
        field.ndl.makeConstraints { make in
            make.top.horizontal.equalTo(content)
            make.height.equalTo(1)
        }
        list.ndl.makeConstraints { make in
            make.top.equalTo(field.ndl.bottom)
            make.bottom.horizontal.equalTo(content)
        }
        field.onChange = { [weak self] _ in self?.search() }
        field.onSubmit = { [weak self] _ in self?.choose() }
        list.onSelect = { [weak self] _ in if self?.isMoving == false { self?.choose() } }
        list.onActivate = { [weak self] _ in self?.choose() }
    }

    package override func viewDidAppear() {
        super.viewDidAppear()
        field.becomeFirstResponder()
        commands = collect()
        search()
    }

    /// Shows the actions that match, the best first.
    private func search() {
        let text = field.text
        let matches = commands.enumerated().compactMap { index, command -> (score: Int, row: Row)? in
            let scores = AppLanguage.allCases.compactMap { FuzzyMatch.score(text, in: command.title($0)) }
            return scores.max().map { ($0, Row(id: index, command: command)) }
        }
        rows.apply(matches.sorted { ($1.score, $0.row.id) < ($0.score, $1.row.id) }.map(\.row))
        // The best match is chosen, whatever was chosen before.
        isMoving = true
        list.selectRow(0)
        isMoving = false
    }

    private func choose() {
        guard let command = rows.selectedItem?.command else { return }
        dismiss()
        command.perform()
    }

    package override func keyDown(_ key: Key) -> Bool {
        guard [Key(.up), Key(.down), Key(.pageUp), Key(.pageDown)].contains(key) else { return super.keyDown(key) }
        isMoving = true
        _ = list.keyDown(key)
        isMoving = false
        return true
    }
}
