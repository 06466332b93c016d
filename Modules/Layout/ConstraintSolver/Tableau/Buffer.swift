/// A growable array of plain values without reference counts or uniqueness checks, used for all storage of the tableau.
struct Buffer<Element: BitwiseCopyable>: ~Copyable {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private(set) var capacity: Int

    init(capacity: Int = 16) {
        self.capacity = max(capacity, 4)
        base = .allocateAtLine(capacity: self.capacity)
    }

    /// Creates a buffer with the same elements and the same capacity.
    init(copying other: borrowing Buffer<Element>) {
        self.init(capacity: other.capacity)
        append(contentsOf: UnsafeBufferPointer(start: other.base, count: other.count))
    }

    deinit { base.deallocate() }

    var isEmpty: Bool { count == 0 }

    // Transparent, so that a debug build does not call generic code for each element.
    subscript(index: Int) -> Element {
        @_transparent get {
            assert(index >= 0 && index < count)
            return base[index]
        }
        @_transparent _modify {
            assert(index >= 0 && index < count)
            yield &base[index]
        }
    }

    subscript(index: Int32) -> Element {
        @_transparent get { self[Int(index)] }
        @_transparent _modify { yield &self[Int(index)] }
    }

    mutating func append(_ element: Element) {
        if count == capacity { grow(to: capacity * 2) }
        (base + count).initialize(to: element)
        count &+= 1
    }

    /// Reserves capacity for `wanted` elements in total.
    mutating func reserve(_ wanted: Int) {
        if wanted > capacity { grow(to: max(wanted, capacity * 2)) }
    }

    /// Appends an element where capacity was reserved.
    @inline(__always) mutating func appendWithinCapacity(_ element: Element) {
        assert(count < capacity)
        (base + count).initialize(to: element)
        count &+= 1
    }

    /// Sets the count after elements were written directly at `base`, within the capacity.
    @inline(__always) mutating func setCount(_ newCount: Int) {
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

    mutating func removeAll() { count = 0 }

    /// Removes all elements after the first `newCount`.
    mutating func truncate(to newCount: Int) {
        assert(newCount <= count)
        count = newCount
    }

    @inline(never) private mutating func grow(to newCapacity: Int) {
        let larger = UnsafeMutablePointer<Element>.allocateAtLine(capacity: newCapacity)
        larger.moveInitialize(from: base, count: count)
        base.deallocate()
        base = larger
        capacity = newCapacity
    }
}

extension UnsafeMutablePointer where Pointee: BitwiseCopyable {
    /// Allocates memory which, if it is large, begins at a cache line: no record of 64 bytes is then in two lines, and one
    /// that is read at random costs one cache miss.
    static func allocateAtLine(capacity: Int) -> UnsafeMutablePointer {
        let size = capacity * MemoryLayout<Pointee>.stride
        guard size >= 4096 else { return .allocate(capacity: capacity) }
        return UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64).bindMemory(
            to: Pointee.self,
            capacity: capacity
        )
    }
}

extension Buffer where Element == Int32 {
    func contains(_ element: Int32) -> Bool {
        for index in 0..<count where base[index] == element { return true }
        return false
    }

    /// Sorts in ascending order, by insertion for short lists and by the standard library's sort for long ones.
    mutating func sort() {
        if count > 24 {
            var elements = UnsafeMutableBufferPointer(start: base, count: count)
            elements.sort()
            return
        }
        for index in 1..<max(1, count) {
            let value = base[index]
            var place = index
            while place > 0, base[place - 1] > value {
                base[place] = base[place - 1]
                place -= 1
            }
            base[place] = value
        }
    }
}
