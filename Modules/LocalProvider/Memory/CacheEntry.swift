/// A key and its value in a ``CacheTable``, with what a look-up needs beside: of small ones all of it is in one cache line.
@usableFromInline
struct CacheEntry<Key, Value>: CacheHeaded {
    /// First, so that it can be read where there is no entry too.
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

/// What begins with a ``CacheHead``.
@usableFromInline
protocol CacheHeaded {}

extension UnsafeMutablePointer where Pointee: CacheHeaded {
    /// What a place tells of its entry, if there is one.
    @inlinable var head: CacheHead { UnsafeRawPointer(self).load(as: CacheHead.self) }

    /// Tells that there is no entry.
    @inlinable
    func vacate() {
        UnsafeMutableRawPointer(self).storeBytes(of: CacheHead(hash: 0, mark: 0), as: CacheHead.self)
    }
}

/// What a place of a ``CacheTable`` tells of its entry, if there is one.
@usableFromInline
struct CacheHead {
    /// The most entries that tickets tell apart, in one queue.
    @usableFromInline static var tickets: Int { 1 << 27 }

    /// The key's hash, as far as the table uses it.
    @usableFromInline var hash: UInt32
    /// From below: how often it was asked for since it came into its queue, up to 3, in two bits; whether it has a
    /// deadline; and its turn. 0 for no entry.
    @usableFromInline var mark: UInt32

    @inlinable
    init(hash: UInt32, mark: UInt32) {
        self.hash = hash
        self.mark = mark
    }

    /// An entry's turn: 1 for there being one, whether it is the main queue's, and its ticket there.
    @inlinable
    static func turn(_ ticket: UInt32, isMain: Bool) -> UInt32 {
        ticket &<< 5 | 16 | (isMain ? 8 : 0)
    }

    @inlinable var isEmpty: Bool { mark == 0 }
    @inlinable var frequency: UInt32 { mark & 3 }
    @inlinable var isMain: Bool { mark & 8 != 0 }
    @inlinable var ticket: UInt32 { mark &>> 5 }

    @inlinable
    var expires: Bool {
        get { mark & 4 != 0 }
        set { mark = mark & ~4 | (newValue ? 4 : 0) }
    }

    /// Whether this is the entry that has a turn.
    @inlinable
    func has(_ hash: UInt32, _ turn: UInt32) -> Bool {
        self.hash == hash && mark & ~7 == turn
    }

    /// Gives it another turn.
    @inlinable
    mutating func setTurn(_ turn: UInt32, frequency: UInt32) {
        mark = turn | mark & 4 | frequency
    }
}
