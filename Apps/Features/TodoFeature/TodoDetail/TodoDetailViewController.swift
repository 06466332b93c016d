import AppLanguage
import AppUI
import NeedleKit
import RIBs
import TerminalUI
import TodoCore

/// The detail of a todo: in a pane beside the list, or in a sheet over it.
@MainActor
final class TodoDetailViewController: ViewController, TodoDetailPresentable, ViewControllable, KeyHinting,
    TodoSheetContent
{
    weak var listener: (any TodoDetailPresentableListener)?

    let sheetSize = GridSize(width: 90, height: 200)

    private let language: AppLanguage
    private let isPanel: Bool
    /// The frame beside the list.
    private let pane: Pane
    private let content: TodoDetailView
    private let keyMap: KeyMap
    private var model: TodoDetailModel?

    init(appearance: Appearance, keyMap: KeyMap, isPanel: Bool) {
        language = appearance.language
        self.keyMap = keyMap
        self.isPanel = isPanel
        content = TodoDetailView(language: appearance.language)
        pane = Pane(title: TodoDetailText.title(language))
        super.init()
        title = TodoDetailText.title(language)
    }

    var keyHints: [KeyHint] { keyMap.hints(TodoDetailAction.self) }

    override func viewDidLoad() {
        super.viewDidLoad()
        // A sheet has a frame.
        let body = isPanel ? content : pane
        if !isPanel { pane.contentView.fill(with: content) }
        view.addSubview(body)
        body.ndl.makeConstraints { $0.edges.equalTo(view) }
        if isPanel { content.isOnPanel = true }
        content.onUse = { [weak self] in self?.use($0) }
        content.onToggle = { [weak self] in self?.listener?.didToggle($0) }
        content.onKey = { [weak self] in self?.handle($0) ?? false }
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        if isPanel { focus() }
    }

    /// Shares the border of the list's frame, which the details overlap by one cell.
    func join(_ neighbor: Pane) { pane.neighbor = neighbor }

    /// Moves the focus to the lines.
    func focus() { content.becomeFirstResponder() }

    // A sheet would close by Escape, also where another key closes the details.
    override func keyDown(_ key: Key) -> Bool { handle(key) || isPanel && key == Key(.escape) }

    private func handle(_ key: Key) -> Bool {
        switch keyMap.action(key, of: TodoDetailAction.self) {
        case .close: listener?.didChooseClose()
        case .edit: listener?.didChooseEdit()
        case .text: listener?.didChooseText()
        case .work: listener?.didChooseWork()
        case .use:
            // As a first click on a change, the first press shows what the next one uses.
            guard let target = content.selectedTarget else { return content.select(by: 1) }
            use(target)
        case .toggle:
            if case .todo(let todo) = content.selectedTarget {
                listener?.didToggle(todo)
            } else if let todo = model?.family?.todo {
                listener?.didToggle(todo)
            }
        case nil: return false
        }
        return true
    }

    func userDidClose() { listener?.didChooseClose() }

    func show(_ model: TodoDetailModel) {
        self.model = model
        content.show(model)
    }

    private func use(_ target: TodoDetailLines.Target) {
        switch target {
        case .todo(let todo): listener?.didChooseJump(to: todo)
        case .change(let entry):
            let alert = AlertController(
                title: TodoDetailText.restoreQuestion(language),
                message: TodoDetailText.restoreMessage(entry)(language)
            )
            alert.addAction(CommonText.cancel(language), kind: .cancel)
            alert.addAction(TodoDetailText.restore(language), kind: .primary) { [weak self] in
                self?.listener?.didChooseRestore(entry.number)
            }
            present(alert)
        }
    }
}

/// The lines of a detail, which scroll. Up and Down select other todos and changes, or scroll without any. What is
/// scrolled out of sight is no longer selected, so that no key acts on it.
@MainActor
final class TodoDetailView: Control {
    /// Called when a click uses another todo or the selected change.
    var onUse: ((TodoDetailLines.Target) -> Void)?
    /// Called when the box of another todo is clicked.
    var onToggle: ((Todo) -> Void)?
    /// Called with each key before the view uses it. Returns whether the key was handled.
    var onKey: ((Key) -> Bool)?
    /// Whether the view lies over the list and needs a background.
    var isOnPanel = false

    private let language: AppLanguage
    private var model: TodoDetailModel?
    private var lines = TodoDetailLines()
    private var offset = 0
    /// The index of the selected target among the targets.
    private var selected: Int?

    init(language: AppLanguage) {
        self.language = language
        super.init()
    }

    /// The selected todo or change.
    var selectedTarget: TodoDetailLines.Target? {
        selected.flatMap { lines.targets.indices.contains($0) ? lines.targets[$0].target : nil }
    }

    func show(_ model: TodoDetailModel) {
        if model.family?.todo.id != self.model?.family?.todo.id { (offset, selected) = (0, nil) }
        self.model = model
        build()
    }

    private func build() {
        guard let model, bounds.width > 2 else { return }
        let before = selectedTarget
        lines = TodoDetailLines(model, width: bounds.width - 2, language: language, styles: TodoStyles(theme: theme))
        if let selected, let before {
            // A todo may be there twice: the nearest line is preferred. If it has gone, the one in its place is selected.
            let same = lines.targets.indices.filter { lines.targets[$0].target.isSame(as: before) }
            let place = same.min { abs($0 - selected) < abs($1 - selected) } ?? min(selected, lines.targets.count - 1)
            self.selected = lines.targets.isEmpty ? nil : place
        }
        revealSelection()
        offset = max(0, min(offset, lines.lines.count - bounds.height))
        setNeedsDisplay()
    }

    override func layoutSubviews() { build() }
    override func didMoveToWindow() { updateBackground() }
    override func traitsDidChange() {
        updateBackground()
        build()
    }

    private func updateBackground() { background = isOnPanel ? theme.panel : nil }

    override func keyDown(_ key: Key) -> Bool {
        if onKey?(key) == true { return true }
        guard let step = MovementKeys.rows(key, height: bounds.height, content: lines.lines.count) else { return false }
        switch MovementKeys.letters[key] ?? key {
        case Key(.up), Key(.down): if !select(by: step) { scroll(by: step) }
        default: scroll(by: step)
        }
        return true
    }

    override func mouse(_ event: MouseEvent) -> Bool {
        if let step = MovementKeys.rows(event) {
            scroll(by: step)
            return true
        }
        guard case .down(.left) = event.kind else { return false }
        let line = offset + event.location.y
        guard let index = lines.targets.firstIndex(where: { $0.line == line }) else { return true }
        if case .todo(let todo) = lines.targets[index].target {
            selected = index
            if event.location.x <= TodoRow.box.count { onToggle?(todo) } else { onUse?(.todo(todo)) }
        } else if selected == index {
            onUse?(lines.targets[index].target)
        } else {
            selected = index
        }
        setNeedsDisplay()
        return true
    }

    /// Selects the next todo or change, or the one before; without a selection, the nearest from the first or the last visible
    /// line on. Returns whether there is one.
    func select(by step: Int) -> Bool {
        let end = offset + bounds.height
        let nearest =
            step > 0
            ? lines.targets.firstIndex { $0.line >= offset } : lines.targets.lastIndex { $0.line < end }
        guard let next = selected.map({ $0 + step }) ?? nearest, lines.targets.indices.contains(next) else {
            return false
        }
        selected = next
        revealSelection()
        setNeedsDisplay()
        return true
    }

    private func revealSelection() {
        guard let selected else { return }
        let line = lines.targets[selected].line
        if line < offset { offset = line }
        if line >= offset + bounds.height { offset = line - bounds.height + 1 }
    }

    private func scroll(by rows: Int) {
        offset = max(0, min(offset + rows, lines.lines.count - bounds.height))
        let visible = offset..<offset + bounds.height
        if let index = selected, !visible.contains(lines.targets[index].line) { selected = nil }
        setNeedsDisplay()
    }

    /// All lines, with ">" before the selected one.
    override var plainText: [String] {
        let marked = selected.flatMap { lines.targets.indices.contains($0) ? lines.targets[$0].line : nil }
        return lines.lines.enumerated().compactMap { index, line in
            let text = line.map(\.text).joined(separator: " ")
            return text.isEmpty ? nil : (index == marked ? "> " : "  ") + text
        }
    }

    override func draw(in canvas: Canvas) {
        let marked = selected.flatMap { lines.targets.indices.contains($0) ? lines.targets[$0].line : nil }
        for (y, line) in lines.lines.dropFirst(offset).prefix(bounds.height).enumerated() {
            let isSelected = offset + y == marked && isFirstResponder
            if isSelected { canvas.cover(GridRect(x: 0, y: y, width: bounds.width, height: 1), style: theme.selection) }
            let parts = line.map { part in
                var style = part.style
                if isSelected { style.foreground = .standard }
                return StyledText(part.text, style)
            }
            canvas.text(parts, from: 1, to: bounds.width - 1, y: y)
        }
        canvas.scrollBar(
            x: bounds.width - 1,
            height: bounds.height,
            offset: offset,
            content: lines.lines.count,
            style: theme.border
        )
    }
}
