/// A data source for an array of identifiable items. Applying another array retains the selected item.
@MainActor
public final class ListItems<Item: Identifiable>: ListViewDataSource {
    /// The items in the list.
    public private(set) var items: [Item] = []

    private weak var listView: ListView?
    private let cell: (ListView, Item) -> ListCell
    private let height: (Item) -> Int
    private let canSelect: (Item) -> Bool

    /// Creates a data source and sets it on a list, which references it weakly.
    ///
    /// - Parameters:
    ///   - listView: The list.
    ///   - height: Returns the height of an item's row, at least 1.
    ///   - canSelect: Returns whether an item can be selected.
    ///   - cell: Dequeues a cell from the list and fills it for an item.
    public init(
        _ listView: ListView,
        height: @escaping (Item) -> Int = { _ in 1 },
        canSelect: @escaping (Item) -> Bool = { _ in true },
        cell: @escaping (ListView, Item) -> ListCell
    ) {
        self.listView = listView
        self.height = height
        self.canSelect = canSelect
        self.cell = cell
        listView.dataSource = self
    }

    /// Replaces the items and reloads the list.
    public func apply(_ items: [Item]) {
        self.items = items
        listView?.reloadData()
    }

    /// The selected item, if any.
    public var selectedItem: Item? {
        guard let row = listView?.selectedRow, items.indices.contains(row) else { return nil }
        return items[row]
    }

    /// Selects an item by its identifier. Does nothing if it is not in the list.
    public func select(_ id: Item.ID) {
        if let row = items.firstIndex(where: { $0.id == id }) { listView?.selectRow(row) }
    }

    /// The number of items.
    public func numberOfRows(in listView: ListView) -> Int { items.count }
    /// The cell that the closure `cell` returns for the row's item.
    public func listView(_ listView: ListView, cellForRow row: Int) -> ListCell { cell(listView, items[row]) }
    /// The height that the closure `height` returns for the row's item.
    public func listView(_ listView: ListView, heightOfRow row: Int) -> Int { height(items[row]) }
    /// Whether the closure `canSelect` allows the row's item to be selected.
    public func listView(_ listView: ListView, canSelectRow row: Int) -> Bool { canSelect(items[row]) }
    /// The item's `id`; `nil` for a row out of range.
    public func listView(_ listView: ListView, identifierOfRow row: Int) -> AnyHashable? {
        items.indices.contains(row) ? AnyHashable(items[row].id) : nil
    }
}

/// Provides the rows of a list.
@MainActor
public protocol ListViewDataSource: AnyObject {
    /// Returns the number of rows.
    func numberOfRows(in listView: ListView) -> Int
    /// Returns the cell of a row: dequeued from the list and filled.
    func listView(_ listView: ListView, cellForRow row: Int) -> ListCell
    /// Returns the height of a row, at least 1. The default is 1.
    func listView(_ listView: ListView, heightOfRow row: Int) -> Int
    /// Returns the common height of all rows, at least 1; `nil`, the default, if they differ. With a common height the list does
    /// not measure its rows.
    func rowHeight(in listView: ListView) -> Int?
    /// Returns the row of an identity after a reload; `nil` if it is gone. The default searches all rows. A lazy data source
    /// searches near the row that was selected, or in an index.
    func listView(_ listView: ListView, rowOf identifier: AnyHashable, near row: Int) -> Int?
    /// Returns the identity of a row, so that it stays selected when rows move. The default is `nil`.
    func listView(_ listView: ListView, identifierOfRow row: Int) -> AnyHashable?
    /// Returns whether a row can be selected; headings cannot. The default is true.
    func listView(_ listView: ListView, canSelectRow row: Int) -> Bool
}

extension ListViewDataSource {
    /// The default: every row is one cell high.
    public func listView(_ listView: ListView, heightOfRow row: Int) -> Int { 1 }
    /// The default: the rows are measured.
    public func rowHeight(in listView: ListView) -> Int? { nil }
    /// The default: all rows are searched.
    public func listView(_ listView: ListView, rowOf identifier: AnyHashable, near row: Int) -> Int? {
        (0..<numberOfRows(in: listView)).first { self.listView(listView, identifierOfRow: $0) == identifier }
    }
    /// The default: no identity; the selection stays at its index.
    public func listView(_ listView: ListView, identifierOfRow row: Int) -> AnyHashable? { nil }
    /// The default: every row can be selected.
    public func listView(_ listView: ListView, canSelectRow row: Int) -> Bool { true }
}
