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
