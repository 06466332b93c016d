/// An allocator for blocks of plain values, in sizes that are powers of two.
///
/// Rows and columns grow, shrink and disappear all the time, and the system's allocator would be a large part of the
/// cost. A returned block is reused for the next request of its size. All memory is freed with the pool.
struct Pool<Element: BitwiseCopyable>: ~Copyable {
    /// The allocations from which blocks are cut.
    private var chunks = Buffer<UnsafeMutablePointer<Element>>(capacity: 4)
    /// The unused part of the last chunk.
    private var rest: UnsafeMutablePointer<Element>
    private var restCount = 0
    /// The number of elements in all allocations.
    private(set) var allocatedCount = 0
    /// The number of elements in blocks that are in use.
    private(set) var usedCount = 0
    /// For each size, a linked list of returned blocks: a free block holds the address of the next one.
    private var free = Buffer<UnsafeMutablePointer<Element>?>(capacity: 32)

    /// The smallest block, which must be able to hold a pointer.
    static var smallest: Int { 4 }
    /// The smallest and the largest number of elements of a chunk. Large pools have large chunks: between many small ones the
    /// system's allocator would put other objects, and could not return their memory when the pool is released.
    private static var smallestChunk: Int { 1 << 10 }
    private static var largestChunk: Int { 1 << 16 }

    init() {
        rest = .allocate(capacity: 1)
        chunks.append(rest)
        free.append(repeating: nil, count: 32)
    }

    deinit {
        for index in 0..<chunks.count { chunks[index].deallocate() }
    }

    /// Returns the size of the block for a number of elements.
    @inline(__always) static func capacity(for count: Int) -> Int {
        guard count > smallest else { return smallest }
        return 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
    }

    /// Allocates a block, not initialized, whose capacity is a power of two, ``smallest`` or more.
    mutating func allocate(_ capacity: Int) -> UnsafeMutablePointer<Element> {
        let size = capacity.trailingZeroBitCount
        usedCount &+= capacity
        guard let block = free[size] else { return cut(capacity) }
        free[size] = UnsafeRawPointer(block).load(as: UnsafeMutablePointer<Element>?.self)
        return block
    }

    /// Returns a block of a capacity to the pool.
    mutating func deallocate(_ block: UnsafeMutablePointer<Element>, _ capacity: Int) {
        let size = capacity.trailingZeroBitCount
        usedCount &-= capacity
        UnsafeMutableRawPointer(block).storeBytes(of: free[size], as: UnsafeMutablePointer<Element>?.self)
        free[size] = block
    }

    @inline(never) private mutating func cut(_ capacity: Int) -> UnsafeMutablePointer<Element> {
        guard capacity <= Pool.largestShared else {
            let block = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
            allocatedCount += capacity
            chunks.append(block)
            return block
        }
        if restCount < capacity {
            restCount = min(max(Pool.smallestChunk, allocatedCount / 32), Pool.largestChunk)
            rest = .allocateAtLine(capacity: restCount)
            allocatedCount += restCount
            chunks.append(rest)
        }
        let block = rest
        rest += capacity
        restCount -= capacity
        return block
    }

    /// The largest block that is cut from a chunk. In debug builds each block is a separate allocation, so that the
    /// address sanitizer knows its bounds.
    private static var largestShared: Int {
        #if DEBUG
            0
        #else
            smallestChunk / 4
        #endif
    }
}
