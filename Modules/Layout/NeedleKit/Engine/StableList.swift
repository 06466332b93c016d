/// A list in insertion order from which each element can be removed in a time that grows only with the logarithm of their
/// number.
///
/// Invariant: the keys of the entries ascend; a removed element leaves an empty entry until more than half are empty.
struct StableList<Element> {
    private var entries: [(key: Int, element: Element?)] = []
    private var nextKey = 0
    private var emptyEntries = 0

    /// Whether there is no entry. A list of removed elements may still have empty entries.
    var hasNoEntries: Bool { entries.isEmpty }

    /// Appends an element. Returns the key with which to remove it.
    mutating func append(_ element: Element) -> Int {
        defer { nextKey += 1 }
        entries.append((nextKey, element))
        return nextKey
    }

    /// Removes the element with a key; does nothing if it was removed before or if the key is -1.
    mutating func remove(_ key: Int) {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, entries[low].key == key, entries[low].element != nil else { return }
        entries[low].element = nil
        emptyEntries += 1
        guard emptyEntries > 8, emptyEntries > entries.count / 2 else { return }
        entries.removeAll { $0.element == nil }
        emptyEntries = 0
    }

    mutating func removeAll() {
        entries = []
        emptyEntries = 0
    }
}

extension StableList: Sequence {
    struct Iterator: IteratorProtocol {
        fileprivate var entries: IndexingIterator<[(key: Int, element: Element?)]>

        mutating func next() -> Element? {
            while let entry = entries.next() {
                if let element = entry.element { return element }
            }
            return nil
        }
    }

    func makeIterator() -> Iterator { Iterator(entries: entries.makeIterator()) }
}
