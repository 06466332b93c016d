#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Memory for a cache's tables.
enum CacheMemory {
    /// Room for `count` elements that begins with a cache line, so that none lies in more lines than it must; large
    /// tables in large pages where the system has them, since each look-up goes to another page.
    static func allocate<Element>(_ type: Element.Type, _ count: Int) -> UnsafeMutablePointer<Element> {
        let size = count * MemoryLayout<Element>.stride
        let largePage = 1 << 21
        let alignment = size >= largePage ? largePage : max(64, MemoryLayout<Element>.alignment)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
        #if os(Linux)
            // A wish: where it is refused, small pages do.
            if alignment == largePage { madvise(memory, size / largePage * largePage, MADV_HUGEPAGE) }
        #endif
        return memory.bindMemory(to: type, capacity: count)
    }
}
