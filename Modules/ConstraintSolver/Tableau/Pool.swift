/// Blocks of plain values in sizes of powers of two, each given back to be taken again: rows and columns grow, shrink and
/// go all the time, and the system's allocator would be a large part of the cost.
struct Pool<Element: BitwiseCopyable>: ~Copyable {
    /// The memory that blocks are cut from.
    private var chunks = Buffer<UnsafeMutablePointer<Element>>(capacity: 4)
    /// What is left of the last chunk.
    private var rest: UnsafeMutablePointer<Element>
    private var restCount = 0
    /// For each size the blocks that were given back.
    private var free: Buffer<UnsafeMutablePointer<Element>>
    private var freeCounts = Buffer<Int32>(capacity: 32)

    /// The smallest block, which must hold a pointer.
    static var smallest: Int { 4 }
    private static var chunkCount: Int { 1024 }

    init() {
        rest = .allocate(capacity: 1)
        chunks.append(rest)
        free = Buffer(capacity: 32)
        free.append(repeating: rest, count: 32)
        freeCounts.append(repeating: 0, count: 32)
    }

    deinit {
        for index in 0..<chunks.count { chunks[index].deallocate() }
    }

    /// The size of the block that holds so many elements.
    @inline(__always)
    static func capacity(for count: Int) -> Int {
        guard count > smallest else { return smallest }
        return 1 << (Int.bitWidth - (count - 1).leadingZeroBitCount)
    }

    /// Takes a block of a size that is a power of two, ``smallest`` or more.
    mutating func take(_ capacity: Int) -> UnsafeMutablePointer<Element> {
        let size = capacity.trailingZeroBitCount
        if freeCounts[size] > 0 {
            freeCounts[size] -= 1
            let block = free[size]
            // A free block names the next one.
            if freeCounts[size] > 0 {
                free[size] = UnsafeRawPointer(block).load(as: UnsafeMutablePointer<Element>.self)
            }
            return block
        }
        return cut(capacity)
    }

    /// Gives a block back.
    mutating func give(_ block: UnsafeMutablePointer<Element>, _ capacity: Int) {
        let size = capacity.trailingZeroBitCount
        if freeCounts[size] > 0 {
            UnsafeMutableRawPointer(block).storeBytes(of: free[size], as: UnsafeMutablePointer<Element>.self)
        }
        free[size] = block
        freeCounts[size] += 1
    }

    @inline(never)
    private mutating func cut(_ capacity: Int) -> UnsafeMutablePointer<Element> {
        guard capacity <= Pool.largestShared else {
            let block = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
            chunks.append(block)
            return block
        }
        if restCount < capacity {
            rest = .allocate(capacity: Pool.chunkCount)
            restCount = Pool.chunkCount
            chunks.append(rest)
        }
        let block = rest
        rest += capacity
        restCount -= capacity
        return block
    }

    /// The largest block that is cut from a chunk. In debug builds each is an allocation of its own, so that the address
    /// sanitizer knows its bounds.
    private static var largestShared: Int {
        #if DEBUG
            0
        #else
            chunkCount / 4
        #endif
    }
}
