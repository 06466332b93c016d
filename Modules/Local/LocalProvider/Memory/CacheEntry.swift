/// A key and its value in a ``CacheTable``, with what a lookup needs: small entries fit into one cache line.
@usableFromInline
struct CacheEntry<Key, Value>: CacheHeaded {
    /// At the beginning, so that it can be read in an empty slot, too.
    @usableFromInline var head: CacheHead
    @usableFromInline var key: Key
    @usableFromInline var value: Value

    @inlinable
    init(head: CacheHead, key: Key, value: Value) {
        self.head = head
        self.key = key
        self.value = value
    }
}

/// A type that begins with a ``CacheHead``.
@usableFromInline
protocol CacheHeaded {}

extension UnsafeMutablePointer where Pointee: CacheHeaded {
    /// The head of a slot.
    @inlinable var head: CacheHead { UnsafeRawPointer(self).load(as: CacheHead.self) }

    /// Marks the slot as empty.
    @inlinable
    func vacate() {
        UnsafeMutableRawPointer(self).storeBytes(of: CacheHead(hash: 0, mark: 0), as: CacheHead.self)
    }
}

/// The state of a slot of a ``CacheTable``, and of its entry if it has one.
@usableFromInline
struct CacheHead {
    /// The number of entries of a queue that tickets distinguish.
    @usableFromInline static var tickets: Int { 1 << 27 }

    /// The part of the key's hash that the table uses.
    @usableFromInline var hash: UInt32
    /// From the lowest bit: the number of uses since the entry came into its queue, up to 3, in two bits; whether it
    /// has a deadline; and its turn. 0 for an empty slot.
    @usableFromInline var mark: UInt32

    @inlinable
    init(hash: UInt32, mark: UInt32) {
        self.hash = hash
        self.mark = mark
    }

    /// Returns the turn of an entry: a bit that is always set, whether it is in the main queue, and its ticket there.
    @inlinable
    static func turn(_ ticket: UInt32, isMain: Bool) -> UInt32 { ticket &<< 5 | 16 | (isMain ? 8 : 0) }

    @inlinable var isEmpty: Bool { mark == 0 }
    @inlinable var frequency: UInt32 { mark & 3 }
    @inlinable var isMain: Bool { mark & 8 != 0 }
    @inlinable var ticket: UInt32 { mark &>> 5 }

    @inlinable
    var expires: Bool {
        get { mark & 4 != 0 }
        set { mark = mark & ~4 | (newValue ? 4 : 0) }
    }

    /// Returns whether this is the entry with a turn.
    @inlinable
    func has(_ hash: UInt32, _ turn: UInt32) -> Bool { self.hash == hash && mark & ~7 == turn }

    /// Changes the turn.
    @inlinable
    mutating func setTurn(_ turn: UInt32, frequency: UInt32) { mark = turn | mark & 4 | frequency }
}
