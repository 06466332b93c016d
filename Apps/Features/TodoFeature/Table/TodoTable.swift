import AppLanguage
import NeedleKit
import TerminalUI
import TodoCore

/// The list of todos: one row for each todo and heading.
///
/// It draws only the visible rows of a ``TodoRows``. A frame, a key and a click take the same time for every number of
/// todos.
@MainActor
final class TodoTable: Control {
    /// The present day, for relative dates and overdue todos.
    var today = Day(number: 0) { didSet { if today != oldValue { setNeedsDisplay() } } }
    /// The present time, for todos that are overdue since a time of the present day.
    var time: TimeOfDay? { didSet { if time != oldValue { setNeedsDisplay() } } }
    /// The todos that are marked for a common action.
    var marked: Set<TodoID> = [] { didSet { if marked != oldValue { setNeedsDisplay() } } }
    /// The lines of a list without todos.
    var emptyLines: [String] = [] { didSet { if emptyLines != oldValue { setNeedsDisplay() } } }
    /// Called when another todo has been selected.
    var onSelect: ((TodoID?) -> Void)?
    /// Called when Enter or a second click activates a todo.
    var onActivate: ((TodoID) -> Void)?
    /// Called when the box of a todo is clicked.
    var onToggle: ((TodoID) -> Void)?
    /// Called when a todo is to be marked, or unmarked.
    var onMark: ((TodoID) -> Void)?
    /// Called when a click outside of the field ends the edit of a todo in its row.
    var onLeaveEditor: (() -> Void)?
    /// Called with each key before the list uses it. Returns whether the key was handled.
    var onKey: ((Key) -> Bool)?

    private let language: AppLanguage
    private(set) var listing = TodoRows.empty
    private(set) var selectedRow: Int?
    private(set) var selectedID: TodoID?
    /// The first visible row.
    private(set) var offset = 0
    /// The field over the selected row while its todo is edited in the list.
    private var editor: TextField?
    private var laidOutHeight = 0
    /// The columns of the rows that have been drawn since the last change of the listing.
    private var columns = TodoColumns()
    /// Whether the pointer drags the scroll bar.
    private var isDragging = false

    init(language: AppLanguage) {
        self.language = language
        super.init()
        layoutNode.verticalHugging = .low
    }

    // MARK: Content and selection

    /// Shows another listing. The selected todo stays selected; if it is not listed any more, the todo in its row is.
    ///
    /// - Parameters:
    ///   - listing: the rows.
    ///   - wanted: the todo to be selected, whose row is `TodoListing.locatedRow`; `nil` for the present one.
    func show(_ listing: TodoRows, selecting wanted: TodoID?) {
        self.listing = listing
        columns = TodoColumns()
        let before = selectedID
        let row = selectedRow ?? 0
        let id = wanted ?? selectedID
        // A todo may be in several groups: the nearest row is preferred.
        let found = id.flatMap { listing.row(of: $0, near: row) ?? listing.locatedRow(of: $0) }
        selectedRow =
            found ?? todoRow(from: min(row, listing.count - 1), step: 1) ?? todoRow(from: listing.count - 1, step: -1)
        selectedID = selectedRow.flatMap { listing.id(at: $0) }
        limitOffset()
        reveal()
        setNeedsDisplay()
        if selectedID != before { onSelect?(selectedID) }
    }

    /// The selected todo.
    var selectedTodo: Todo? { selectedRow.flatMap { listing.todo(at: $0) } }

    /// The number of subtasks of the selected todo that are folded away; `nil` for a todo without subtasks.
    var hiddenSubtasksOfSelection: Int? { selectedRow.flatMap { listing.hiddenSubtasks(at: $0) } }

    /// Selects the todo of which the selected one is a part, if it is in the list.
    func selectParent() {
        guard let selectedRow, case .todo(_, let depth) = listing[selectedRow], depth > 0 else { return }
        for row in stride(from: selectedRow - 1, through: 0, by: -1) {
            guard case .todo(_, let level) = listing[row] else { return }
            if level < depth { return select(row) }
        }
    }

    /// The nearest todo above the selected one on the same level; `nil` for the first one of its parent.
    var todoAboveSelection: Todo? {
        guard let selectedRow, case .todo(_, let depth) = listing[selectedRow] else { return nil }
        for row in stride(from: selectedRow - 1, through: 0, by: -1) {
            guard case .todo(let todo, let level) = listing[row], level >= depth else { return nil }
            if level == depth { return todo }
        }
        return nil
    }

    /// Selects a row if it has a todo, and scrolls to it.
    func select(_ row: Int) {
        guard let id = listing.id(at: row) else { return }
        selectedRow = row
        selectedID = id
        reveal()
        setNeedsDisplay()
        onSelect?(id)
    }

    /// Selects the next todo in a direction; returns false at the end of the list.
    func move(by step: Int) -> Bool {
        guard let row = todoRow(from: (selectedRow ?? -1) + step, step: step) else { return false }
        select(row)
        return true
    }

    /// Selects the first or the last todo.
    func moveToEnd(_ isLast: Bool) {
        if let row = isLast ? todoRow(from: listing.count - 1, step: -1) : todoRow(from: 0, step: 1) { select(row) }
    }

    private func page(_ direction: Int) {
        guard let selectedRow else { return }
        let target = max(0, min(listing.count - 1, selectedRow + direction * max(1, bounds.height - 1)))
        if let row = todoRow(from: target, step: direction) ?? todoRow(from: target, step: -direction) { select(row) }
    }

    private func todoRow(from start: Int, step: Int) -> Int? {
        var row = start
        while row >= 0, row < listing.count {
            if listing.isTodo(row) { return row }
            row += step
        }
        return nil
    }

    // MARK: Scrolling

    private func scroll(to row: Int) {
        offset = row
        limitOffset()
        setNeedsDisplay()
        if editor != nil { placeEditor() }
    }

    private func limitOffset() { offset = max(0, min(offset, listing.count - bounds.height)) }

    /// Scrolls to the selected row, with the heading above it.
    private func reveal() {
        guard let row = selectedRow, bounds.height > 0 else { return }
        let top = row > 0 && !listing.isTodo(row - 1) && bounds.height > 1 ? row - 1 : row
        if row >= offset + bounds.height { offset = row - bounds.height + 1 }
        if top < offset { offset = top }
        if editor != nil { placeEditor() }
    }

    private var hasBar: Bool { listing.count > bounds.height && bounds.height > 0 && bounds.width > 1 }

    override func layoutSubviews() {
        limitOffset()
        // After a change of size the selection is visible again: a key must not act on a todo that is out of sight.
        if laidOutHeight != bounds.height { reveal() }
        laidOutHeight = bounds.height
        if editor != nil { placeEditor() }
    }

    // MARK: Editing in the list

    /// Whether a todo is edited in its row.
    var isEditing: Bool { editor != nil }

    /// Places a field over the selected row. It is removed on Enter, on Escape and when it loses the focus.
    func beginEditing(_ field: TextField) {
        endEditing()
        reveal()
        editor = field
        addSubview(field)
        placeEditor()
        field.becomeFirstResponder()
    }

    /// Removes the field.
    func endEditing() {
        editor?.removeFromSuperview()
        editor = nil
    }

    private func placeEditor() {
        guard let editor, let row = selectedRow else { return }
        let y = Double(row - offset)
        editor.ndl.remakeConstraints { make in
            make.top.equalTo(self).offset(y)
            make.left.equalTo(self).offset(4)
            make.right.equalTo(self).offset(-1)
            make.height.equalTo(1)
        }
    }

    // MARK: Input

    override func keyDown(_ key: Key) -> Bool {
        // Keys that the field in the row does not use are not for the list.
        guard !isEditing else { return false }
        // The keys of the user first: they may be keys that the list uses by default.
        if onKey?(key) == true { return true }
        switch (key.code, key.modifiers) {
        case (.up, []): return move(by: -1)
        case (.down, []): return move(by: 1)
        case (.up, .shift), (.down, .shift):
            if let selectedID, !marked.contains(selectedID) { onMark?(selectedID) }
            guard move(by: key.code == .up ? -1 : 1) else { return true }
            if let selectedID, !marked.contains(selectedID) { onMark?(selectedID) }
        case (.home, []): moveToEnd(false)
        case (.end, []): moveToEnd(true)
        case (.pageUp, []): page(-1)
        case (.pageDown, []): page(1)
        case (.enter, []):
            guard let selectedID else { return false }
            onActivate?(selectedID)
        default: return false
        }
        return true
    }

    override func mouse(_ event: MouseEvent) -> Bool {
        switch event.kind {
        case .wheelUp: scroll(to: offset - 3)
        case .wheelDown: scroll(to: offset + 3)
        case .down(.left):
            if isEditing { onLeaveEditor?() }
            isDragging = hasBar && event.location.x >= bounds.width - 1
            if isDragging { drag(to: event.location.y) } else { click(event) }
        case .drag(.left) where isDragging: drag(to: event.location.y)
        case .up: isDragging = false
        default: return false
        }
        return true
    }

    private func drag(to y: Int) {
        guard bounds.height > 1 else { return }
        let y = max(0, min(bounds.height - 1, y))
        scroll(to: (y * (listing.count - bounds.height) + (bounds.height - 1) / 2) / (bounds.height - 1))
    }

    private func click(_ event: MouseEvent) {
        let row = offset + event.location.y
        guard let id = listing.id(at: row) else { return }
        if event.modifiers.contains(.control) || event.modifiers.contains(.shift) {
            select(row)
            onMark?(id)
        } else if TodoRow.box.contains(event.location.x) {
            select(row)
            onToggle?(id)
        } else if row == selectedRow {
            onActivate?(id)
        } else {
            select(row)
        }
    }

    // MARK: Drawing

    /// The visible rows, with ">" before the selected one, and the number of those below them.
    override var plainText: [String] {
        guard listing.count > 0 else { return emptyLines }
        let end = min(offset + bounds.height, listing.count)
        let rows = (offset..<max(offset, end)).compactMap { row -> String? in
            switch listing[row] {
            case .heading(let heading): self.heading(heading)
            case .todo(let todo, let depth): self.row(row, of: todo, depth).plainText
            case nil: nil
            }
        }
        return rows + (end < listing.count ? [TodoCalendarText.more(listing.count - end)(language)] : [])
    }

    override func draw(in canvas: Canvas) {
        guard !bounds.isEmpty else { return }
        if listing.count == 0 { return drawEmpty(in: canvas) }
        let width = hasBar ? bounds.width - 1 : bounds.width
        let rows = (0..<bounds.height).compactMap { y in listing[offset + y].map { (y: y, row: $0) } }
        var todos: [(y: Int, row: TodoRow)] = []
        for (y, row) in rows {
            switch row {
            case .heading(let heading): draw(heading, in: canvas, y: y, width: width)
            case .todo(let todo, let depth):
                todos.append((y, self.row(offset + y, of: todo, depth)))
            }
        }
        // The columns only widen while the list is scrolled, so that they stay in place.
        for (_, row) in todos { columns.widen(for: row) }
        let title = todos.map { $0.row.title.width + $0.row.titleStart(width: width) - 5 }.max() ?? 0
        let columns = columns.fitting(width - 6, title: title)
        for (y, row) in todos {
            if row.isSelected {
                let style = containsFirstResponder ? theme.selection : theme.inactiveSelection
                canvas.cover(Rect(x: 0, y: y, width: width, height: 1), style: style)
            }
            row.draw(in: canvas, y: y, width: width, columns: columns)
        }
        canvas.scrollBar(
            x: bounds.width - 1,
            height: bounds.height,
            offset: offset,
            content: listing.count,
            style: isDragging ? theme.title : theme.border
        )
    }

    private func row(_ row: Int, of todo: Todo, _ depth: Int) -> TodoRow {
        TodoRow(
            todo: todo,
            depth: depth,
            hiddenSubtasks: listing.hiddenSubtasks(at: row),
            progress: listing.progress(at: row),
            isBlocked: listing.isBlocked(at: row),
            today: today,
            time: time,
            language: language,
            theme: theme,
            isSelected: row == selectedRow,
            isMarked: marked.contains(todo.id)
        )
    }

    private func heading(_ heading: TodoListing.Heading) -> String {
        "\(TodoListText.heading(heading.name, today: today)(language))  \(heading.count)"
    }

    private func draw(_ heading: TodoListing.Heading, in canvas: Canvas, y: Int, width: Int) {
        let title = TextLayout.truncate(self.heading(heading), to: width - 2)
        let end = canvas.text(title, x: 1, y: y, style: theme.title)
        if end + 1 < width - 1 {
            canvas.text(String(repeating: "─", count: width - 2 - end), x: end + 1, y: y, style: theme.border)
        }
    }

    private func drawEmpty(in canvas: Canvas) {
        let lines = emptyLines.flatMap { TextLayout.wrap($0, width: max(1, bounds.width - 2), limit: 3) }
        for (y, line) in lines.prefix(bounds.height).enumerated() {
            canvas.text(line, x: 1, y: y, style: y == 0 ? .plain : theme.secondary)
        }
    }
}
