#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The entries of a cache, found by open addressing with linear probing: a place is looked for from the hash's share of
/// the table on, and what leaves is made up for by those behind it. So a look-up goes to one place of memory, whose address
/// depends on the key alone.
///
/// A value only by name: its copies share the memory, which ``destroy()`` frees.
@usableFromInline
struct CacheTable<Key: Hashable, Value> {
    @usableFromInline typealias Entry = CacheEntry<Key, Value>
    /// Where an entry is or may be.
    @usableFromInline typealias Place = UnsafeMutablePointer<Entry>

    @usableFromInline var entries: Place
    @usableFromInline var end: Place
    /// How many places there are.
    @usableFromInline var size: Int
    /// How many entries there should be at most.
    @usableFromInline var room: Int
    /// For each place when its entry expires, once there is one that does.
    @usableFromInline var lives: UnsafeMutablePointer<CacheLife>?

    @usableFromInline
    init(size: Int) {
        self.size = size
        room = size / 2
        entries = CacheMemory.allocate(Entry.self, size)
        end = entries + size
        for place in entries..<end { place.vacate() }
    }

    /// Destroys the entries and frees the memory.
    func destroy() {
        forEach { $0.deinitialize(count: 1) }
        free()
    }

    @usableFromInline
    func free() {
        entries.deallocate()
        lives?.deallocate()
    }

    // Most of those below are mutating: the table is then passed by its address; for one that is only read, the compiler
    // makes a copy at each call.

    /// The place where the search for a hash begins: as far on in the table as the hash is among all hashes.
    @inlinable
    @inline(__always)
    mutating func home(of hash: UInt32) -> Place {
        entries + Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(truncatingIfNeeded: size)) &>> 32)
    }

    /// The place where it goes on.
    @inlinable
    @inline(__always)
    mutating func place(after place: Place) -> Place {
        place + 1 == end ? entries : place + 1
    }

    /// Whether one is met before another on the way on from a place, or is that place.
    @inlinable
    @inline(__always)
    static func comes(_ one: Place, before other: Place, from start: Place) -> Bool {
        // Where the way leads over the table's end, both differences are as far below 0 as they should be above.
        UInt(bitPattern: one) &- UInt(bitPattern: start) < UInt(bitPattern: other) &- UInt(bitPattern: start)
    }

    /// The place of a key; where there is none, the vacant one where its entry would come.
    @inlinable
    @inline(__always)
    mutating func find(_ key: Key, _ hash: UInt32) -> (isFound: Bool, place: Place) {
        var place = home(of: hash)
        while true {
            let head = place.head
            if head.isEmpty { return (false, place) }
            if head.hash == hash, place.pointee.key == key { return (true, place) }
            place = self.place(after: place)
        }
    }

    /// The place of the entry that has a turn in a queue; there must be one.
    @inlinable
    @inline(__always)
    mutating func find(_ hash: UInt32, _ turn: UInt32) -> Place {
        var place = home(of: hash)
        while !place.head.has(hash, turn) { place = self.place(after: place) }
        return place
    }

    /// The vacant place where an entry for a hash would come.
    @inlinable
    mutating func vacancy(for hash: UInt32) -> Place {
        var place = home(of: hash)
        while !place.head.isEmpty { place = self.place(after: place) }
        return place
    }

    /// Takes an entry out, and moves those behind it up, so that no search stops too early (Knuth, TAOCP 3, algorithm R).
    ///
    /// - Returns: its value, and the place that is vacant now.
    @inlinable
    @inline(__always)
    mutating func remove(_ place: Place) -> (value: Value, vacancy: Place) {
        let value = place.move().value
        var hole = place
        var next = self.place(after: hole)
        while !next.head.isEmpty {
            // It stays where its home is between the hole and its place.
            if !Self.comes(home(of: next.head.hash), before: next + 1, from: hole + 1) {
                hole.initialize(to: next.move())
                if let lives { lives[hole - entries] = lives[next - entries] }
                hole = next
            }
            next = self.place(after: next)
        }
        hole.vacate()
        return (value, hole)
    }

    @inlinable
    func forEach(_ body: (Place) -> Void) {
        for place in entries..<end where !place.head.isEmpty { body(place) }
    }

    /// Makes the table larger by half.
    @inlinable
    @inline(never)
    mutating func grow() {
        let old = self
        self = Self(size: size + size / 2)
        if old.lives != nil { lives = endlessLives() }
        // Their homes are in the same order in the larger table: it is filled from its beginning to its end.
        old.forEach { place in
            let fresh = vacancy(for: place.head.hash)
            fresh.initialize(to: place.move())
            if let lives, let life = old.lives?[place - old.entries] { lives[fresh - entries] = life }
        }
        old.free()
    }

    // MARK: Expiry

    @inlinable
    mutating func setLife(_ life: CacheLife, of place: Place) {
        place.pointee.head.expires = life.deadline != 0
        if life.deadline != 0 { keepLife(life, of: place) }
    }

    @inlinable
    mutating func keepLife(_ life: CacheLife, of place: Place) {
        if lives == nil { lives = endlessLives() }
        lives?[place - entries] = life
    }

    @usableFromInline
    func endlessLives() -> UnsafeMutablePointer<CacheLife> {
        let lives = CacheMemory.allocate(CacheLife.self, size)
        lives.initialize(repeating: .endless, count: size)
        return lives
    }

    /// Whether the time of an entry is over.
    @usableFromInline
    func isOver(_ place: Place, at time: @autoclosure () -> UInt64) -> Bool {
        guard place.head.expires, let lives else { return false }
        return lives[place - entries].isOver(at: time())
    }
}

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
