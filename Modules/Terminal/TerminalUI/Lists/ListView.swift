internal import NeedleKit

/// A scrolling list of rows with cells of several types; only visible rows have a cell.
///
/// The data source may be lazy: with a common ``ListViewDataSource/rowHeight(in:)`` and a
/// ``ListViewDataSource/listView(_:rowOf:near:)`` that does not search all rows, a list asks for the rows it shows alone, and a
/// reload takes the same time for every number of rows.
///
/// Arrows, Home, End, the page keys and the wheel move; Enter or a click on the selected row activates it. A subclass adds keys
/// and clicks of its own.
open class ListView: Control {
    /// The provider of the rows.
    public weak var dataSource: (any ListViewDataSource)? { didSet { reloadData() } }
    /// The index of the selected row, `nil` in a list without selectable rows.
    public private(set) var selectedRow: Int?
    /// The first visible screen row, counted over the heights of all rows.
    public private(set) var contentOffset = 0
    /// The text of a list without rows.
    public var emptyText = "" { didSet { setNeedsDisplay() } }
    /// Called when another row has been selected.
    public var onSelect: ((Int) -> Void)?
    /// Called when Enter or a second click activates a row.
    public var onActivate: ((Int) -> Void)?
    /// Called with keys that the list does not use. Returns whether the key was handled.
    public var onKey: ((Key) -> Bool)?

    private var rows = RowPlaces.none
    private var visible: [Int: ListCell] = [:]
    private var spare: [ObjectIdentifier: [ListCell]] = [:]
    private var selectedIdentifier: AnyHashable?
    /// Whether the rows have been reloaded since the last layout.
    private var isStale = true
    private var laidOutSize = GridSize.zero
    /// The drag of the scroll bar, while its button is pressed.
    private var grip: ScrollBar.Grip?

    /// Creates an empty list.
    public override init() {
        super.init()
        layoutNode.verticalHugging = .low
    }

    override var focusPoint: GridPoint {
        guard let selectedRow, selectedRow <= rows.count else { return .zero }
        return GridPoint(x: 0, y: max(0, rows.start(of: selectedRow) - contentOffset))
    }

    /// The text of an empty list; the rows follow.
    open override var plainText: [String] {
        (accessibilityLabel.map { [$0] } ?? []) + (rows.count == 0 && !emptyText.isEmpty ? [emptyText] : [])
    }

    /// The number of cells, visible and spare; it is bounded by the number of visible rows.
    public var cellCount: Int { visible.count + spare.values.reduce(0) { $0 + $1.count } }

    /// The rows that are visible, at least in part.
    public var visibleRows: Range<Int> {
        let first = rows.row(at: contentOffset)
        guard !bounds.isEmpty, first < rows.count else { return first..<first }
        return first..<min(rows.count, rows.row(at: contentOffset + bounds.height - 1) + 1)
    }

    /// Returns the row at a point of the list; `nil` below the last row and on the scroll bar.
    public func row(at point: GridPoint) -> Int? {
        guard bounds.contains(point), !bar.isNeeded || point.x < bounds.width - 1 else { return nil }
        let row = rows.row(at: contentOffset + point.y)
        return row < rows.count ? row : nil
    }

    /// Returns the cell of a row if the row is visible.
    public func cell(forRow row: Int) -> ListCell? { visible[row] }

    /// Returns a spare cell of a type, or a new one.
    public func dequeue<Cell: ListCell>(_ kind: Cell.Type = Cell.self) -> Cell {
        if let cell = spare[ObjectIdentifier(kind)]?.popLast() as? Cell {
            cell.prepareForReuse()
            return cell
        }
        return kind.init()
    }

    /// Reloads all rows. The selection stays near its index if no row has the identifier, and moves to the nearest row after it if
    /// that one cannot be selected.
    ///
    /// - Parameter identifier: The identifier of the row to select; `nil` for that of the selected row.
    public func reloadData(selecting identifier: AnyHashable? = nil) {
        measure()
        for row in visible.keys.sorted() { recycle(row) }
        let count = rows.count
        let former = min(selectedRow ?? 0, max(0, count - 1))
        let wanted = identifier ?? selectedIdentifier
        let found = wanted.flatMap { dataSource?.listView(self, rowOf: $0, near: former) }
            .flatMap { (0..<count).contains($0) ? $0 : nil }
        selectedRow = selectable(from: found ?? former, step: 1) ?? selectable(from: count - 1, step: -1)
        selectedIdentifier =
            found != nil && selectedRow == found
            ? wanted : selectedRow.flatMap { dataSource?.listView(self, identifierOfRow: $0) }
        isStale = true
        setNeedsLayout()
        setNeedsDisplay()
    }

    /// Selects a row and scrolls to it. Does nothing if the row cannot be selected.
    public func selectRow(_ row: Int) {
        guard row >= 0, row < rows.count, dataSource?.listView(self, canSelectRow: row) == true else { return }
        guard row != selectedRow else { return scrollToRow(row) }
        selectedRow = row
        selectedIdentifier = dataSource?.listView(self, identifierOfRow: row)
        scrollToRow(row)
        onSelect?(row)
    }

    /// Scrolls so that a row is visible, and the heading above it if there is room for both.
    public func scrollToRow(_ row: Int) {
        makeVisible(row)
        setNeedsLayout()
        setNeedsDisplay()
    }

    /// Selects the next selectable row in the direction of a step, 1 or -1. Returns whether there is one.
    @discardableResult
    public func selectNext(_ step: Int) -> Bool { select(selectable(from: (selectedRow ?? -1) + step, step: step)) }

    /// Selects the first or the last selectable row.
    public func selectEnd(isLast: Bool) {
        _ = select(isLast ? selectable(from: rows.count - 1, step: -1) : selectable(from: 0, step: 1))
    }

    /// Scrolls so that a screen row of the content is at the top, within the content's bounds.
    public func scroll(to offset: Int) {
        contentOffset = max(0, min(offset, rows.height - bounds.height))
        setNeedsLayout()
        setNeedsDisplay()
    }

    /// Places the cells of the visible rows and recycles the others.
    open override func layoutSubviews() {
        // The wheel may scroll the selection out of sight; after a reload or a change of size it is visible again, so
        // that a key never acts on a row that the user cannot see.
        if isStale || laidOutSize != bounds.size, let row = selectedRow { makeVisible(row) }
        isStale = false
        laidOutSize = bounds.size
        contentOffset = max(0, min(contentOffset, rows.height - bounds.height))
        let wanted = visibleRows
        for row in visible.keys where !wanted.contains(row) { recycle(row) }
        let bar = rows.height > bounds.height ? 1 : 0
        for row in wanted {
            guard let cell = visible[row] ?? make(row) else { continue }
            let top = rows.start(of: row)
            cell.place(top: top - contentOffset, height: rows.start(of: row + 1) - top, trailing: bar)
        }
        for cell in spare.values.joined() where cell.superview != nil { cell.removeFromSuperview() }
        markSelection()
    }

    /// Arrows, Page Up and Down, Home and End select, and scroll to rows at an end that cannot be selected; Enter activates;
    /// other keys are passed to `onKey`.
    open override func keyDown(_ key: Key) -> Bool { handle(key) }

    /// The wheel scrolls by three screen rows; a click selects a row, or activates the selected one; dragging the bar
    /// scrolls to the pointer.
    open override func mouse(_ event: MouseEvent) -> Bool { handle(event) }

    /// Updates the selection colours.
    public override func focusDidChange() {
        markSelection()
        setNeedsDisplay()
    }

    /// Draws the scroll bar, and `emptyText` if there are no rows.
    open override func draw(in canvas: Canvas) {
        if rows.count == 0 {
            let lines = TextLayout.wrap(emptyText, width: max(0, bounds.width - 2), limit: bounds.height)
            for (y, line) in lines.enumerated() { canvas.text(line, x: 1, y: y, style: theme.secondary) }
        }
        canvas.scrollBar(bar, x: bounds.width - 1, style: grip == nil ? theme.border : theme.title)
    }
}

extension ListView {
    private func handle(_ key: Key) -> Bool {
        guard key.modifiers.isEmpty else { return onKey?(key) ?? false }
        switch key.code {
        case .up: return selectNext(-1) || scroll(by: -1)
        case .down: return selectNext(1) || scroll(by: 1)
        case .home, .end:
            selectEnd(isLast: key.code == .end)
            if selectedRow == nil { scroll(to: key.code == .end ? rows.height : 0) }
            return true
        case .pageUp: return page(-1)
        case .pageDown: return page(1)
        case .enter where selectedRow != nil && onActivate != nil:
            if let selectedRow { onActivate?(selectedRow) }
            return true
        default: return onKey?(key) ?? false
        }
    }

    private func handle(_ event: MouseEvent) -> Bool {
        switch event.kind {
        case .wheelUp: scroll(to: contentOffset - 3)
        case .wheelDown: scroll(to: contentOffset + 3)
        case .down(.left) where event.location.x == bounds.width - 1 && bar.isNeeded:
            let grip = ScrollBar.Grip(at: event.location.y, of: bar)
            self.grip = grip
            scroll(to: grip.offset(at: event.location.y, of: bar))
        case .drag(.left):
            guard let grip else { return false }
            scroll(to: grip.offset(at: event.location.y, of: bar))
        case .up(.left):
            guard grip != nil else { return false }
            grip = nil
        case .down(.left):
            guard let row = row(at: event.location) else { return true }
            if row == selectedRow { onActivate?(row) } else { selectRow(row) }
        default: return false
        }
        return true
    }

    private var bar: ScrollBar {
        ScrollBar(length: bounds.height, content: rows.height, offset: contentOffset)
    }

    private func select(_ row: Int?) -> Bool {
        guard let row else { return false }
        selectRow(row)
        return true
    }

    /// Scrolls by a number of screen rows. Returns whether that was possible.
    private func scroll(by lines: Int) -> Bool {
        let before = contentOffset
        scroll(to: contentOffset + lines)
        return contentOffset != before
    }

    private func page(_ direction: Int) -> Bool {
        let distance = direction * max(1, bounds.height - 1)
        guard let selectedRow else { return scroll(by: distance) }
        let target = rows.start(of: selectedRow) + distance
        var row = rows.row(at: max(0, target))
        // A row may be as high as the list.
        if row == selectedRow { row += direction }
        row = max(0, min(rows.count - 1, row))
        let next = selectable(from: row, step: direction) ?? selectable(from: row, step: -direction)
        // Rows at an end that cannot be selected are reached, too.
        if next == selectedRow, visibleRows.contains(selectedRow) {
            scroll(to: contentOffset + distance)
            return true
        }
        return select(next)
    }

    private func selectable(from row: Int, step: Int) -> Int? {
        var row = row
        while row >= 0 && row < rows.count {
            if dataSource?.listView(self, canSelectRow: row) == true { return row }
            row += step
        }
        return nil
    }

    private func measure() {
        guard let dataSource else { return rows = .none }
        let count = max(0, dataSource.numberOfRows(in: self))
        if let height = dataSource.rowHeight(in: self) {
            rows = .uniform(count: count, height: max(1, height))
        } else {
            rows = .measured((0..<count).map { max(1, dataSource.listView(self, heightOfRow: $0)) })
        }
    }

    private func makeVisible(_ row: Int) {
        guard row < rows.count, bounds.height > 0 else { return }
        let end = rows.start(of: row + 1)
        contentOffset = max(contentOffset, rows.start(of: endOfList(beside: row, step: 1) + 1) - bounds.height)
        let isBelowHeading = row > 0 && dataSource?.listView(self, canSelectRow: row - 1) == false
        let heading = rows.start(of: min(isBelowHeading ? row - 1 : row, endOfList(beside: row, step: -1)))
        contentOffset = min(contentOffset, end - heading <= bounds.height ? heading : rows.start(of: row))
    }

    /// The last row in a direction that fits beside a row, if none of the rows there can be selected; otherwise the row itself.
    private func endOfList(beside row: Int, step: Int) -> Int {
        var end = row
        while end + step >= 0, end + step < rows.count {
            guard dataSource?.listView(self, canSelectRow: end + step) == false else { return row }
            let (first, last) = (min(row, end + step), max(row, end + step))
            guard rows.start(of: last + 1) - rows.start(of: first) <= bounds.height else { break }
            end += step
        }
        return end
    }

    private func make(_ row: Int) -> ListCell? {
        guard let cell = dataSource?.listView(self, cellForRow: row) else { return nil }
        cell.row = row
        visible[row] = cell
        // Below the views that a subclass adds.
        if cell.superview !== self { insertSubview(cell, at: 0) }
        return cell
    }

    private func recycle(_ row: Int) {
        guard let cell = visible.removeValue(forKey: row) else { return }
        // A cell that is reused in the same layout stays in the list.
        if cell.containsFirstResponder { cell.removeFromSuperview() }
        spare[ObjectIdentifier(type(of: cell)), default: []].append(cell)
    }

    private func markSelection() {
        for (row, cell) in visible {
            cell.isListFocused = containsFirstResponder
            cell.isSelected = row == selectedRow
        }
    }
}

/// The places of the rows of a list: computed for rows of one height, measured for others.
enum RowPlaces {
    /// Rows of one height.
    case uniform(count: Int, height: Int)
    /// The first line of each row, and the line after the last.
    case starts([Int])

    /// The places of a list without rows.
    static let none = RowPlaces.uniform(count: 0, height: 1)

    /// Returns the places of rows of several heights.
    static func measured(_ heights: [Int]) -> RowPlaces {
        var starts = [0]
        starts.reserveCapacity(heights.count + 1)
        for height in heights { starts.append(starts[starts.count - 1] + height) }
        return .starts(starts)
    }

    /// The number of rows.
    var count: Int {
        switch self {
        case .uniform(let count, _): count
        case .starts(let starts): starts.count - 1
        }
    }

    /// The number of lines.
    var height: Int { start(of: count) }

    /// Returns the first line of a row, or the line after the last row for the number of rows.
    func start(of row: Int) -> Int {
        switch self {
        case .uniform(_, let height): row * height
        case .starts(let starts): starts[row]
        }
    }

    /// Returns the row at a line: the first row that ends after it.
    func row(at line: Int) -> Int {
        switch self {
        case .uniform(let count, let height): return max(0, min(count, line / height))
        case .starts(let starts):
            var low = 0
            var high = starts.count - 1
            while low < high {
                let middle = (low + high) / 2
                if starts[middle + 1] <= line { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
}
