import SystemCalls

/// The entries of a cache, by open addressing with linear probing: the search begins at a slot that depends on the
/// hash alone, and removing an entry moves later ones up. So a lookup usually accesses one place in memory.
///
/// Copies share the memory, which ``destroy()`` frees.
@usableFromInline
struct CacheTable<Key: Hashable, Value> {
    @usableFromInline typealias Entry = CacheEntry<Key, Value>
    /// A slot, empty or with an entry.
    @usableFromInline typealias Place = UnsafeMutablePointer<Entry>

    @usableFromInline var entries: Place
    @usableFromInline var end: Place
    /// The number of slots.
    @usableFromInline var size: Int
    /// The maximum number of entries before the table grows.
    @usableFromInline var room: Int
    /// The lifetime of the entry in each slot, once there is one with a deadline.
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

    // Most methods are mutating so that the table is passed by reference; the compiler copies a table that is only
    // read.

    /// Returns the slot where the search for a hash begins: at the same fraction of the table as the hash of all
    /// hashes.
    @inlinable
    @inline(__always)
    mutating func home(of hash: UInt32) -> Place {
        entries + Int(truncatingIfNeeded: (UInt64(hash) &* UInt64(truncatingIfNeeded: size)) &>> 32)
    }

    /// Returns the next slot.
    @inlinable
    @inline(__always)
    mutating func place(after place: Place) -> Place { place + 1 == end ? entries : place + 1 }

    /// Returns whether a slot is before another one, or is that slot, on the way from a start.
    @inlinable
    @inline(__always)
    static func comes(_ one: Place, before other: Place, from start: Place) -> Bool {
        // If the way passes the end of the table, both differences wrap around.
        UInt(bitPattern: one) &- UInt(bitPattern: start) < UInt(bitPattern: other) &- UInt(bitPattern: start)
    }

    /// Returns the slot of a key, or the empty slot where its entry would be inserted.
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

    /// Returns the slot of the entry with a turn; there must be one.
    @inlinable
    @inline(__always)
    mutating func find(_ hash: UInt32, _ turn: UInt32) -> Place {
        var place = home(of: hash)
        while !place.head.has(hash, turn) { place = self.place(after: place) }
        return place
    }

    /// Returns the empty slot where an entry for a hash would be inserted.
    @inlinable
    mutating func vacancy(for hash: UInt32) -> Place {
        var place = home(of: hash)
        while !place.head.isEmpty { place = self.place(after: place) }
        return place
    }

    /// Removes an entry and moves later ones up, so that no search ends too early (Knuth, TAOCP 3, algorithm R).
    ///
    /// - Returns: its value, and the slot that is empty now.
    @inlinable
    @inline(__always)
    mutating func remove(_ place: Place) -> (value: Value, vacancy: Place) {
        let value = place.move().value
        var hole = place
        var next = self.place(after: hole)
        while !next.head.isEmpty {
            // An entry stays if its search begins between the hole and its slot.
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
        // The order of the slots is the same in the larger table: it is filled from the beginning to the end.
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

    /// Returns whether an entry has expired.
    @usableFromInline
    func isOver(_ place: Place, at time: @autoclosure () -> UInt64) -> Bool {
        guard place.head.expires, let lives else { return false }
        return lives[place - entries].isOver(at: time())
    }
}

/// Memory for the tables of a cache.
enum CacheMemory {
    /// Allocates elements at the beginning of a cache line; large tables in large pages if the system has them, since
    /// each lookup accesses another page.
    static func allocate<Element>(_ type: Element.Type, _ count: Int) -> UnsafeMutablePointer<Element> {
        let size = count * MemoryLayout<Element>.stride
        let largePage = 1 << 21
        let alignment = size >= largePage ? largePage : max(64, MemoryLayout<Element>.alignment)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
        #if os(Linux)
            // A hint: if it is refused, small pages are used.
            if alignment == largePage { madvise(memory, size / largePage * largePage, MADV_HUGEPAGE) }
        #endif
        return memory.bindMemory(to: type, capacity: count)
    }
}
