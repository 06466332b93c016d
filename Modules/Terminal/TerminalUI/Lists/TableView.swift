internal import NeedleKit

/// Items in rows with columns, which the user can sort by.
///
/// Only visible rows are drawn, so that 100,000 items scroll as fast as ten. A click on a heading sorts by its column,
/// a second one in the reverse order, and a third one restores the given order; with the keyboard, Alt with a digit does.
/// The rows are those of a ``ListView``.
public final class TableView<Item: Identifiable>: View {
    /// A column of a table.
    public struct Column {
        /// The heading.
        public var title: String
        /// The width in cells; `nil` shares the remaining width with the other such columns.
        public var width: Int?
        /// The alignment of the texts.
        public var alignment: Label.Alignment
        /// Returns the text for an item.
        public var text: (Item) -> String
        /// Whether an item is ordered before another one; `nil` for a column that cannot be sorted by.
        public var areInOrder: ((Item, Item) -> Bool)?

        /// Creates a column.
        public init(
            _ title: String,
            width: Int? = nil,
            alignment: Label.Alignment = .leading,
            areInOrder: ((Item, Item) -> Bool)? = nil,
            text: @escaping (Item) -> String
        ) {
            self.title = title
            self.width = width
            self.alignment = alignment
            self.areInOrder = areInOrder
            self.text = text
        }
    }

    /// The columns from the left.
    public let columns: [Column]
    /// The items in the order of the rows. Setting them sorts them by the sort column.
    public var items: [Item] {
        get { source.items }
        set {
            given = newValue
            source.apply(sorted(newValue))
        }
    }
    /// The index of the column that the items are sorted by; `nil` for their given order.
    public private(set) var sortColumn: Int?
    /// Whether the order is reversed.
    public private(set) var isReversed = false
    /// The list of the rows.
    public let list: ListView
    /// Called when Enter or a second click activates an item.
    public var onActivate: ((Item) -> Void)?
    /// Called when another item has been selected.
    public var onSelect: ((Item) -> Void)?

    private let source: ListItems<Item>
    /// The items in the order in which they were set.
    private var given: [Item] = []
    private let heading: TableHeading

    /// Creates a table without items.
    public init(_ columns: [Column]) {
        let list = ListView()
        self.list = list
        self.columns = columns
        let layout = TableLayout(
            titles: columns.map(\.title),
            widths: columns.map(\.width),
            alignments: columns.map(\.alignment)
        )
        heading = TableHeading(layout)
        source = ListItems<Item>(list) { list, item in
            let cell = list.dequeue(TableCell.self)
            cell.show(columns.map { $0.text(item) }, layout)
            return cell
        }
        super.init()
        addSubview(heading)
        addSubview(list)
        heading.ndl.makeConstraints { make in
            make.top.horizontal.equalTo(self)
            make.height.equalTo(1)
        }
        list.ndl.makeConstraints { make in
            make.top.equalTo(heading.ndl.bottom)
            make.bottom.horizontal.equalTo(self)
        }
        heading.onSort = { [weak self] in self?.toggleSort(by: $0) }
        list.onActivate = { [weak self] row in
            if let self { self.onActivate?(self.items[row]) }
        }
        list.onSelect = { [weak self] row in
            if let self { self.onSelect?(self.items[row]) }
        }
    }

    /// The selected item, if any.
    public var selectedItem: Item? { source.selectedItem }

    /// Selects an item by its identifier. Does nothing if it is not in the table.
    public func select(_ id: Item.ID) { source.select(id) }

    /// Sorts by a column, or restores the given order for `nil`. The selected item stays selected. Does nothing for a
    /// column without an order.
    public func sort(by column: Int?, isReversed: Bool = false) {
        if let column {
            guard columns.indices.contains(column), columns[column].areInOrder != nil else { return }
        }
        sortColumn = column
        self.isReversed = column != nil && isReversed
        heading.sort = column.map { ($0, isReversed) }
        source.apply(sorted(given))
    }

    /// Alt with a digit sorts by that column, from 1, then in the reverse order, then in the given one.
    public override func keyDown(_ key: Key) -> Bool {
        guard key.modifiers == .alt, case .character(let character) = key.code, let number = character.wholeNumberValue,
            columns.indices.contains(number - 1), columns[number - 1].areInOrder != nil
        else { return false }
        toggleSort(by: number - 1)
        return true
    }

    private func toggleSort(by column: Int) {
        if sortColumn != column {
            sort(by: column)
        } else {
            sort(by: isReversed ? nil : column, isReversed: true)
        }
    }

    private func sorted(_ items: [Item]) -> [Item] {
        guard let sortColumn, let areInOrder = columns[sortColumn].areInOrder else { return items }
        return isReversed ? items.sorted { areInOrder($1, $0) } : items.sorted(by: areInOrder)
    }
}

/// The places of a table's columns.
struct TableLayout: Sendable {
    let titles: [String]
    let widths: [Int?]
    let alignments: [Label.Alignment]

    /// Returns the columns' places in a row of a width, with a space between them. The last columns are omitted if they
    /// do not fit.
    func places(in width: Int) -> [Range<Int>] {
        let fixed = widths.compactMap(\.self).reduce(0, +) + max(0, widths.count - 1)
        let flexible = widths.count { $0 == nil }
        let left = max(0, width - fixed)
        var x = 0
        var seen = 0
        return widths.map { wanted in
            var cells = wanted ?? 0
            if wanted == nil {
                // The remainder goes to the first columns.
                cells = left / max(1, flexible) + (seen < left % max(1, flexible) ? 1 : 0)
                seen += 1
            }
            let start = min(x, width)
            x += cells + 1
            return start..<max(start, min(start + cells, width))
        }
    }

    /// Draws texts in the columns.
    @MainActor
    func draw(_ texts: [String], in canvas: Canvas, width: Int, style: TextStyle) {
        for (index, place) in places(in: width).enumerated() where !place.isEmpty && index < texts.count {
            let text = TextLayout.truncate(texts[index], to: place.count)
            let space = place.count - DisplayWidth.of(text)
            let indent = alignments[index] == .leading ? 0 : alignments[index] == .center ? space / 2 : space
            canvas.text(text, x: place.lowerBound + indent, y: 0, style: style)
        }
    }
}

/// The headings of a table.
final class TableHeading: View {
    var onSort: ((Int) -> Void)?
    var sort: (column: Int, isReversed: Bool)? { didSet { setNeedsDisplay() } }
    private let layout: TableLayout

    init(_ layout: TableLayout) {
        self.layout = layout
        super.init()
    }

    override var plainText: [String] { [titles.joined(separator: " | ")] }

    override func draw(in canvas: Canvas) {
        var style = theme.title
        style.attributes.insert(.underline)
        canvas.fill(bounds, style: style)
        layout.draw(titles, in: canvas, width: bounds.width - 1, style: style)
    }

    override func mouse(_ event: MouseEvent) -> Bool {
        guard case .down(.left) = event.kind else { return false }
        let places = layout.places(in: bounds.width - 1)
        if let column = places.firstIndex(where: { $0.contains(event.location.x) }) { onSort?(column) }
        return true
    }

    private var titles: [String] {
        layout.titles.enumerated().map { index, title in
            index == sort?.column ? title + (sort?.isReversed == true ? " ▾" : " ▴") : title
        }
    }
}

/// A row of a table.
final class TableCell: ListCell {
    private var texts: [String] = []
    private var layout = TableLayout(titles: [], widths: [], alignments: [])

    required init() { super.init() }

    override var plainText: [String] { [(isSelected ? "> " : "  ") + texts.joined(separator: " | ")] }

    func show(_ texts: [String], _ layout: TableLayout) {
        self.texts = texts
        self.layout = layout
        setNeedsDisplay()
    }

    override func draw(in canvas: Canvas) {
        // As wide as the headings, with and without a scroll bar.
        let width = (superview?.bounds.width ?? bounds.width) - 1
        layout.draw(texts, in: canvas, width: width, style: isSelected ? .plain : theme.text)
    }
}
