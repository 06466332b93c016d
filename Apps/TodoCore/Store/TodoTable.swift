/// The rows of a base and of the changes since, ordered as equally urgent todos are.
struct TodoTable {
    /// Where the todo of a row is.
    enum Source {
        case recent(Int)
        case base(Int)
    }

    let rows: TodoRows
    let sources: [Source]
    /// The places of the todos of the base, by row of the base.
    let places: [TodoIndexFormat.Place]

    /// Reads the rows of an index; returns `nil` if it is damaged.
    init?(_ index: TodoIndex, _ recent: TodoStorage.Recent, readsTexts: Bool) {
        guard let base = index.table(readsTexts: readsTexts) else { return nil }
        places = base.places
        guard recent.count > 0 else {
            rows = TodoRows(base.rows, texts: base.texts, links: base.links)
            sources = base.places.indices.map(Source.base)
            return
        }
        let replaced = recent.replaced
        var (texts, links) = (base.texts, base.links)
        let changed = recent.todos.enumerated().map { (row: TodoRow($1, texts: &texts, links: &links), index: $0) }
        var waiting = changed.sorted { $0.row < $1.row }[...]
        var rows: [TodoRow] = []
        var sources: [Source] = []
        rows.reserveCapacity(base.rows.count + waiting.count)
        sources.reserveCapacity(base.rows.count + waiting.count)
        for (place, row) in base.rows.enumerated() where !replaced.contains(row.id) {
            while let next = waiting.first, next.row < row {
                rows.append(next.row)
                sources.append(.recent(next.index))
                waiting.removeFirst()
            }
            rows.append(row)
            sources.append(.base(place))
        }
        rows += waiting.map(\.row)
        sources += waiting.map { .recent($0.index) }
        self.rows = TodoRows(rows, texts: texts, links: links)
        self.sources = sources
    }

    /// Returns the indices of the rows that meet a condition, in display order.
    func indices(matching condition: TodoQuery.Node, _ order: TodoOrder) -> [Int] {
        order.sorted(rows.indices(matching: condition), of: rows.rows)
    }
}
