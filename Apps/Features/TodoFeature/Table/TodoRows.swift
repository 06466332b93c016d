import TodoCore

/// The rows of a list without the subtasks of folded todos.
///
/// Without folded todos it is the listing itself, so that it takes the same time for every number of todos.
struct TodoRows: Sendable {
    /// How many rows away from another one a todo is searched.
    private static let searchDistance = 500

    /// All rows.
    let listing: TodoListing
    /// The rows of the listing that are shown, in order; `nil` for all.
    private let shown: [Int]?

    /// The list without rows.
    static let empty = TodoRows(.empty)

    /// Creates the rows of a listing without folded todos.
    init(_ listing: TodoListing) { (self.listing, shown) = (listing, nil) }

    private init(_ listing: TodoListing, shown: [Int]) { (self.listing, self.shown) = (listing, shown) }

    /// Returns the rows of a listing without the subtasks of folded todos, outside the caller's actor.
    nonisolated static func rows(of listing: TodoListing, folded: Set<TodoID>) async -> TodoRows {
        guard !folded.isEmpty else { return TodoRows(listing) }
        var shown: [Int] = []
        shown.reserveCapacity(listing.count)
        // The depth of the folded todo whose subtasks are being left out.
        var limit: Int?
        for row in 0..<listing.count {
            let depth = listing.depth(at: row) ?? 0
            if let limit, depth > limit { continue }
            // The ID of a todo without subtasks in the list is not needed.
            let isFolded = depth < listing.depth(at: row + 1) ?? 0 && listing.id(at: row).map(folded.contains) == true
            limit = isFolded ? depth : nil
            shown.append(row)
        }
        return shown.count == listing.count ? TodoRows(listing) : TodoRows(listing, shown: shown)
    }

    /// The number of rows.
    var count: Int { shown?.count ?? listing.count }

    /// The row at an index.
    subscript(row: Int) -> TodoListing.Row? { place(row).flatMap { listing[$0] } }

    /// The todo in a row; `nil` for a heading and outside of the list.
    func todo(at row: Int) -> Todo? { place(row).flatMap { listing.todo(at: $0) } }

    /// The ID of the todo in a row.
    func id(at row: Int) -> TodoID? { place(row).flatMap { listing.id(at: $0) } }

    /// Returns the IDs of the todos in all rows, outside the caller's actor.
    nonisolated func allIDs() async -> Set<TodoID> { Set((0..<count).compactMap { id(at: $0) }) }

    /// Whether a row contains a todo.
    func isTodo(_ row: Int) -> Bool { place(row).map { listing.isTodo($0) } ?? false }

    /// Whether the todo in a row is open and waits for another open one.
    func isBlocked(at row: Int) -> Bool { place(row).map { listing.isBlocked(at: $0) } ?? false }

    /// The progress of the todo in a row; `nil` for a todo without subtasks.
    func progress(at row: Int) -> TodoProgress? { place(row).flatMap { listing.progress(at: $0) } }

    /// The number of subtasks of a todo that are not shown; `nil` for a todo without subtasks in the list.
    func hiddenSubtasks(at row: Int) -> Int? {
        guard let place = place(row), let depth = listing.depth(at: place), let below = listing.depth(at: place + 1),
            below > depth
        else { return nil }
        return (self.place(row + 1) ?? listing.count) - place - 1
    }

    /// Returns the row of a todo near another row.
    func row(of id: TodoID, near row: Int) -> Int? {
        guard shown != nil else { return listing.row(of: id, near: row, within: Self.searchDistance) }
        return (0...Self.searchDistance).lazy.flatMap { [row + $0, row - $0] }.first { self.id(at: $0) == id }
    }

    /// Returns the row of the todo that the listing has located, if it is this one and shown.
    func locatedRow(of id: TodoID) -> Int? {
        guard let row = listing.locatedRow(of: id), let shown else { return listing.locatedRow(of: id) }
        var (low, high) = (0, shown.count)
        while low < high {
            let middle = (low + high) / 2
            if shown[middle] < row { low = middle + 1 } else { high = middle }
        }
        return low < shown.count && shown[low] == row ? low : nil
    }

    /// The place of a row in the listing.
    private func place(_ row: Int) -> Int? {
        guard row >= 0, row < count else { return nil }
        return shown.map { $0[row] } ?? row
    }
}
