import And
import AppLanguage
import AppUI
import RIBs
import TerminalUI
import TodoCore

/// The field for new todos over a framed list with the number of todos in its title, and the field of the filter.
@MainActor
final class TodoListViewController: ViewController, TodoListPresentable, TodoListViewControllable, KeyHinting,
    CommandProviding, HeaderProviding
{
    weak var listener: (any TodoListPresentableListener)?

    let language: AppLanguage
    private let keyMap: KeyMap
    let entry: TextField
    let find: TextField
    let table: TodoListView
    /// The last edit of a todo in its row, and its field.
    var inline: (edit: TodoLineEdit, field: TextField)?
    let pane: Pane
    /// The message about a todo that the list hides, or about the text of the filter.
    let message = MessageLine()
    private let entryBar: EntryBar
    private let screen: TodoListScreen
    var model: TodoListModel?
    /// The keys that were typed since the menu of lists was requested, until it opens; `nil` if none is requested.
    var keysForMenu: [Key]?
    /// The details beside the list.
    private var detail: ViewController?

    init(appearance: Appearance, keyMap: KeyMap = .standard) {
        language = appearance.language
        self.keyMap = keyMap
        entry = TextField(placeholder: TodoListText.entry(language)).and { $0.maximumLength = TodoText.titleLimit }
        find = TextField(placeholder: TodoListText.find(language)).and { $0.isHidden = true }
        entryBar = EntryBar(entry)
        table = TodoListView(language: language)
        pane = Pane(table)
        screen = TodoListScreen(entryBar: entryBar, pane: pane, message: message, find: find)
        super.init()
        title = appearance.title
    }

    var keyHints: [KeyHint] {
        if isTyping { return [KeyHint(Key(.escape), TodoListText.backToList)] }
        return TodoAction.allCases.filter { $0 != .reveal || model?.hidden != nil }.compactMap {
            keyMap.hint($0.keyAction)
        }
    }

    /// Whether a field has the keys.
    private var isTyping: Bool { entry.isFirstResponder || find.isFirstResponder || table.isEditing }

    /// Performs an action of the list, also while a field has the focus.
    func perform(_ key: Key) {
        if !handle(key) { _ = keyDown(key) }
    }

    override func loadView() -> View { screen }

    override func viewDidLoad() {
        super.viewDidLoad()
        entryBar.owner = self
        connect()
    }

    override func viewDidAppear() {
        super.viewDidAppear()
        table.becomeFirstResponder()
    }

    override func viewDidLayoutSubviews() {
        super.viewDidLayoutSubviews()
        arrange()
    }

    // MARK: - TodoListPresentable

    func show(_ model: TodoListModel, selecting id: TodoID?) {
        self.model = model
        table.today = model.today
        table.time = model.time
        table.dates = model.dates
        table.marked = model.marked
        let isFiltered = !model.request.filter.query.isEmpty
        table.emptyLines =
            model.isLoaded
            ? TodoListText.empty(
                isFiltered: !model.filterText.isBlank || model.scope != .all,
                context: model.context?.name,
                later: model.request.filter.status == .open ? later(model) : 0,
                done: model.request.filter.status == .open ? model.doneCount : 0,
                keys: TodoListText.EmptyKeys(
                    new: name(.new),
                    all: name(.showAll),
                    done: name(.showDone),
                    find: name(.find),
                    palette: keyMap.hint(KeyAction.palette)?.name ?? "",
                    scopes: name(.scopes)
                )
            ).map { $0(language) } : []
        let before = table.selectedID
        table.show(model.rows, selecting: id)
        if table.selectedID != before { listener?.didSelect(table.selectedTodo) }
        showLabels()
        pane.title = model.isLoaded || model.activity != nil ? heading(model)(language) : ""
        pane.detail = TodoListText.contents(model.request)?(language) ?? ""
        if let hidden = model.hidden {
            message.show { [weak self] in self?.explanation(ofHidden: hidden) ?? "" }
        } else if let problem = model.filterProblem, isFiltered {
            message.show(problem(language), isProblem: true)
        } else if !table.isEditing {
            // The problem of an edited line stays until the line changes.
            message.show(nil, isProblem: false)
        }
        updatePreview()
    }

    private func heading(_ model: TodoListModel) -> LocalizedText {
        if let activity = model.activity { return activity }
        if !model.marked.isEmpty { return TodoListText.marked(model.marked.count) }
        let (count, later) = (model.listing.matchCount, later(model))
        // The menu of the lists counts open todos alike: without those that are hidden until a later day.
        let open = model.openCount - later
        let counts =
            model.request.filter.query.isEmpty
            ? TodoListText.counts(open: open, later: later, done: model.doneCount)
            : model.filterText.isBlank && model.scope != .all
                ? LocalizedText(verbatim: "\(count)") : TodoListText.found(count, open: open)
        guard model.scope != .all else { return counts }
        return LocalizedText(verbatim: "\(model.scope.title(language)): \(counts(language))")
    }

    private func later(_ model: TodoListModel) -> Int { model.snapshot?.waitingCount(on: model.today) ?? 0 }

    /// Returns the message about a todo that the list hides. In a field, its key types a letter: another one leaves the field
    /// first, that of the filter by Enter, since Escape ends the filter.
    private func explanation(ofHidden todo: Todo) -> String {
        let leaving = Key(find.isFirstResponder ? .enter : .escape)
        let keys = (isTyping ? [KeyHint(leaving, TodoListText.backToList).name] : []) + [name(.reveal)]
        return TodoListText.hidden(todo.title, keys: keys.joined(separator: ", "))(language)
    }

    private func name(_ action: TodoAction) -> String { keyMap.hint(action.keyAction)?.name ?? "" }

    var selectedID: TodoID? { table.selectedID }

    var entryText: String { entry.text }

    private func updatePreview() { entryBar.updatePreview(model, language, hasRoom: view.bounds.height >= 6) }

    func clearEntry() {
        entry.text = ""
        updatePreview()
    }

    func fillEntry(_ line: String) {
        entry.text = line
        if !line.isEmpty {
            entry.isHidden = false
            entry.becomeFirstResponder()
        }
        updatePreview()
    }

    func restoreEntry(_ line: String) {
        if entry.text.isEmpty { entry.text = line }
        updatePreview()
    }

    func showFilter(_ text: String) {
        find.text = text
        find.isHidden = text.isEmpty
        table.becomeFirstResponder()
    }

    func withdrawOffer() { keysForMenu = nil }

    // MARK: - TodoListViewControllable

    func presentChild(_ child: any ViewControllable) {
        guard let controller = child as? ViewController else { return }
        guard let content = controller as? any TodoSheetContent else { return present(controller) }
        let sheet = SheetController(
            content: controller,
            title: controller.title ?? "",
            maximumSize: content.sheetSize,
            // Where there is room, messages below the list stay visible.
            margin: view.bounds.height < 24 ? 1 : 2
        )
        // The router closes the sheet, so that the RIB is detached with its view.
        sheet.onClose = { [weak content] in
            content?.userDidClose()
            return false
        }
        present(sheet)
    }

    func dismissChild(_ child: any ViewControllable) {
        guard presented === child || (presented as? SheetController)?.content === child else { return }
        dismiss()
        table.becomeFirstResponder()
    }

    func embedChild(_ child: any ViewControllable) {
        guard let controller = child as? ViewController else { return }
        addChild(controller)
        screen.addSubview(controller.view)
        detail = controller
        (controller as? TodoDetailViewController)?.join(pane)
        screen.detail = controller.view
    }

    func removeChild(_ child: any ViewControllable) {
        guard detail === child else { return }
        detail?.removeFromParent()
        detail = nil
        screen.detail = nil
    }

    func focusEmbedded() { (detail as? TodoDetailViewController)?.focus() }

    func focusList() { table.becomeFirstResponder() }

    func takeHeader() -> View { screen.takeEntryBar() }

    // MARK: - Layout

    private func arrange() {
        screen.arrange()
        showLabels()
    }

    /// The width from which on the list has a column of projects.
    private static let widthOfColumns = 45

    /// Where the columns of projects and labels have no room, those of the selected todo are in the frame.
    private func showLabels() {
        let isNarrow = view.bounds.width < Self.widthOfColumns
        pane.footer = isNarrow ? table.selectedTodo.map(TodoRow.labels(of:)) ?? "" : ""
    }

    private func connect() {
        screen.onRoomChange = { [weak self] in self?.listener?.didChangeRoom(hasRoomForDetail: $0) }
        entry.onSubmit = { [weak self] line in
            guard !line.isBlank else { return }
            self?.listener?.didEnter(line)
        }
        entry.onChange = { [weak self] _ in self?.updatePreview() }
        entry.onPaste = { [weak self] in self?.offer($0, isInField: true) ?? false }
        addCompletions(to: entry)
        table.onSelect = { [weak self] _ in
            self?.listener?.didSelect(self?.table.selectedTodo)
            self?.showLabels()
        }
        table.onLeaveEditor = { [weak self] in self?.leaveInlineEdit() }
        table.onMark = { [weak self] in self?.listener?.didToggleMark($0) }
        entry.onTruncate = { [weak self] in self?.listener?.didTruncate(count: $0, limit: TodoText.titleLimit) }
        find.onChange = { [weak self] text in self?.listener?.didChangeFilter(text) }
        find.onSubmit = { [weak self] _ in self?.table.becomeFirstResponder() }
        table.onActivate = { [weak self] _ in self?.perform(.open) }
        table.onToggle = { [weak self] in self?.withClicked { listener, todo, _ in listener.didToggle(todo) } }
        table.onFold = { [weak self] in self?.listener?.didFold($0, $1) }
        table.onDrag = { [weak self] isRight in
            self?.withClicked { [weak self] listener, todo, marked in
                guard isRight else { return listener.didChooseOutdent(todo) }
                listener.didChooseIndent(todo, below: self?.table.todoAbove(marked))
            }
        }
        table.onKey = { [weak self] key in self?.handle(key) ?? false }
        message.onTap = { [weak self] in self?.perform(.reveal) }
        pane.onDetail = { [weak self] in self?.perform(.sort) }
    }

    // MARK: - Keys

    override func keyDown(_ key: Key) -> Bool {
        guard key == Key(.escape) else { return false }
        if table.isEditing, entry.isFirstResponder || find.isFirstResponder {
            inline?.field.becomeFirstResponder()
        } else if table.isEditing {
            endInlineEdit()
        } else {
            leaveField()
        }
        return true
    }

    override func paste(_ paste: Paste) -> Bool { offer(paste, isInField: false) }

    private func handle(_ key: Key) -> Bool {
        guard keysForMenu == nil else {
            keysForMenu?.append(key)
            return true
        }
        guard let action = keyMap.action(key, of: TodoAction.self) else { return false }
        if action == .scope {
            keyMap.keys(for: action.keyAction).firstIndex(of: key).map { listener?.didChooseScope($0) }
        } else {
            perform(action)
        }
        return true
    }

    func perform(_ action: TodoAction) {
        switch action {
        case .toggle: withSelected { $0.didToggle($1) }
        case .edit: model?.marked.isEmpty == false ? changeMarked() : withSelected { $0.didChooseEdit($1) }
        case .open: withSelected { $0.didChooseOpen($1) }
        case .inline:
            if model?.marked.isEmpty == false {
                changeMarked()
            } else if let edit = table.selectedTodo.map({ TodoLineEdit($0) }) {
                begin(edit, line: edit.line)
            }
        case .mark:
            withSelected { $0.didToggleMark($1.id) }
            table.selectNext(1)
        case .markAll: listener?.didToggleAllMarks()
        case .calendar: listener?.didChooseCalendar()
        case .remove: withSelected { $0.didChooseRemove($1) }
        case .undo: listener?.didChooseUndo()
        case .redo: listener?.didChooseRedo()
        case .showDone: listener?.didToggleDone()
        case .archive: listener?.didChooseArchive()
        case .work: withSelected { $0.didChooseWork($1) }
        case .scopes:
            keysForMenu = []
            listener?.didChooseScopes()
        case .template: listener?.didChooseTemplates()
        case .scope: listener?.didChooseScope(0)
        case .reveal: listener?.didChooseReveal()
        case .indent: withSelected { $0.didChooseIndent($1, below: table.todoAbove(table.marked)) }
        case .outdent: withSelected { $0.didChooseOutdent($1) }
        case .fold:
            if table.hiddenSubtasksOfSelection == 0 {
                withSelected { $0.didFold($1, true) }
            } else {
                table.selectParent()
            }
        case .unfold: withSelected { $0.didFold($1, false) }
        case .sort: chooseSort()
        case .order: listener?.didChooseSort(TodoListText.order(after: model?.request.sort))
        case .group: chooseGrouping()
        case .new:
            entry.isHidden = false
            entry.becomeFirstResponder()
        case .find:
            find.isHidden = false
            find.becomeFirstResponder()
            uncover()
        case .down: table.selectNext(1)
        case .up: table.selectNext(-1)
        case .top: table.selectEnd(isLast: false)
        case .bottom: table.selectEnd(isLast: true)
        case .showAll: leaveField()
        }
    }

    /// Returns the focus to the list. The filter goes if its field had the focus or none had. On the list, an error is closed
    /// first.
    private func leaveField() {
        if table.isFirstResponder, let snackbars = snackbarController, snackbars.snackbar?.kind == .error {
            return snackbars.close()
        }
        if !entry.isFirstResponder, find.isFirstResponder || !find.text.isEmpty {
            find.text = ""
            listener?.didChangeFilter("")
        }
        if find.text.isEmpty { find.isHidden = true }
        if table.isFirstResponder, model?.marked.isEmpty == false {
            listener?.didClearMarks()
        } else if table.isFirstResponder, model?.filterText.isBlank == true, model?.scope != .all {
            listener?.didChoose(.all)
        }
        table.becomeFirstResponder()
        updatePreview()
        arrange()
    }

    private func withSelected(_ act: (any TodoListPresentableListener, Todo) -> Void) {
        guard let listener, let todo = table.selectedTodo else { return }
        act(listener, todo)
    }

    /// Acts on the row that was clicked or dragged: on all marked todos if it is one of them, and else on its todo alone.
    private func withClicked(_ act: (any TodoListPresentableListener, Todo, _ marked: Set<TodoID>) -> Void) {
        withSelected { listener, todo in
            if table.marked.contains(todo.id) { return act(listener, todo, table.marked) }
            listener.withoutMarks { act(listener, todo, []) }
        }
    }
}

/// A child of the list that is shown in a sheet over it.
@MainActor
protocol TodoSheetContent: ViewController {
    /// The largest size of the sheet, border included.
    var sheetSize: GridSize { get }

    /// The user closes the sheet by a click outside of it, or by a key that the content does not handle.
    func userDidClose()
}
