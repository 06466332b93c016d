/// A data source over an array of identifiable items: apply another array, and the selection stays with its item.
@MainActor
public final class ListItems<Item: Identifiable>: ListViewDataSource {
    /// What the list shows.
    public private(set) var items: [Item] = []

    private weak var listView: ListView?
    private let cell: (ListView, Item) -> ListCell
    private let height: (Item) -> Int
    private let canSelect: (Item) -> Bool

    /// A data source for a list, which it becomes at once; the list does not keep it.
    ///
    /// - Parameters:
    ///   - listView: the list.
    ///   - height: how high an item's row is, at least 1.
    ///   - canSelect: whether an item can be selected.
    ///   - cell: takes a cell from the list by `dequeue` and fills it for an item.
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

    /// Shows other items.
    public func apply(_ items: [Item]) {
        self.items = items
        listView?.reloadData()
    }

    /// The selected item, where one is.
    public var selectedItem: Item? {
        guard let row = listView?.selectedRow, items.indices.contains(row) else { return nil }
        return items[row]
    }

    /// Selects an item, where the list has it.
    public func select(_ id: Item.ID) {
        if let row = items.firstIndex(where: { $0.id == id }) { listView?.selectRow(row) }
    }

    /// The number of items.
    public func numberOfRows(in listView: ListView) -> Int { items.count }
    /// The cell that the closure `cell` makes for the row's item.
    public func listView(_ listView: ListView, cellForRow row: Int) -> ListCell { cell(listView, items[row]) }
    /// The rows of the screen that `height` gives the row's item.
    public func listView(_ listView: ListView, heightOfRow row: Int) -> Int { height(items[row]) }
    /// Whether `canSelect` lets the row's item be selected.
    public func listView(_ listView: ListView, canSelectRow row: Int) -> Bool { canSelect(items[row]) }
    /// The item's `id`; nil where there is no such row.
    public func listView(_ listView: ListView, identifierOfRow row: Int) -> AnyHashable? {
        items.indices.contains(row) ? AnyHashable(items[row].id) : nil
    }
}

/// What a list shows.
@MainActor
public protocol ListViewDataSource: AnyObject {
    /// How many rows there are.
    func numberOfRows(in listView: ListView) -> Int
    /// The cell of a row: taken from the list by `dequeue`, and filled.
    func listView(_ listView: ListView, cellForRow row: Int) -> ListCell
    /// How high a row is, at least 1. The default is 1.
    func listView(_ listView: ListView, heightOfRow row: Int) -> Int
    /// What a row stands for, so that the selection stays with it when rows move; nil, the default, for nothing.
    func listView(_ listView: ListView, identifierOfRow row: Int) -> AnyHashable?
    /// Whether a row can be selected; headings cannot. The default is true.
    func listView(_ listView: ListView, canSelectRow row: Int) -> Bool
}

extension ListViewDataSource {
    /// One row of the screen for each row of the list.
    public func listView(_ listView: ListView, heightOfRow row: Int) -> Int { 1 }
    /// Nothing that a row stands for: the selection stays at its number.
    public func listView(_ listView: ListView, identifierOfRow row: Int) -> AnyHashable? { nil }
    /// Every row can be selected.
    public func listView(_ listView: ListView, canSelectRow row: Int) -> Bool { true }
}
