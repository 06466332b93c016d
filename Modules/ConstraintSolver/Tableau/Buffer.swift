/// A growable array of plain values without reference counts or checks of uniqueness: the tableau's storage.
struct Buffer<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private(set) var capacity: Int

    init(capacity: Int = 16) {
        self.capacity = max(capacity, 4)
        base = .allocate(capacity: self.capacity)
    }

    deinit {
        base.deallocate()
    }

    var isEmpty: Bool { count == 0 }

    subscript(index: Int) -> Element {
        get {
            assert(index >= 0 && index < count)
            return base[index]
        }
        _modify {
            assert(index >= 0 && index < count)
            yield &base[index]
        }
    }

    subscript(index: Int32) -> Element {
        get { self[Int(index)] }
        _modify { yield &self[Int(index)] }
    }

    mutating func append(_ element: Element) {
        if count == capacity { grow(to: capacity * 2) }
        (base + count).initialize(to: element)
        count &+= 1
    }

    /// Makes room for `wanted` elements.
    mutating func reserve(_ wanted: Int) {
        if wanted > capacity { grow(to: max(wanted, capacity * 2)) }
    }

    /// Appends where room was reserved.
    @inline(__always)
    mutating func appendWithinCapacity(_ element: Element) {
        assert(count < capacity)
        (base + count).initialize(to: element)
        count &+= 1
    }

    /// Takes over what was written at `base` within the capacity.
    @inline(__always)
    mutating func setCount(_ newCount: Int) {
        assert(newCount <= capacity)
        count = newCount
    }

    mutating func append(repeating element: Element, count extra: Int) {
        if count + extra > capacity { grow(to: max(capacity * 2, count + extra)) }
        (base + count).initialize(repeating: element, count: extra)
        count += extra
    }

    mutating func append(contentsOf elements: UnsafeBufferPointer<Element>) {
        guard let start = elements.baseAddress else { return }
        if count + elements.count > capacity { grow(to: max(capacity * 2, count + elements.count)) }
        (base + count).initialize(from: start, count: elements.count)
        count += elements.count
    }

    mutating func popLast() -> Element? {
        guard count > 0 else { return nil }
        count -= 1
        return base[count]
    }

    mutating func removeAll() {
        count = 0
    }

    /// Keeps the first `newCount` elements.
    mutating func truncate(to newCount: Int) {
        assert(newCount <= count)
        count = newCount
    }

    @inline(never)
    private mutating func grow(to newCapacity: Int) {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: newCapacity)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity = newCapacity
    }
}
