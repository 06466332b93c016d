/// Elements in the order in which they joined, of which each can leave in a time that hardly grows with their number.
struct TicketList<Element> {
    /// By ascending tickets; those that left leave a gap until there are many.
    private var entries: [(ticket: Int, element: Element?)] = []
    private var nextTicket = 0
    private var gaps = 0

    /// Whether none joined, or all left at once.
    var isBlank: Bool { entries.isEmpty }

    /// Lets an element join.
    ///
    /// - Returns: what it leaves with.
    mutating func append(_ element: Element) -> Int {
        defer { nextTicket += 1 }
        entries.append((nextTicket, element))
        return nextTicket
    }

    /// Lets an element leave; one that left before, or whose ticket is -1, does nothing.
    mutating func remove(_ ticket: Int) {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].ticket < ticket { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, entries[low].ticket == ticket, entries[low].element != nil else { return }
        entries[low].element = nil
        gaps += 1
        guard gaps > 8, gaps > entries.count / 2 else { return }
        entries.removeAll { $0.element == nil }
        gaps = 0
    }

    /// Lets all leave.
    mutating func removeAll() {
        entries = []
        gaps = 0
    }
}

extension TicketList: Sequence {
    struct Iterator: IteratorProtocol {
        fileprivate var entries: IndexingIterator<[(ticket: Int, element: Element?)]>

        mutating func next() -> Element? {
            while let entry = entries.next() {
                if let element = entry.element { return element }
            }
            return nil
        }
    }

    func makeIterator() -> Iterator { Iterator(entries: entries.makeIterator()) }
}
