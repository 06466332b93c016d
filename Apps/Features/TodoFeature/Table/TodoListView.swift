import AppLanguage
import NeedleKit
import TerminalUI
import TodoCore

/// The list of todos: one row for each todo and heading.
///
/// Its data source is a ``TodoRows``, which is lazy: a frame, a key and a click take the same time for every number of todos.
@MainActor
final class TodoListView: ListView {
    /// The present day, for relative dates and overdue todos.
    var today = Day(number: 0) { didSet { setNeedsDisplay() } }
    /// The present time, for todos that are overdue since a time of the present day.
    var time: TimeOfDay? { didSet { setNeedsDisplay() } }
    /// The todos that are marked for a common action.
    var marked: Set<TodoID> = [] { didSet { setNeedsDisplay() } }
    /// The lines of a list without todos.
    var emptyLines: [String] = [] { didSet { setNeedsDisplay() } }
    /// Called when the box of the selected todo is clicked.
    var onToggle: (() -> Void)?
    /// Called when a todo is to be marked, or unmarked.
    var onMark: ((TodoID) -> Void)?
    /// Called when the subtasks of a todo are to be folded away (true) or shown, by a click on their sign.
    var onFold: ((Todo, Bool) -> Void)?
    /// Called when the selected todo is dragged to the right (true) or to the left.
    var onDrag: ((Bool) -> Void)?
    /// Called when a click outside of the field ends the edit of a todo in its row.
    var onLeaveEditor: (() -> Void)?

    /// How days are written.
    var dates = DateStyle()

    private let language: AppLanguage
    private(set) var listing = TodoRows.empty
    /// The field over the selected row while its todo is edited in the list, and its line.
    private var editor: (field: TextField, line: Int?)?
    /// The column in which a row was pressed, and whether it is opened when the button is released there.
    private var press: (x: Int, opens: Bool)?
    /// The columns by which a row is dragged to another level.
    private static let dragDistance = 2
    /// The columns of the rows that have been drawn since the last change of the listing, and those that fit.
    private var columns = (all: TodoColumns(), fitting: TodoColumns())

    init(language: AppLanguage) {
        self.language = language
        super.init()
        dataSource = self
    }

    // MARK: Content and selection

    /// Shows another listing. The selected todo stays selected; if it is not listed any more, the todo in its row is.
    ///
    /// - Parameters:
    ///   - listing: the rows.
    ///   - wanted: the todo to be selected, whose row is `TodoListing.locatedRow`; `nil` for the present one.
    func show(_ listing: TodoRows, selecting wanted: TodoID?) {
        self.listing = listing
        columns.all = TodoColumns()
        reloadData(selecting: wanted)
    }

    /// The ID of the selected todo.
    var selectedID: TodoID? { selectedRow.flatMap { listing.id(at: $0) } }

    /// The selected todo.
    var selectedTodo: Todo? { selectedRow.flatMap { listing.todo(at: $0) } }

    /// Selects a todo that is near the selected row. Returns `false` if it is not listed.
    func select(_ id: TodoID) -> Bool {
        guard let row = listing.row(of: id, near: selectedRow ?? 0) ?? listing.locatedRow(of: id) else { return false }
        selectRow(row)
        return true
    }

    /// The number of subtasks of the selected todo that are folded away; `nil` for a todo without subtasks.
    var hiddenSubtasksOfSelection: Int? { selectedRow.flatMap { listing.hiddenSubtasks(at: $0) } }

    /// Selects the todo of which the selected one is a part, if it is in the list.
    func selectParent() {
        guard let selectedRow, case .todo(_, let depth) = listing[selectedRow], depth > 0 else { return }
        for row in stride(from: selectedRow - 1, through: 0, by: -1) {
            guard case .todo(_, let level) = listing[row] else { return }
            if level < depth { return selectRow(row) }
        }
    }

    /// Returns the nearest todo on the same level above the first one of some todos, or without any above the selected one;
    /// `nil` for the first todo of its parent.
    func todoAbove(_ todos: Set<TodoID>) -> Todo? {
        let marked = todos.isEmpty ? nil : (0..<listing.count).first { listing.id(at: $0).map(todos.contains) == true }
        guard let first = marked ?? selectedRow, case .todo(_, let depth) = listing[first] else { return nil }
        for row in stride(from: first - 1, through: 0, by: -1) {
            guard case .todo(let todo, let level) = listing[row], level >= depth else { return nil }
            if level == depth { return todo }
        }
        return nil
    }

    // MARK: Editing in the list

    /// Whether a todo is edited in its row.
    var isEditing: Bool { editor != nil }

    /// Places a field over the selected row.
    func beginEditing(_ field: TextField) {
        endEditing()
        if let selectedRow { scrollToRow(selectedRow) }
        editor = (field, nil)
        addSubview(field)
        placeEditor()
        field.becomeFirstResponder()
    }

    /// Removes the field.
    func endEditing() {
        editor?.field.removeFromSuperview()
        editor = nil
    }

    private func placeEditor() {
        guard let (field, line) = editor, let selectedRow, selectedRow - contentOffset != line else { return }
        editor?.line = selectedRow - contentOffset
        field.ndl.remakeConstraints { make in
            make.top.equalTo(self).offset(selectedRow - contentOffset)
            make.left.equalTo(self).offset(4)
            make.right.equalTo(self).offset(-1)
            make.height.equalTo(1)
        }
    }

    override func layoutSubviews() {
        super.layoutSubviews()
        placeEditor()
    }

    // MARK: Input

    override func keyDown(_ key: Key) -> Bool {
        // Keys that the field in the row does not use are not for the list.
        guard !isEditing else { return false }
        // The keys of the user first: they may be keys that the list uses by default.
        if onKey?(key) == true { return true }
        guard key.modifiers == .shift, key.code == .up || key.code == .down else { return super.keyDown(key) }
        if let selectedID, !marked.contains(selectedID) { onMark?(selectedID) }
        guard selectNext(key.code == .up ? -1 : 1) else { return true }
        if let selectedID, !marked.contains(selectedID) { onMark?(selectedID) }
        return true
    }

    override func mouse(_ event: MouseEvent) -> Bool {
        switch event.kind {
        case .down(.left): return press(event)
        case .drag(.left):
            guard let press else { return super.mouse(event) }
            let distance = event.location.x - press.x
            guard abs(distance) >= Self.dragDistance else { return true }
            self.press = nil
            onDrag?(distance > 0)
        case .up(.left):
            guard let press else { return super.mouse(event) }
            self.press = nil
            if press.opens, let selectedRow { onActivate?(selectedRow) }
        // The field in the row stays where its text is seen.
        case .wheelUp, .wheelDown: return isEditing || super.mouse(event)
        default: return super.mouse(event)
        }
        return true
    }

    private func press(_ event: MouseEvent) -> Bool {
        press = nil
        if isEditing {
            onLeaveEditor?()
            // A line that is refused stays in its field.
            guard !isEditing else { return true }
        }
        guard let row = row(at: event.location), let id = listing.id(at: row) else { return super.mouse(event) }
        if event.modifiers.contains(.control) || event.modifiers.contains(.shift) {
            selectRow(row)
            onMark?(id)
        } else if TodoRow.box.contains(event.location.x) {
            selectRow(row)
            onToggle?()
        } else if let todo = todoRow(row), todo.hiddenSubtasks != nil,
            event.location.x == todo.titleStart(width: rowWidth)
        {
            selectRow(row)
            onFold?(todo.todo, todo.hiddenSubtasks == 0)
        } else if event.location.x < rowWidth {
            press = (event.location.x, row == selectedRow)
            selectRow(row)
        } else {
            return super.mouse(event)
        }
        return true
    }

    // MARK: Drawing

    /// The visible rows, with ">" before the selected one, and the number of those below them.
    override var plainText: [String] {
        guard listing.count > 0 else { return emptyLines }
        let rows = visibleRows.map { row in
            if case .heading(let heading) = listing[row] {
                self.heading(heading)
            } else {
                todoRow(row)?.plainText ?? ""
            }
        }
        let below = listing.count - visibleRows.upperBound
        return rows + (below > 0 ? [TodoCalendarText.more(below)(language)] : [])
    }

    override func draw(in canvas: Canvas) {
        if listing.count == 0 {
            // The rest of a line with a key begins below its text.
            let lines = emptyLines.flatMap {
                TextLayout.wrap($0, width: max(1, bounds.width - 2), limit: 3, hangs: true)
            }
            for (y, line) in lines.prefix(bounds.height).enumerated() {
                canvas.text(line, x: 1, y: y, style: y == 0 ? .plain : theme.secondary)
            }
        }
        let width = rowWidth
        let todos = visibleRows.compactMap(todoRow)
        // The columns only widen while the list is scrolled, so that they stay in place.
        for row in todos { columns.all.widen(for: row) }
        // A few long titles do not take the room of the columns.
        let titles = todos.map { $0.titleWidth + $0.titleStart(width: width) - 5 }.sorted()
        columns.fitting = columns.all.fitting(width - 6, title: titles.isEmpty ? 0 : titles[(titles.count * 3 - 1) / 4])
        super.draw(in: canvas)
    }

    private var rowWidth: Int { cell(forRow: visibleRows.lowerBound)?.bounds.width ?? bounds.width }

    /// Draws a row in its cell.
    fileprivate func draw(_ row: Int, in canvas: Canvas, width: Int) {
        if let row = todoRow(row) { return row.draw(in: canvas, y: 0, width: width, columns: columns.fitting) }
        guard case .heading(let heading) = listing[row] else { return }
        let end = canvas.text(TextLayout.truncate(self.heading(heading), to: width - 2), x: 1, y: 0, style: theme.title)
        if end + 1 < width - 1 {
            canvas.text(String(repeating: "─", count: width - 2 - end), x: end + 1, y: 0, style: theme.border)
        }
    }

    private func todoRow(_ row: Int) -> TodoRow? {
        guard case .todo(let todo, let depth) = listing[row] else { return nil }
        return TodoRow(
            todo: todo,
            depth: depth,
            hiddenSubtasks: listing.hiddenSubtasks(at: row),
            progress: listing.progress(at: row),
            isBlocked: listing.isBlocked(at: row),
            today: today,
            time: time,
            dates: dates,
            language: language,
            theme: theme,
            isSelected: row == selectedRow,
            isMarked: marked.contains(todo.id)
        )
    }

    private func heading(_ heading: TodoListing.Heading) -> String {
        "\(TodoListText.heading(heading.name, today: today, dates)(language))  \(heading.count)"
    }
}

extension TodoListView: ListViewDataSource {
    func numberOfRows(in listView: ListView) -> Int { listing.count }
    func rowHeight(in listView: ListView) -> Int? { 1 }
    func listView(_ listView: ListView, canSelectRow row: Int) -> Bool { listing.isTodo(row) }
    func listView(_ listView: ListView, identifierOfRow row: Int) -> AnyHashable? { listing.id(at: row) }
    func listView(_ listView: ListView, cellForRow row: Int) -> ListCell { dequeue(TodoCell.self) }

    /// A todo may be in several groups: the nearest row is preferred.
    func listView(_ listView: ListView, rowOf identifier: AnyHashable, near row: Int) -> Int? {
        (identifier.base as? TodoID).flatMap { listing.row(of: $0, near: row) ?? listing.locatedRow(of: $0) }
    }
}

/// A row of the list, which the list draws.
private final class TodoCell: ListCell {
    override func draw(in canvas: Canvas) { (superview as? TodoListView)?.draw(row, in: canvas, width: bounds.width) }
}
